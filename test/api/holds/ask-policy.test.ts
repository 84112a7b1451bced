import { expect, test } from '@jest/globals';
import { policyOfAsk } from '../../../src/api/ask/ask-policy.ts';
import { ConfigSchema, type Config } from '../../../src/contract/configuration/config.ts';
import { aPrincipal, aSuper } from '../../rigs/factories.ts';

const policies = { finance: { audience: ['role:finance'] }, travel: { audience: ['role:travel'] }, own: {} };
const configOf = (ask: object, keys: object[] = [{ user: 'fin', roles: ['finance'], key: 'k'.repeat(40) }]): Config =>
  ConfigSchema.parse({ auth: { keys }, policies, ask });
const bot = aPrincipal('bot');

// Promise T5
test('a question that only its asker could answer is refused, and one of a policy that is not allowed', () => {
  const only = { policy: 'finance', policies: ['travel'] };
  expect(policyOfAsk(configOf(only), null, bot)).toBe('finance');
  expect(policyOfAsk(configOf(only), 'finance', bot)).toBe('finance');
  expect(policyOfAsk(configOf(only), 'travel', bot)).toBe('travel');
  const forbidden = expect.objectContaining({ code: 'forbidden' });
  expect(() => policyOfAsk(configOf(only), 'own', bot)).toThrow(forbidden);
  expect(() => policyOfAsk(configOf({}), 'own', bot)).toThrow(forbidden);
  expect(() => policyOfAsk(configOf({}), null, bot)).toThrow(forbidden);
  expect(() => policyOfAsk(configOf({}), 'finance', aPrincipal('fin', 'finance'))).toThrow(forbidden);
  expect(policyOfAsk(configOf({}), 'finance', bot)).toBe('finance');
});

test('a question without keys may be anybody’s, and is asked', () => {
  expect(policyOfAsk(configOf({}, []), null, aSuper)).toBeNull();
});
