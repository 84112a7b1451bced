// Where the parts of pictures lie: lanes of a task, amounts on a line, and what is too little for a picture.
import { describe, expect, test } from '@jest/globals';
import { amountDots } from '../../web/src/hold/record/amount-dots.ts';
import { sumOf } from '../../web/src/history/day-ends.ts';
import { between, dayBars, drawnDays } from '../../web/src/history/history-days.ts';
import { hasHoursPicture, hasVolumePicture } from '../../web/src/overview/chart-math.ts';
import { hasWaitPicture, waitBands } from '../../web/src/overview/wait-bands.ts';
import { inTimePercent } from '../../web/src/operate/aim-share.ts';
import { lanesOf } from '../../web/src/task/lanes.ts';
import { fc } from '../rigs/properties.ts';

const minute = 60_000;
const begin = Date.UTC(2026, 10, 28, 14);
const at = (minutes: number): string => new Date(begin + minutes * minute).toISOString();
type Entries = Parameters<typeof lanesOf>[0];
const entry = (minutes: number, what: Entries[number]['what'], holdId: string | null = 'h'): Entries[number] => ({
  at: at(minutes),
  what,
  holdId,
});

describe('the lanes of a task', () => {
  // Promise S77
  test('the lanes of a task are true to scale: its agent works but where at least one question is open', () => {
    const entries = [
      entry(10, 'hold.opened', 'a'),
      entry(20, 'hold.opened', 'b'),
      entry(30, 'hold.ended', 'a'),
      entry(60, 'hold.ended', 'b'),
    ];
    expect(lanesOf(entries, begin, begin + 100 * minute)).toEqual({
      spans: [
        { lane: 'agent', from: 0, to: 0.1 },
        { lane: 'people', from: 0.1, to: 0.6 },
        { lane: 'agent', from: 0.6, to: 1 },
      ],
      ticks: [],
      workedMs: 50 * minute,
      waitedMs: 50 * minute,
    });
  });

  test('the lanes of a task end with what is open still, and have a tick for each step and move', () => {
    const entries = [entry(10, 'hold.opened'), entry(20, 'hold.step'), entry(30, 'hold.nudged')];
    expect(lanesOf(entries, begin, begin + 40 * minute)).toMatchObject({
      spans: [{ lane: 'agent' }, { lane: 'people', from: 0.25, to: 1 }],
      ticks: [
        { at: 0.5, kind: 'step' },
        { at: 0.75, kind: 'move' },
      ],
    });
    expect(lanesOf([], begin, begin)).toBeNull();
  });

  test('the lanes of a task fill all of its time, without a gap, whatever its timeline says', () => {
    const one = fc.record({
      at: fc.integer({ min: -20, max: 200 }).map(at),
      what: fc.constantFrom('hold.opened' as const, 'hold.ended' as const, 'hold.step' as const, 'status' as const),
      holdId: fc.constantFrom('a', 'b', null),
    });
    fc.assert(
      fc.property(fc.array(one), (entries) => {
        const drawn = lanesOf(entries, begin, begin + 100 * minute);
        let end = 0;
        for (const { from, to } of drawn?.spans ?? []) {
          expect(from).toBeCloseTo(end);
          expect(to).toBeGreaterThan(from);
          end = to;
        }
        expect(end).toBeCloseTo(1);
        expect((drawn?.workedMs ?? 0) + (drawn?.waitedMs ?? 0)).toBeCloseTo(100 * minute, -2);
      }),
    );
  });
});

