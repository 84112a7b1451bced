// Stages that come one after the other, under a calendar: the ladder of each counts office hours from the moment it is asked.
import { describe, expect, test } from '@jest/globals';
import { PolicySchema, type LadderPlan } from '../../../src/contract/configuration/policy.ts';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import { atStage } from '../../../src/core/consent/stage.ts';
import { afterHours, openTimeBetween, windowsUntil } from '../../../src/core/policy/calendar.ts';
import { nextRepeat, nextStepOf, planLadder, stepAt, withRepeat } from '../../../src/core/policy/ladder.ts';
import { createCalendars } from '../../../src/host/calendar/calendar.ts';
import { aHold, aQuestion } from '../../rigs/factories.ts';
import { fc, runs } from '../../rigs/properties.ts';

const windowsOf = createCalendars();
const [minuteMs, dayMs] = [60_000, 86_400_000];
const iso = (ms: number): string => new Date(ms).toISOString();
const question = aQuestion({
  kind: 'confirmation',
  schema: { type: 'object', properties: { approved: { type: 'boolean' } } },
});

/** Over a night, a weekend, a change to summer time, and holidays. */
const calendars = [
  { zone: 'Europe/Berlin', hours: 'Mon-Fri 09:00-17:30', holidays: 'DE-BY' },
  { zone: 'America/New_York', hours: 'Mon-Fri 08:00-12:00, 13:00-18:00, Sat 10:00-12:00' },
  { zone: 'Asia/Kolkata', hours: 'Mon-Sun 22:00-24:00, Mon-Sun 00:00-06:00' },
];
const openedMs = Date.parse('2026-03-20T10:00:00Z');

type Ladder = { after: string; remind?: true; every?: string; escalate?: string[] }[];

function planned(calendar: (typeof calendars)[number], ladders: Ladder[], atMs = openedMs): LadderPlan {
  const stages = ladders.map((ladder, at) => ({ name: `s${at}`, audience: [`role:r${at}`], ladder }));
  const policy = PolicySchema.parse({ stages, calendar, expire: { after: '60d', clock: 'wall' } });
  return planLadder('p', policy, iso(atMs), null, { windowsFrom: windowsOf(calendar) });
}

/** The question as its stages from the first to this one had agreed at these moments. */
function asked(plan: LadderPlan, atMs: readonly number[]): Hold {
  const first = aHold({
    question,
    plan,
    audience: ['role:r0'],
    expiresAt: plan.expiresAt,
    nextStep: nextStepOf(plan, 0),
  });
  return atMs.reduce<Hold>((hold, ms, at) => {
    const vote = {
      by: `u${at}`,
      at: iso(ms),
      values: { approved: true },
      reason: null,
      fingerprint: 'yes',
      stages: [at],
    };
    const votes = [
      ...hold.votes,
      { ...vote, source: 'page' as const, seenDigest: null, credential: null, actor: null },
    ];
    return atStage({ ...hold, votes }, iso(ms));
  }, first);
}
const stepsOf = (plan: LadderPlan, stage: number) =>
  plan.steps.filter((step) => step.stage === stage).map(({ at, do: what, to }) => ({ at, do: what, to }));

const ladders = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 * 24 * 2 }), { minLength: 1, maxLength: 4 })
  .map((minutes): Ladder =>
    minutes
      .toSorted((a, b) => a - b)
      .map((one, at) =>
        at % 2 === 0 ? { after: `${one}m`, remind: true } : { after: `${one}m`, escalate: ['role:x'] },
      ),
  );
const moments = fc
  .array(fc.integer({ min: 1, max: 10 * 24 * 60 }), { minLength: 1, maxLength: 3 })
  .map((gaps) => gaps.map((_, at) => openedMs + minuteMs * gaps.slice(0, at + 1).reduce((sum, one) => sum + one, 0)));

