import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { rulesFromRecord, type AnsweredQuestion } from '../../../src/core/policy/record-rules.ts';

const now = Date.parse('2026-11-22T12:00:00.000Z');
const hourMs = 3_600_000;

/** Asked so many hours ago, answered after so many minutes. */
function answered(hoursAgo: number, minutes: number, change: Partial<AnsweredQuestion> = {}): AnsweredQuestion {
  const openedAt = now - hoursAgo * hourMs;
  return {
    agent: 'legal',
    kind: 'tool_call',
    policy: 'ops',
    question: { title: 'Approve renew_certificate?', defaults: {} },
    values: { approved: true },
    isEdited: false,
    openedAt: new Date(openedAt).toISOString(),
    endedAt: new Date(openedAt + minutes * 60_000).toISOString(),
    why: 'approved',
    ...change,
  };
}
const many = (count: number, change: Partial<AnsweredQuestion> = {}): AnsweredQuestion[] =>
  Array.from({ length: count }, (_, n) => answered(n * 36, 10, change));

const ops = PolicySchema.parse({
  audience: ['role:ops'],
  exclude: ['requester'],
  expire: { after: '1h', then: 'cancel' },
});
const setting = { now, days: 30, policyOf: () => ops, checker: () => null };
const form = {
  kind: 'form' as const,
  question: { title: "Is 'that' right?", defaults: { centre: 'it' } },
  values: { centre: 'it' },
};

describe('the record', () => {
  // Promise S55
  test('the record names what was approved unchanged every time, with what a rule would have done with it', () => {
    const [rule, ...more] = rulesFromRecord(many(25), setting);
    expect(more).toEqual([]);
    expect(rule).toMatchObject({ agent: 'legal', title: 'Approve renew_certificate?', times: 25, way: 'agent' });
    // Every 36 hours: twenty-one in thirty days, the first of them now.
    expect(rule?.replay).toEqual({ days: 30, asked: 21, sooner: 0, spared: 21, waitedMs: 21 * 600_000 });
  });

  // Promise S55
  test('the record counts what people answered before a proposal would have been sent without them', () => {
    const record = [...many(20, form), answered(1, 45, form), answered(2, 15, form)];
    const [rule] = rulesFromRecord(record, setting);
    expect(rule?.way).toBe('defaults');
    expect(rule?.replay).toMatchObject({ asked: 22, sooner: 20, spared: 2, waitedMs: 30 * 60_000 });
  });

  test.each([
    ['too few', many(19)],
    ['one that was refused', [...many(30), answered(1, 1, { why: 'declined' })]],
    ['one that was edited', [...many(30), answered(1, 1, { isEdited: true })]],
    ['a form that people filled in', many(30, { ...form, values: { centre: 'sales' } })],
    ['a title that a rule would take for a pattern', many(30, { question: { title: 'Delete *?', defaults: {} } })],
    ['a question of another kind', many(30, { kind: 'text' })],
  ])('the record sees no rule in %s', (_name, record) => {
    expect(rulesFromRecord(record, setting)).toEqual([]);
  });

  test.each([{ danger: true }, { quorum: 2 }])('the record sees no rule where the policy is %j', (change) => {
    expect(rulesFromRecord(many(30), { ...setting, policyOf: () => ({ ...ops, ...change }) })).toEqual([]);
  });

  // Promise S55
  test('the record gives a text that the configuration takes, whatever the agent called its question', () => {
    for (const change of [{}, form]) {
      const [rule] = rulesFromRecord(many(20, change), { ...setting, checker: () => 'checker' });
      const own = parse(rule?.yaml ?? '') as { policies: object; agents: { legal: { rules: { policy: string }[] } } };
      const config = ConfigSchema.parse({
        agents: { legal: { url: 'http://127.0.0.1:1/', ...own.agents.legal }, checker: { url: 'http://127.0.0.1:2/' } },
        policies: own.policies,
      });
      const [written] = config.agents['legal']?.rules ?? [];
      expect(written?.when).toEqual({ kind: rule?.kind, title: rule?.title });
      const policy = config.policies[written?.policy ?? ''];
      expect(policy?.exclude).toEqual(['requester']);
      expect(policy).toMatchObject(
        rule?.way === 'agent'
          ? {
              audience: ['agent:checker'],
              ladder: [{ after: '5m', escalate: ['role:ops'] }],
              expire: { then: 'cancel' },
            }
          : { audience: ['role:ops'], expire: { after: '15m', then: 'default' } },
      );
    }
  });
});
