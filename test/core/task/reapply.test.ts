// A policy that changed is reapplied to an open question: planned again, recorded, and never to its end.
import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { planLadder, withPeople } from '../../../src/core/policy/ladder.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Outcome, TaskState } from '../../../src/core/task/task-state.ts';
import { aHold, after, aPrincipal, aTask } from '../../rigs/factories.ts';

type Policy = z.input<typeof PolicySchema>;
const opal = aPrincipal('opal', 'operator');
const before: Policy = { audience: ['role:finance'], expire: { after: '4h', then: 'cancel' } };
const holding = (change: Parameters<typeof aHold>[0] = {}): TaskState =>
  aTask({ phase: 'holding', holds: [aHold({ policy: before, ...change })] });

function reapply(state: TaskState, rules: Policy, by = opal, at = after('2h')): Outcome {
  const [hold] = state.holds;
  const policy = PolicySchema.parse(rules);
  const plan = planLadder('finance', policy, hold?.openedAt ?? '', hold?.question.defaults);
  const audience = withPeople(policy.audience);
  const command = { kind: 'reapply' as const, hold: hold?.holdId ?? '', principal: by, receivedAt: at, audience, plan };
  return reduce(state, { type: 'amend', command }, at);
}

describe('A reapplied policy', () => {
  // Promise Q77
  test('A reapplied policy counts from the opening of the question, asks whom it names now, and is recorded once', () => {
    const rules: Policy = {
      audience: ['role:lead'],
      expire: { after: '8h', then: 'reject' },
      ladder: [{ after: '3h', remind: true }],
      notify: ['mail'],
    };
    const { state, effects, reply } = reapply(holding(), rules);
    expect(reply).toMatchObject({ ok: true });
    const [hold] = state.holds;
    expect(hold).toMatchObject({
      audience: ['role:lead'],
      expiresAt: after('8h'),
      stepsTaken: 0,
      nextStep: { at: after('3h'), do: 'remind' },
      plan: { policy: 'finance', then: 'reject', notify: ['mail'] },
    });
    expect(hold?.plan.reapplied).toEqual([
      { at: after('2h'), by: 'opal', from: 'finance', fromExpiresAt: after('4h'), credential: null },
    ]);
    expect(effects).toMatchObject([
      { kind: 'amendHolds' },
      { kind: 'notify', event: 'reassigned', channels: ['mail'] },
    ]);
    const again = reapply(state, rules, opal, after('150m'));
    expect(again.effects).toEqual([]);
    expect(again.state).toEqual(state);
  });

  test('A reapplied policy expires by its new deadline, and not by the old one', () => {
    const { state } = reapply(holding(), { ...before, expire: { after: '8h', then: 'reject' } });
    expect(reduce(state, { type: 'time.passed' }, after('5h')).state.holds[0]).toMatchObject({ status: 'open' });
    expect(reduce(state, { type: 'time.passed' }, after('8h')).state.holds[0]).toMatchObject({
      ended: { why: 'expired' },
    });
  });

  test('A reapplied policy takes steps whose time has passed as taken: who was escalated to is asked, and no reminder is late', () => {
    const { state, effects } = reapply(holding(), {
      ...before,
      ladder: [
        { after: '30m', remind: true },
        { after: '1h', escalate: ['role:lead'] },
        { after: '3h', escalate: ['role:board'] },
      ],
    });
    expect(state.holds[0]).toMatchObject({
      audience: ['role:finance', 'role:lead'],
      stepsTaken: 2,
      nextStep: { at: after('3h'), do: 'escalate', to: ['role:board'] },
    });
    expect(effects.filter(({ kind }) => kind === 'recordStep')).toEqual([]);
  });

  // Promise Q77
  test('A reapplied policy that would have ended the question already leaves it as it is', () => {
    const { state, effects, reply } = reapply(holding(), { ...before, expire: { after: '1h', then: 'fail' } });
    expect(reply).toMatchObject({ ok: false, code: 'payload_invalid', message: expect.stringContaining(after('1h')) });
    expect([state, effects]).toEqual([holding(), []]);
  });

  test('A reapplied policy leaves a question that has a vote under the policy that it was given under', () => {
    const vote = { by: 'finn', at: after('1h'), values: {}, reason: null, fingerprint: 'f' };
    const record = { source: 'rest' as const, seenDigest: null, credential: null, actor: null };
    const voted = holding({ votes: [{ ...vote, ...record }] });
    expect(reapply(voted, before).reply).toMatchObject({ ok: false, code: 'payload_invalid' });
  });

  test('A reapplied policy keeps what has happened: extensions, who spoke, and agents that were asked', () => {
    const state = holding();
    const [hold] = state.holds;
    const extension = {
      at: after('1h'),
      by: 'opal',
      from: after('4h'),
      until: after('9h'),
      note: null,
      credential: null,
    };
    const call = { agent: 'robo', call: -1, at: after('0s'), until: after('4h'), doneAt: after('1h'), why: 'no' };
    const happened = { extensions: [extension], requesters: ['mate'], supervisors: [call], graceUsedBy: ['finn'] };
    if (hold !== undefined) Object.assign(hold.plan, happened);
    expect(reapply(state, before).state.holds[0]?.plan).toMatchObject(happened);
  });

  test('A reapplied policy asks the agents that are newly among those who are asked', () => {
    const { effects } = reapply(holding(), { ...before, audience: ['role:finance', 'agent:robo'] });
    expect(effects).toMatchObject([{ kind: 'amendHolds' }, { kind: 'askSupervisor', agent: 'robo' }]);
  });

  // Promise Q77
  test('A reapplied policy is an operator’s alone', () => {
    const { reply } = reapply(holding(), { ...before, quorum: 2 }, aPrincipal('finn', 'finance'));
    expect(reply).toMatchObject({ ok: false, code: 'not_allowed_to_decide' });
  });
});
