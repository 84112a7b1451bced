// What a configuration would have made of the past: policies by its rules, gates, and calls under grants that could have been given.
import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../../src/config/config.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { tryPolicies, type PastQuestion } from '../../../src/core/answers/try-policies.ts';
import { fc } from '../../rigs/properties.ts';

function configOf(whole: JsonObject) {
  // JSON is YAML.
  const loaded = loadConfig({ text: JSON.stringify(whole), env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

const url = 'http://agent.example';
const grants = { within: ['amount <= 100'], times: 5, for: '30d', recheck: '1 in 3' };
const config = configOf({
  agents: {
    payments: { url, policy: 'pay', rules: [{ when: { data: 'amount > 1000' }, policy: 'lead' }] },
    gated: { url, policy: 'pay', gate: { policy: 'lead', skills: ['transfer'] } },
    worded: { url, policy: 'pay', rules: [{ when: { dialect: 'adk' }, policy: 'lead' }] },
  },
  policies: { pay: { audience: ['role:finance'], grants }, lead: { audience: ['role:lead'] } },
  gates: {
    github: {
      url,
      policy: 'lead',
      rules: [
        { tool: 'get_*', then: 'pass' },
        { tool: 'drop', then: 'refuse' },
      ],
    },
  },
});

let n = 0;
function past(args: JsonObject, more: Partial<PastQuestion> = {}): PastQuestion {
  n += 1;
  const at = new Date(Date.parse('2026-03-01T00:00:00Z') + n * 60_000).toISOString();
  return {
    id: `hold-${n}`,
    agent: 'payments',
    owner: 'olga',
    kind: 'tool_call',
    dialect: 'adk',
    title: 'Approve pay?',
    policy: 'pay',
    call: { tool: 'pay', args },
    data: [args],
    openedAt: at,
    decided: { verdict: 'yes', by: 'fin', at },
    ...more,
  };
}

const doesOf = (questions: PastQuestion[]) => tryPolicies(config, questions).tried.map(({ now }) => now);

describe('policies that are tried over the past', () => {
  test('policies that are tried over the past name the policy of the first rule that matches', () => {
    expect(doesOf([past({ amount: 5_000 }), past({ amount: 500 })])).toEqual([
      { do: 'ask', policy: 'lead' },
      { do: 'ask', policy: 'pay' },
    ]);
  });

  test('policies that are tried over the past count what cannot be read as asked by the rule that reads it', () => {
    expect(doesOf([past({}, { data: null, call: null })])).toEqual([{ do: 'ask', policy: 'lead' }]);
  });

  test('policies that are tried over the past compare the dialect of a question with that of a rule', () => {
    const inDialect = (dialect: string) => past({}, { agent: 'worded', dialect });
    expect(doesOf([inDialect('adk'), inDialect('form')])).toEqual([
      { do: 'ask', policy: 'lead' },
      { do: 'ask', policy: 'pay' },
    ]);
  });

  test('policies that are tried over the past put a held first message under its agent’s gate, and ask about none where that is gone', () => {
    const message = (agent: string) =>
      past({ text: 'pay' }, { agent, dialect: 'ask', call: { tool: `${agent}/message`, args: {} } });
    expect(doesOf([message('gated'), message('payments')])).toEqual([{ do: 'ask', policy: 'lead' }, { do: 'pass' }]);
  });

  test('policies that are tried over the past judge calls of gates by the gate’s rules', () => {
    const call = (tool: string) => past({}, { agent: 'ask', call: { tool, args: {} } });
    expect(doesOf(['github/get_issue', 'github/drop', 'github/merge', 'elsewhere/pay'].map(call))).toEqual([
      { do: 'pass' },
      { do: 'refuse' },
      { do: 'ask', policy: 'lead' },
      { do: 'ask', policy: 'pay' },
    ]);
  });

  // Promise Y60
  test('policies that are tried over the past spare calls within a grant that an approver could have given, and ask each third', () => {
    const all = [50, 60, 70, 80, 200, 90].map((amount) => past({ amount, to: 'acme' }));
    const [first] = all;
    expect(doesOf(all).map((now) => now.do)).toEqual(['ask', 'grant', 'grant', 'ask', 'ask', 'grant']);
    expect(tryPolicies(config, all).proposed).toMatchObject([{ hold: first?.id, by: 'fin', spared: 3 }]);
  });

  // Promise Y60
  test('policies that are tried over the past propose no grant of a refusal, nor for what came before the approval', () => {
    const refused = { verdict: 'no' as const, by: 'fin', at: '2026-03-01T00:00:00Z' };
    expect(doesOf([past({ amount: 1 }, { decided: refused }), past({ amount: 1 }, { decided: null })])).toEqual([
      { do: 'ask', policy: 'pay' },
      { do: 'ask', policy: 'pay' },
    ]);
    const late = { verdict: 'yes' as const, by: 'fin', at: '2026-04-01T00:00:00Z' };
    expect(doesOf([past({ amount: 1 }, { decided: late }), past({ amount: 1 })])[1]).toMatchObject({ do: 'ask' });
  });

  // Promise Y60
  test('policies that are tried over the past spare no more calls by a grant than its policy allows, and none out of its range', () => {
    const calls = fc.array(fc.record({ amount: fc.integer({ min: 0, max: 200 }), to: fc.constantFrom('a', 'b') }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(calls, (given) => {
        const all = given.map((args) => past(args));
        const { tried, proposed } = tryPolicies(config, all);
        for (const { spared } of proposed) expect(spared).toBeLessThanOrEqual(grants.times);
        for (const [at, { now }] of tried.entries()) {
          if (now.do !== 'grant') continue;
          const of = all.find(({ id }) => id === now.of);
          expect(all[at]?.call?.args['to']).toBe(of?.call?.args['to']);
          expect(Number(all[at]?.call?.args['amount'])).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});
