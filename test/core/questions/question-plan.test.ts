import { expect, test } from '@jest/globals';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { planQuestion } from '../../../src/core/questions/question-plan.ts';
import { after, aQuestion, openedAt } from '../../rigs/factories.ts';

// Promise T9
test.each([
  [undefined, false],
  [false, false],
  [true, undefined],
])('a question under temporal.answers %s is planned with byTemporal %s', async (answers, expected) => {
  const config = ConfigSchema.parse({
    agents: { fake: { url: 'http://127.0.0.1:1/' } },
    temporal: answers === undefined ? {} : { answers },
  });
  const deps = {
    config,
    windowsOf: () => () => [],
    fingerprintOf: () => 'one',
    policyWith: (given: object) => PolicySchema.parse(given),
    defaultsOf: async () => null,
  };
  const asked = { holdId: 'h-1', question: aQuestion(), agent: 'fake', owner: 'anna', isCallers: false, openedAt };
  expect((await planQuestion(deps, asked)).plan.byTemporal).toBe(expected);
});

// Promise OT10
test('a question is planned with its own deadline where that is before its policy’s', async () => {
  const deps = {
    config: ConfigSchema.parse({ agents: { fake: { url: 'http://127.0.0.1:1/' } } }),
    windowsOf: () => () => [],
    fingerprintOf: () => 'one',
    policyWith: (given: object) => PolicySchema.parse(given),
    defaultsOf: async () => null,
  };
  const question = { ...aQuestion(), expireAfter: '30m' };
  const asked = { holdId: 'h-1', question, agent: 'fake', owner: 'anna', isCallers: false, openedAt };
  expect((await planQuestion(deps, asked)).plan.expiresAt).toBe(after('30m'));
});
