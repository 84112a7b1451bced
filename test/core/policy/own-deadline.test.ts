import { describe, expect, test } from '@jest/globals';
import type * as z from 'zod';
import { PolicySchema, type LadderPlan } from '../../../src/contract/configuration/policy.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import { after, openedAt } from '../../rigs/factories.ts';

describe('a question with a deadline of its own', () => {
  const endOf = (expire: z.input<typeof PolicySchema>['expire'], expireAfter: string): Partial<LadderPlan> => {
    const planned = planLadder('finance', PolicySchema.parse({ expire }), openedAt, { city: 'Bonn' }, { expireAfter });
    const { expiresAt, then, defaults } = planned;
    return { expiresAt, then, defaults };
  };

  // Promise OT10
  test('a question’s own deadline ends it before its policy, and never later', () => {
    expect(endOf({ after: '2d', then: 'cancel' }, '1h')).toMatchObject({ expiresAt: after('1h'), then: 'cancel' });
    expect(endOf({ after: '2h', then: 'cancel' }, '3h')).toMatchObject({ expiresAt: after('2h'), then: 'cancel' });
  });

  // Promise OT10
  test('a question’s own deadline takes no proposed answer: it ends without one where its policy would take it', () => {
    const taken = { expiresAt: after('2h'), then: 'default', defaults: { city: 'Bonn' } };
    expect(endOf({ after: '2h', then: 'default' }, '3h')).toEqual(taken);
    expect(endOf({ after: '2h', then: 'default' }, '1s')).toEqual({
      expiresAt: after('1s'),
      then: 'fail',
      defaults: null,
    });
    expect(endOf({ after: '2h', then: 'keep-open' }, '1h')).toEqual({
      expiresAt: after('1h'),
      then: 'fail',
      defaults: null,
    });
  });
});
