import { expect, test } from '@jest/globals';
import { PolicySchema, TimeoutActionSchema } from '../../../src/contract/configuration/policy.ts';
import { expiryActions } from '../../../src/core/policy/expiry-actions.ts';
import { dueAtOf, planLadder } from '../../../src/core/policy/ladder.ts';

const openedAt = '2026-11-26T09:00:00.000Z';

test.each(TimeoutActionSchema.options)('the plan of a question is due by the record of its action: %s', (then) => {
  const plan = planLadder('finance', PolicySchema.parse({ expire: { after: '2h', then } }), openedAt);
  const isEnding = expiryActions[then].due === 'expires';
  expect(plan.expiresAt).toBe(isEnding ? '2026-11-26T11:00:00.000Z' : null);
  expect(dueAtOf({ expiresAt: plan.expiresAt, plan })).toBe('2026-11-26T11:00:00.000Z');
});

test('a default that no agent proposed fails the task, and one that is there is the answer', () => {
  expect(expiryActions['default'].apply({ defaults: null })).toEqual({ kind: 'fail' });
  expect(expiryActions['default'].apply({ defaults: { city: 'Bonn' } })).toEqual({
    kind: 'answer',
    status: 'resolved',
    values: { city: 'Bonn' },
  });
});
