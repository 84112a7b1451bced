import { describe, expect, test } from '@jest/globals';
import type * as z from 'zod';
import { PolicySchema, type LadderPlan } from '../../../src/contract/configuration/policy.ts';
import {
  afterOpenTime,
  openTimeBetween,
  type OpenWindow,
  type WindowsFrom,
} from '../../../src/core/policy/calendar.ts';
import { durationMs } from '../../../src/core/policy/duration.ts';
import {
  audienceAfter,
  nextRepeat,
  nextStepOf,
  planLadder,
  stepAt,
  withPeople,
  withRepeat,
} from '../../../src/core/policy/ladder.ts';
import { fingerprintOf } from '../../../src/host/secrets/hash.ts';
import { after, openedAt } from '../../rigs/factories.ts';
import { fc, runs } from '../../rigs/properties.ts';

/** With windows it has a calendar; which one is of no matter here, since the windows are lent. */
const plan = (policy: z.input<typeof PolicySchema>, windowsFrom?: WindowsFrom): LadderPlan => {
  const office = windowsFrom === undefined ? policy : { ...policy, calendar };
  return planLadder('finance', PolicySchema.parse(office), openedAt, { city: 'Bonn' }, { windowsFrom });
};
const calendar = { zone: 'Europe/Berlin', hours: 'Mon-Sun 00:00-24:00' };

/** Times of the steps of a plan as they are taken, each a while late; at most so many. */
function walk(
  first: LadderPlan,
  windowsFrom: WindowsFrom | undefined,
  lateMs: number[],
): { at: string; now: string }[] {
  let current = first;
  const taken: { at: string; now: string }[] = [];
  for (const [index, ms] of lateMs.entries()) {
    const next = nextStepOf(current, index);
    if (next === null || next.do === 'expire') break;
    const now = new Date(Date.parse(next.at) + ms).toISOString();
    taken.push({ at: next.at, now });
    current = withRepeat(current, index + 1, nextRepeat(current, index, now, windowsFrom));
  }
  return taken;
}

describe('a ladder', () => {
  // Promise C1
  test('a ladder is planned once, in absolute times, in order', () => {
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
      supervisors: [],
      then: 'reject',
      exclude: ['requester'],
      defaults: { city: 'Bonn' },
      quorum: 1,
      clock: 'wall',
      danger: false,
      requireDigest: false,
      reassign: 'within',
      among: ['owner', 'role:lead'],
      notify: [],
    });
  });

  test('a ladder carries what else its policy asks for: quorum, danger and channels', () => {
    expect(plan({ quorum: 2, danger: true, notify: ['mail', 'chat', 'mail'] })).toMatchObject({
      quorum: 2,
      danger: true,
      notify: ['mail', 'chat'],
    });
  });

  test('a ladder names the channels of those it asks first, and of those a step asks later at that step', () => {
    const ladder = [{ after: '1h', escalate: ['user:lena', 'user:anna'] }];
    const policy = PolicySchema.parse({ audience: ['user:anna'], ladder, notify: ['chat'] });
    const channelsOf = (entries: string[]): string[] => entries.map((entry) => `${entry.slice('user:'.length)}s`);
    const planned = planLadder('finance', policy, openedAt, null, { channelsOf });
    expect(planned.notify).toEqual(['chat', 'annas']);
    expect(planned.steps[0]?.notify).toEqual(['lenas']);
  });

  // Promise CO14
  test('a ladder that is not written expires after a day, and fails', () => {
    expect(plan({})).toMatchObject({ steps: [], expiresAt: after('24h'), then: 'fail' });
    expect(nextStepOf(plan({}), 0)).toEqual({ at: after('24h'), do: 'expire', to: [] });
  });

  test('a ladder leaves out steps that would come at or after the expiry', () => {
    const ladder = ['1h', '2h', '3h'].map((at) => ({ after: at, remind: true as const }));
    expect(plan({ ladder, expire: { after: '2h' } }).steps.map(({ at }) => at)).toEqual([after('1h')]);
  });

  test('a ladder with keep-open has no expiry but a time from which it is overdue, and nothing next once its steps are taken', () => {
    const kept = plan({ ladder: [{ after: '1h', remind: true }], expire: { after: '2h', then: 'keep-open' } });
    expect(kept).toMatchObject({ expiresAt: null, overdueAt: after('2h') });
    expect(nextStepOf(kept, 1)).toBeNull();
    expect(stepAt(kept, 1)).toBeNull();
  });

  test('a ladder repeats its reminder after the last planned step', () => {
    const ladder = [
      { after: '1h', remind: true as const, every: '2h' },
      { after: '4h', escalate: ['role:lead'] },
    ];
    const repeating = plan({ ladder });
    expect(stepAt(repeating, 2)).toMatchObject({ at: after('6h'), do: 'remind' });
    expect(nextStepOf(repeating, 3)).toEqual({ at: after('8h'), do: 'remind', to: [] });
  });

  test('a ladder of any shape gives steps in order of time, and the expiry last', () => {
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
      { numRuns: runs(200) },
    );
  });
});