// Promise PO9
describe('a stage that is asked later', () => {
  test('a stage that is asked later has the times of a question that opens at that moment, whatever its calendar', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...calendars),
        moments,
        fc.array(ladders, { minLength: 4, maxLength: 4 }),
        (calendar, at, all) => {
          const hold = asked(planned(calendar, all), at);
          const last = at.length;
          const alone = planned(calendar, [all[last] ?? [], []], at.at(-1));
          expect(stepsOf(hold.plan, last)).toEqual(stepsOf(alone, 0));
          expect(hold.nextStep?.at).toBe(alone.steps[0]?.at);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test('a reminder of a later stage repeats in its office hours, and none of an earlier one does', () => {
    const [calendar] = calendars as [(typeof calendars)[number]];
    const plan = planned(calendar, [
      [{ after: '1h', remind: true, every: '1h' }],
      [{ after: '8h', remind: true, every: '510m' }],
    ]);
    const friday = Date.parse('2026-03-27T15:00:00Z');
    const hold = asked(plan, [friday]);
    // An hour and a half of Friday is left; on Sunday summer time begins.
    expect(hold.nextStep).toEqual({ at: '2026-03-30T13:30:00.000Z', do: 'remind', to: [] });
    const index = hold.stepsTaken;
    const repeat = nextRepeat(hold.plan, index, hold.nextStep?.at ?? '', windowsOf(calendar));
    expect(repeat).toBe('2026-03-31T13:30:00.000Z');
    const after = withRepeat(hold.plan, index + 1, repeat);
    expect(nextStepOf(after, index + 1)).toMatchObject({ at: repeat, do: 'remind' });
    expect(stepAt(after, index + 1)).toMatchObject({ stage: 1 });
  });

  test('a plan knows its hours until a month after its end, of one without an end at most 260 windows', () => {
    for (const calendar of calendars) {
      const { stages, expiresAt } = planned(calendar, [[], [{ after: '1h', remind: true }]]);
      const hours = stages?.hours ?? [];
      expect(hours.length).toBeLessThanOrEqual(260);
      const lastMs = hours.at(-1)?.[1] ?? 0;
      expect(lastMs).toBeGreaterThan(Math.min(Date.parse(expiresAt ?? ''), openedMs + 70 * dayMs));
    }
    const [calendar] = calendars as [(typeof calendars)[number]];
    expect(planned(calendar, [[], []]).stages).not.toHaveProperty('hours');
  });

  test('the first stage, asked once more as a vote is taken back, has the times of a question that opens at that moment', () => {
    fc.assert(
      fc.property(fc.constantFrom(...calendars), moments, ladders, (calendar, [ms = openedMs], ladder) => {
        const hold = asked(planned(calendar, [ladder, []]), [openedMs + minuteMs]);
        const again = atStage({ ...hold, votes: [] }, iso(ms));
        const alone = planned(calendar, [ladder, []], ms);
        expect(stepsOf(again.plan, 0)).toEqual(stepsOf(alone, 0));
        expect(again.nextStep?.at).toBe(alone.steps[0]?.at);
      }),
      { numRuns: runs(200) },
    );
  });
});

// Promise PO2
test('time counts by the windows that are known, and by all hours after the last of them', () => {
  const windowsFrom = windowsOf(calendars[0] as (typeof calendars)[number]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 * 24 * 60 }), fc.integer({ min: 1, max: 80 * 60 }), (fromMin, openMin) => {
      const known = windowsUntil(windowsFrom, openedMs, openedMs + 30 * dayMs, 260);
      const endMs = known.at(-1)?.toMs ?? 0;
      const fromMs = openedMs + fromMin * minuteMs;
      const at = afterHours(known, fromMs, openMin * minuteMs);
      const open = openTimeBetween((ms) => known.filter(({ toMs }) => toMs > ms), fromMs, at);
      expect(open + Math.max(0, at - Math.max(endMs, fromMs))).toBe(openMin * minuteMs);
    }),
    { numRuns: runs(200) },
  );
});