describe('amounts on a line', () => {
  test('amounts on a line begin at nought, and this one is marked among them, wherever it lies', () => {
    const { dots, here, middle } = amountDots({ value: 200, recent: [50, 100], median: 75 });
    expect(dots).toEqual([
      { at: 0.25, level: 0 },
      { at: 0.5, level: 0 },
    ]);
    expect([here, middle]).toEqual([1, 0.375]);
  });

  test('amounts on a line that are alike are above one another', () => {
    expect(amountDots({ value: 10, recent: [10, 10, 10], median: 10 }).dots.map(({ level }) => level)).toEqual([
      0, 1, 2,
    ]);
  });

  test('amounts on a line lie within it, those below nought too', () => {
    const amounts = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { maxLength: 20 });
    fc.assert(
      fc.property(amounts, fc.double({ noNaN: true, min: -1e9, max: 1e9 }), (recent, value) => {
        const { dots, here } = amountDots({ value, recent, median: value });
        for (const share of [here, ...dots.map((dot) => dot.at)]) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

test.each([
  [{ total: 212, late: 2 }, 99],
  [{ total: 2_000, late: 1 }, 99.9],
  [{ total: 100_000, late: 1 }, 99.9],
  [{ total: 1_000, late: 426 }, 57.4],
  [{ total: 99, late: 0 }, 100],
  [{ total: 3, late: 3 }, 0],
  [{ total: 0, late: 0 }, null],
])('the bar of an aim is how much was in time, and what is late is never rounded away: %j', (figures, percent) => {
  expect(inTimePercent(figures)).toBe(percent);
});

describe('few data', () => {
  const none = { approved: 0, answered: 0, refused: 0, expired: 0, other: 0 };

  test('few data are a list: two days with an end, or five hours with a question, are no picture', () => {
    const days = (n: number) => Array.from({ length: 30 }, (_, day) => ({ ...none, approved: day < n ? 1 : 0 }));
    expect([2, 3].map((n) => hasVolumePicture(days(n)))).toEqual([false, true]);
    const hours = (n: number) => Array.from({ length: n }, (_, hour) => ({ weekday: 1, hour, asked: 1, answered: 0 }));
    expect([5, 6].map((n) => hasHoursPicture({ hours: hours(n) }))).toEqual([false, true]);
  });
});

describe('who waits on whom', () => {
  const waits = {
    byAgent: [
      { agent: 'expenses', policy: 'finance', count: 3, overdue: 1 },
      { agent: 'refunds', policy: 'finance', count: 1, overdue: 0 },
    ],
    byEntry: [
      { policy: 'finance', entry: 'role:finance', count: 4, overdue: 1 },
      { policy: 'finance', entry: 'role:lead', count: 2, overdue: 1 },
    ],
  };

  test('who waits on whom is a column each of agents, policies and those asked, the most first, with what is overdue', () => {
    const { nodes } = waitBands(waits);
    expect(nodes.map(({ column, name, count, overdue }) => [column, name, count, overdue])).toEqual([
      [0, 'expenses', 3, 1],
      [0, 'refunds', 1, 0],
      [1, 'finance', 4, 1],
      [2, 'role:finance', 4, 1],
      [2, 'role:lead', 2, 1],
    ]);
    expect(hasWaitPicture(waits)).toBe(true);
    expect(hasWaitPicture({ ...waits, byEntry: [] })).toBe(false);
  });

  test('who waits on whom has bands that fill their nodes, and lie within the picture, whatever is open', () => {
    const count = fc.integer({ min: 1, max: 1_000 });
    const some = fc.constantFrom('a', 'b', 'c', 'd');
    const byAgent = fc.uniqueArray(fc.record({ agent: some, policy: some, count, overdue: fc.constant(0) }), {
      selector: ({ agent, policy }) => `${agent} ${policy}`,
      minLength: 1,
    });
    fc.assert(
      fc.property(byAgent, (rows) => {
        const byEntry = rows.map(({ agent, policy, ...counts }) => ({ policy, entry: agent, ...counts }));
        const { nodes, bands } = waitBands({ byAgent: rows, byEntry });
        for (const { from, to } of nodes) expect(from >= 0 && to <= 1.0001 && to > from).toBe(true);
        for (const column of [0, 1] as const) {
          const heightOf = (all: [number, number][]): number => all.reduce((sum, [from, to]) => sum + to - from, 0);
          const left = nodes.filter((node) => node.column === column);
          const leaving = bands.filter((band) => band.column === column).map(({ leaves }) => leaves);
          expect(heightOf(leaving)).toBeCloseTo(heightOf(left.map(({ from, to }) => [from, to])));
        }
      }),
    );
  });
});

describe('the days above the history', () => {
  const none = { approved: 0, answered: 0, refused: 0, expired: 0, other: 0 };

  test('the days above the history are the last thirty-one up to the last one searched for, those without an end too', () => {
    const shown = drawnDays({ to: '2026-11-28' }, begin);
    expect(shown).toEqual({ from: '2026-10-29', to: '2026-11-28' });
    const items = ['2026-11-01', '2026-11-02', '2026-11-28'].map((day) => ({ day, ...none, approved: 1 }));
    const bars = dayBars(items, shown) ?? [];
    expect(bars).toHaveLength(31);
    expect([bars[0]?.day, bars.at(-1)?.day, bars.filter((bar) => sumOf(bar) > 0).length]).toEqual([
      '2026-10-29',
      '2026-11-28',
      3,
    ]);
    expect(dayBars(items.slice(0, 2), shown)).toBeNull();
  });

  test('the days above the history that a drag goes over are those between, from wherever it begins', () => {
    const days = { from: '2026-11-02', to: '2026-11-09' };
    expect([between('2026-11-09', '2026-11-02'), between('2026-11-02', '2026-11-09')]).toEqual([days, days]);
  });
});
