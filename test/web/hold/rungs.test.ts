import { expect, test } from '@jest/globals';
import type { LadderStepView } from '../../../src/contract/holds/ladder.ts';
import { type Climbing, rungsOf } from '../../../web/src/hold/ladder/rungs.ts';
import { fc } from '../../rigs/properties.ts';

const at = (minutes: number): string => new Date(Date.UTC(2026, 10, 28, 14, minutes)).toISOString();
const step = (minutes: number, change: Partial<LadderStepView> = {}): LadderStepView => ({
  at: at(minutes),
  do: 'remind',
  to: [],
  replace: false,
  doneAt: null,
  ...change,
});
const hold: Climbing = {
  openedAt: at(0),
  audience: ['role:finance', 'role:lead'],
  then: 'fail',
  ladder: [
    step(10, { doneAt: at(10) }),
    step(20, { do: 'escalate', to: ['role:lead'], doneAt: at(20) }),
    step(60, { do: 'expire' }),
  ],
};

// Promise S51
test('the steps of a question begin with whom it asked first, and end with its time', () => {
  const { rungs } = rungsOf(hold, Date.parse(at(30)));
  expect(rungs.map(({ kind, to }) => [kind, to])).toEqual([
    ['asked', ['role:finance']],
    ['remind', []],
    ['escalate', ['role:lead']],
    ['end', []],
  ]);
});

test('the present is behind the last step that was done, by how much of the time to the next is gone', () => {
  const { rungs, here } = rungsOf(hold, Date.parse(at(30)));
  expect(here).toBe(2);
  expect(rungs.map(({ gone }) => gone)).toEqual([1, 1, 0.25, 0]);
});

test('those who were asked first are not named where others took their place', () => {
  const taken = { ...hold, ladder: [step(20, { do: 'escalate', to: ['role:lead'], replace: true, doneAt: at(20) })] };
  expect(rungsOf(taken, Date.parse(at(30))).rungs[0]?.to).toEqual([]);
});

test('reminders that follow each other are one step, and a question without an end has an end without a time', () => {
  const ladder = [step(10, { doneAt: at(10) }), step(20, { doneAt: at(20) }), step(30)];
  const { rungs } = rungsOf({ ...hold, ladder }, Date.parse(at(25)));
  expect(rungs.map(({ kind, times, at: when }) => [kind, times, when])).toEqual([
    ['asked', 1, at(0)],
    ['remind', 2, at(20)],
    ['remind', 1, at(30)],
    ['end', 1, null],
  ]);
});

test('the present of any question is on its way, never before its beginning nor behind its end', () => {
  const steps: fc.Arbitrary<LadderStepView[]> = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 59 }).map(at),
      do: fc.constantFrom('remind' as const, 'escalate' as const, 'expire' as const),
      to: fc.subarray(['role:lead', 'user:ana']),
      replace: fc.boolean(),
      doneAt: fc.option(fc.integer({ min: 0, max: 59 }).map(at)),
    }),
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: -60, max: 600 }), (ladder, minutes) => {
      const { rungs, here } = rungsOf({ ...hold, ladder }, Date.parse(at(minutes)));
      expect(rungs[here]).toBeDefined();
      expect(rungs.every(({ gone }) => gone >= 0 && gone <= 1)).toBe(true);
      expect(rungs.slice(here + 1).every(({ gone }) => gone === 0)).toBe(true);
    }),
  );
});
