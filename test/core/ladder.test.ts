import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type * as z from 'zod';
import { PolicySchema } from '../../src/contract/policy.ts';
import type { LadderPlan } from '../../src/contract/policy.ts';
import { audienceAfter, nextStepOf, planLadder, stepAt } from '../../src/core/ladder.ts';
import { after, openedAt } from '../rigs/factories.ts';

const plan = (policy: z.input<typeof PolicySchema>): LadderPlan =>
  planLadder('finance', PolicySchema.parse(policy), openedAt, { city: 'Bonn' });

describe('a ladder', () => {
  test('is planned once, in absolute times, in order', () => {
    const ladder = [
      { after: '4h', escalate: ['role:lead'], replace: true },
      { after: '30m', remind: true as const, every: '1h' },
    ];
    expect(plan({ exclude: ['requester'], ladder, expire: { after: '1d', then: 'reject' } })).toEqual({
      policy: 'finance',
      steps: [
        { at: after('30m'), do: 'remind', to: [], replace: false, everyMs: 3_600_000 },
        { at: after('4h'), do: 'escalate', to: ['role:lead'], replace: true, everyMs: null },
      ],
      expiresAt: after('24h'),
      then: 'reject',
      exclude: ['requester'],
      defaults: { city: 'Bonn' },
    });
  });

  test('that is not written expires after a day, and fails', () => {
    expect(plan({})).toMatchObject({ steps: [], expiresAt: after('24h'), then: 'fail' });
    expect(nextStepOf(plan({}), 0)).toEqual({ at: after('24h'), do: 'expire', to: [] });
  });

  test('leaves out steps that would come at or after the expiry', () => {
    const ladder = ['1h', '2h', '3h'].map((at) => ({ after: at, remind: true as const }));
    expect(plan({ ladder, expire: { after: '2h' } }).steps.map(({ at }) => at)).toEqual([after('1h')]);
  });

  test('with keep-open has no expiry, and nothing next once its steps are taken', () => {
    const kept = plan({ ladder: [{ after: '1h', remind: true }], expire: { after: '2h', then: 'keep-open' } });
    expect(kept.expiresAt).toBeNull();
    expect(nextStepOf(kept, 1)).toBeNull();
    expect(stepAt(kept, 1)).toBeNull();
  });

  test('repeats its reminder after the last planned step', () => {
    const ladder = [
      { after: '1h', remind: true as const, every: '2h' },
      { after: '4h', escalate: ['role:lead'] },
    ];
    const repeating = plan({ ladder });
    expect(stepAt(repeating, 2)).toMatchObject({ at: after('6h'), do: 'remind' });
    expect(nextStepOf(repeating, 3)).toEqual({ at: after('8h'), do: 'remind', to: [] });
  });

  test('of any shape gives steps in order of time, and the expiry last', () => {
    const step = fc.record({
      minutes: fc.integer({ min: 1, max: 3000 }),
      every: fc.option(fc.integer({ min: 1, max: 500 })),
    });
    const shape = fc.record({
      steps: fc.array(step, { maxLength: 5 }),
      expire: fc.integer({ min: 1, max: 3000 }),
      kept: fc.boolean(),
    });
    fc.assert(
      fc.property(shape, ({ steps, expire, kept }) => {
        const ladder = steps.map(({ minutes, every }) => ({
          after: `${minutes}m`,
          remind: true as const,
          ...(every === null ? {} : { every: `${every}m` }),
        }));
        const planned = plan({ ladder, expire: { after: `${expire}m`, then: kept ? 'keep-open' : 'fail' } });
        let before = openedAt;
        for (let taken = 0; taken < 20; taken += 1) {
          const next = nextStepOf(planned, taken);
          if (next === null) return expect(kept).toBe(true);
          expect(next.at >= before).toBe(true);
          if (next.do === 'expire') return expect(next.at).toBe(planned.expiresAt);
          expect(planned.expiresAt === null || next.at < planned.expiresAt).toBe(true);
          expect(stepAt(planned, taken)).toMatchObject({ at: next.at, do: next.do });
          before = next.at;
        }
        return undefined;
      }),
      { numRuns: 200 },
    );
  });
});

describe('an audience', () => {
  const step = { at: openedAt, do: 'escalate' as const, to: ['role:lead', 'owner'], replace: false, everyMs: null };

  test('grows by an escalation, without doubles', () => {
    expect(audienceAfter(['owner', 'role:finance'], step)).toEqual(['owner', 'role:finance', 'role:lead']);
  });

  test('moves by an escalation that replaces', () => {
    expect(audienceAfter(['role:finance'], { ...step, replace: true })).toEqual(['role:lead', 'owner']);
  });

  test('stays as it is by a reminder', () => {
    expect(audienceAfter(['role:finance'], { ...step, do: 'remind' })).toEqual(['role:finance']);
  });
});