/** Open for an hour each, from two hours after `openedAt` on, every four hours. */
function* shifts(ms: number): Generator<OpenWindow, void> {
  const firstMs = Date.parse(after('2h'));
  const index = Math.max(0, Math.floor((ms - firstMs) / durationMs('4h')));
  for (let fromMs = firstMs + index * durationMs('4h'); ; fromMs += durationMs('4h')) {
    const window = { fromMs, toMs: fromMs + durationMs('1h') };
    if (window.toMs > ms) yield window;
  }
}
const isInShift = (at: string): boolean =>
  (Date.parse(at) - Date.parse(after('2h'))) % durationMs('4h') <= durationMs('1h');

describe('a ladder with a calendar', () => {
  const remind = true as const;

  test('a ladder with a calendar counts its steps and its expiry in opening hours', () => {
    const planned = plan({ ladder: [{ after: '30m', remind }], expire: { after: '90m' } }, shifts);
    expect(planned.steps.map(({ at }) => at)).toEqual([after('150m')]);
    expect(planned).toMatchObject({ expiresAt: after('390m'), clock: 'business' });
  });

  // Promise P23
  test('a ladder with a calendar spreads deadlines of one moment evenly over the span of its policy, and never earlier', () => {
    const policy = PolicySchema.parse({ calendar, expire: { after: '90m', spread: '1m' } });
    const expiryOf = (id: string): number => {
      const setting = { windowsFrom: shifts, idDigest: fingerprintOf(id) };
      return Date.parse(planLadder('office', policy, openedAt, null, setting).expiresAt ?? '');
    };
    const due = Date.parse(after('390m'));
    const ids = Array.from({ length: 600 }, (_, index) => `hold-${index}`);
    const late = ids.map((id) => expiryOf(id) - due);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...late)).toBeLessThanOrEqual(60_000);
    const inTenth = (tenth: number): number => late.filter((ms) => Math.floor(ms / 6_000) === tenth).length;
    for (let tenth = 0; tenth < 10; tenth += 1) expect([tenth, inTenth(tenth) > 30]).toEqual([tenth, true]);
    expect(ids.map((id) => expiryOf(id) - due)).toEqual(late);
    expect(plan({ expire: { after: '90m', spread: '1m' } }, shifts).expiresAt).toBe(after('390m'));
  });

  test('a ladder with a calendar counts its expiry in all hours where the policy says wall', () => {
    const ladder = ['30m', '90m'].map((at) => ({ after: at, remind }));
    const planned = plan({ ladder, expire: { after: '4h', clock: 'wall' } }, shifts);
    expect(planned).toMatchObject({ expiresAt: after('4h'), clock: 'wall' });
    expect(planned.steps.map(({ at }) => at)).toEqual([after('150m')]);
  });

  test('a ladder with a calendar repeats its reminder in opening hours, each time found when the one before is given', () => {
    const planned = plan({ ladder: [{ after: '1h', remind, every: '1h' }], expire: { after: '4h' } }, shifts);
    expect(planned.steps.map(({ at }) => at)).toEqual([after('3h')]);
    // Until it is found, what is known to come is the expiry.
    expect(nextStepOf(planned, 1)).toEqual({ at: after('15h'), do: 'expire', to: [] });
    const found = withRepeat(planned, 1, nextRepeat(planned, 0, after('3h'), shifts));
    expect(nextStepOf(found, 1)).toEqual({ at: after('7h'), do: 'remind', to: [] });
    expect(walk(planned, shifts, [0, 0, 0, 0, 0]).map(({ at }) => at)).toEqual([
      after('3h'),
      after('7h'),
      after('11h'),
    ]);
  });

  // Promise PO7
  test('a ladder with a calendar and keep-open reminds for ever', () => {
    const kept = plan(
      { ladder: [{ after: '1h', remind, every: '1h' }], expire: { after: '1h', then: 'keep-open' } },
      shifts,
    );
    const times = walk(
      kept,
      shifts,
      Array.from({ length: 3000 }, () => 0),
    ).map(({ at }) => at);
    expect(times).toHaveLength(3000);
    expect(times.at(-1)).toBe(after(`${3 + 4 * 2999}h`));
  });

  // Promise PO7
  test('a ladder with a calendar reminds once after whatever downtime, and then at its times again', () => {
    const shape = fc.record({
      every: fc.integer({ min: 1, max: 3000 }),
      lateMs: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 * 86_400_000 })), {
        minLength: 3,
        maxLength: 12,
      }),
      isOffice: fc.boolean(),
    });
    fc.assert(
      fc.property(shape, ({ every, lateMs, isOffice }) => {
        const windows = isOffice ? shifts : undefined;
        const kept = plan(
          { ladder: [{ after: '1h', remind, every: `${every}m` }], expire: { after: '1h', then: 'keep-open' } },
          windows,
        );
        const taken = walk(isOffice ? kept : { ...kept, repeats: { calendar, next: null } }, windows, lateMs);
        expect(taken).toHaveLength(lateMs.length);
        for (const [index, { at, now }] of taken.entries()) {
          const next = taken[index + 1];
          if (next === undefined) continue;
          // Nothing that is past already, and the very first of its times that is not.
          expect(next.at > now).toBe(true);
          const apartMs = isOffice
            ? openTimeBetween(shifts, Date.parse(at), Date.parse(next.at))
            : Date.parse(next.at) - Date.parse(at);
          expect(apartMs % (every * 60_000)).toBe(0);
          const passedMs = isOffice
            ? openTimeBetween(shifts, Date.parse(at), Date.parse(now))
            : Date.parse(now) - Date.parse(at);
          expect(apartMs - passedMs).toBeLessThanOrEqual(every * 60_000);
          if (isOffice) expect(isInShift(next.at)).toBe(true);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  // Promise PO1
  test('a ladder with a calendar of any shape gives steps in order, in opening hours, each at its time, and the expiry last', () => {
    const shape = fc.record({
      steps: fc.uniqueArray(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 }),
      every: fc.option(fc.integer({ min: 1, max: 500 })),
      expire: fc.integer({ min: 1, max: 3000 }),
      clock: fc.constantFrom('wall' as const, 'business' as const),
    });
    fc.assert(
      fc.property(shape, ({ steps, every, expire, clock }) => {
        const ladder = steps.map((minutes) => ({
          after: `${minutes}m`,
          remind,
          ...(every === null ? {} : { every: `${every}m` }),
        }));
        const planned = plan({ ladder, expire: { after: `${expire}m`, clock } }, shifts);
        const times = planned.steps.map(({ at }) => at);
        expect(times.toSorted()).toEqual(times);
        expect(new Set(times).size).toBe(times.length);
        expect(times.every(isInShift)).toBe(true);
        expect(times.every((at) => at < (planned.expiresAt ?? ''))).toBe(true);
        if (clock === 'business') expect(isInShift(planned.expiresAt ?? '')).toBe(true);
        for (const minutes of steps) {
          const at = new Date(afterOpenTime(shifts, Date.parse(openedAt), minutes * 60_000) ?? 0).toISOString();
          expect(times.includes(at)).toBe(at < (planned.expiresAt ?? ''));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  // Promise PO4
  test('a ladder with a calendar whose windows are all hours is the ladder without one', () => {
    const always: WindowsFrom = () => [{ fromMs: 0, toMs: Date.parse('2100-01-01T00:00:00Z') }];
    const policy = { ladder: [{ after: '1h', remind }], expire: { after: '3d' } };
    expect({ ...plan(policy, always), clock: 'wall' }).toEqual(plan(policy));
  });
});

describe('an audience', () => {
  const step = { at: openedAt, do: 'escalate' as const, to: ['role:lead', 'owner'], replace: false, everyMs: null };

  test('an audience grows by an escalation, without doubles', () => {
    expect(audienceAfter(['owner', 'role:finance'], step)).toEqual(['owner', 'role:finance', 'role:lead']);
  });

  test('an audience moves by an escalation that replaces', () => {
    expect(audienceAfter(['role:finance'], { ...step, replace: true })).toEqual(['role:lead', 'owner']);
  });

  test('an audience of agents alone is the operators’ as well, since agents may fail', () => {
    expect(withPeople(['agent:judge'])).toEqual(['agent:judge', 'role:operator']);
    expect(withPeople(['agent:judge', 'user:anna'])).toEqual(['agent:judge', 'user:anna']);
    const moved = audienceAfter(['role:finance'], { ...step, to: ['agent:judge'], replace: true });
    expect(moved).toEqual(['agent:judge', 'role:operator']);
  });

  test('an audience stays as it is by a reminder', () => {
    expect(audienceAfter(['role:finance'], { ...step, do: 'remind' })).toEqual(['role:finance']);
  });
});
