import { describe, expect, test } from '@jest/globals';
import { ConfigSchema, type Config } from '../../../src/contract/configuration/config.ts';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { isOperator, mayDecide } from '../../../src/core/policy/audience.ts';
import { reachesOthers, whyNoOtherDecider } from '../../../src/core/policy/askers.ts';
import { allUsers } from '../../../src/core/policy/delegates.ts';
import { aHold, aPrincipal } from '../../rigs/factories.ts';

const key = (user: string, kind: string, ...roles: string[]): object => ({
  user,
  kind,
  roles,
  key: `the key of ${user}, and it is long`,
});
const configOf = (agents: object = {}, policies: object = {}): Config =>
  ConfigSchema.parse({
    auth: { keys: [key('bot', 'agent', 'finance', 'bots'), key('fin', 'person', 'finance'), key('shop', 'backend')] },
    agents,
    policies,
  });

describe('an agent’s key', () => {
  const bot = { ...aPrincipal('bot', 'finance', 'operator'), kind: 'agent' as const };

  // Promise T4
  test.each([
    ['as the owner', aHold()],
    ['by its role', aHold({ policy: { audience: ['role:finance'] } })],
    ['by its name', aHold({ policy: { audience: ['user:bot'] } })],
  ])('an agent’s key never decides %s', (_how, hold) => {
    expect(mayDecide(hold, bot, 'bot')).toBe(false);
    expect(mayDecide(hold, { ...bot, isSuper: true }, 'bot')).toBe(false);
  });

  // Promise T4
  test('an agent’s key is not an operator, whatever its roles', () => {
    expect(isOperator(bot)).toBe(false);
  });

  test('an agent’s key is known as one among all users, so that no policy counts on it', () => {
    const kinds = allUsers(configOf(), new Date()).map(({ id, kind }) => [id, kind]);
    expect(kinds).toEqual([
      ['bot', 'agent'],
      ['fin', undefined],
      ['shop', undefined],
    ]);
  });
});

describe('a question', () => {
  // Promise T5
  test.each([
    [[], 'bot', false],
    [['owner'], null, false],
    [['user:bot'], 'fin', false],
    [['user:bot', 'owner'], 'bot', false],
    [['role:bots'], 'fin', false],
    [['role:finance'], 'bot', true],
    [['role:finance'], 'fin', false],
    [['user:fin'], 'fin', false],
    [['user:fin'], 'bot', true],
    [['role:nobody-yet'], 'bot', true],
    [['agent:judge'], 'bot', true],
  ] as const)('a question asked of %j by %s reaches somebody else: %s', (audience, asker, expected) => {
    expect(reachesOthers(configOf(), PolicySchema.parse({ audience }), asker)).toBe(expected);
  });

  test('a question that moves on to others reaches them', () => {
    const ladder = [{ after: '1h', escalate: ['role:finance'] }];
    expect(reachesOthers(configOf(), PolicySchema.parse({ audience: ['owner'], ladder }), 'bot')).toBe(true);
  });
});

describe('an agent that asks its requester alone', () => {
  const bot = { ...aPrincipal('bot'), kind: 'agent' as const };
  const url = 'http://127.0.0.1:8701/';

  test('an agent that asks its requester alone is not run by an agent’s key, which could not answer', () => {
    expect(whyNoOtherDecider(configOf({ a: { url } }), 'a', bot)).toContain('asks anybody but bot');
    expect(whyNoOtherDecider(configOf({ a: { url } }), 'a', aPrincipal('fin'))).toBeNull();
  });

  test('an agent that asks its requester alone is run where a rule asks others', () => {
    const rules = [{ when: { kind: 'tool_call' }, policy: 'p' }];
    expect(
      whyNoOtherDecider(configOf({ a: { url, rules } }, { p: { audience: ['role:finance'] } }), 'a', bot),
    ).toBeNull();
  });

  test('an agent that asks its requester alone is run where the gate before it asks others', () => {
    const policies = { p: { audience: ['role:finance'] } };
    const gated = configOf({ a: { url, gate: { policy: 'p' } } }, policies);
    expect(whyNoOtherDecider(gated, 'a', bot)).toBeNull();
    expect(whyNoOtherDecider(gated, 'a', bot, 'a2a')).toBeNull();
    const own = configOf({ a: { url, gate: { policy: 'p' } } }, { p: { audience: ['owner'] } });
    expect(whyNoOtherDecider(own, 'a', bot)).toContain('asks anybody but bot');
  });
});
