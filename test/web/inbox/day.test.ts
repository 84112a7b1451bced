// The day next to the list: where a question lies on its strip, and of one's own requests for whom they wait.
import { describe, expect, test } from '@jest/globals';
import type { TaskView } from '../../../src/contract/tasks/task.ts';
import { awaitedOf, byAwaited } from '../../../web/src/hold/own/own-waiting.ts';
import { byAgent, goingOn } from '../../../web/src/inbox/day/day-facts.ts';
import { stripHours, stripMarks, timedOf } from '../../../web/src/inbox/day/strip-marks.ts';
import { amountWords, belowWords, namedWords, rowTitle } from '../../../web/src/hold/row/row-words.ts';
import { aRow } from './rows.ts';

const now = Date.parse('2026-11-20T16:10:00.000Z');
const at = (hours: number): string => new Date(now + hours * 3_600_000).toISOString();
const timed = (id: string, dueAt: string | null, climbsAt: string | null = null) => ({
  id,
  agent: 'expenses',
  dueAt,
  climbsAt,
});

describe('the strip of the next day', () => {
  test('the strip of the next day has a mark at each deadline, and another where the question goes on to others', () => {
    const { marks, rest } = stripMarks([timed('a', at(12), at(6)), timed('b', at(30)), timed('c', null)], now);
    expect(marks).toEqual([
      { id: 'a', agent: 'expenses', climbs: true, at: 0.25, level: 0 },
      { id: 'a', agent: 'expenses', climbs: false, at: 0.5, level: 0 },
    ]);
    expect(rest).toEqual([]);
  });

  test('the strip of the next day begins with what is overdue, and piles up what is due together as far as there is room, with the number of the others', () => {
    const { marks, rest } = stripMarks(
      Array.from({ length: 9 }, (_, n) => timed(`h-${n}`, at(-n))),
      now,
    );
    expect(marks.map(({ at: share, level }) => [share, level])).toEqual([0, 1, 2, 3].map((level) => [0, level]));
    expect(rest).toEqual([{ at: 0.5 / 24, count: 5 }]);
  });

  test('the strip of the next day names every third hour within it', () => {
    const hours = stripHours(now);
    expect(hours).toHaveLength(8);
    expect(hours.every(({ at: share, time }) => share > 0 && share <= 1 && new Date(time).getHours() % 3 === 0)).toBe(
      true,
    );
  });

  test('the strip of the next day takes a next step for one that goes on to others only where it escalates', () => {
    const step = { at: at(1), to: ['role:lead'] };
    expect(timedOf(aRow({ nextStep: { ...step, do: 'escalate' } })).climbsAt).toBe(step.at);
    expect(timedOf(aRow({ nextStep: { ...step, do: 'remind' } })).climbsAt).toBeNull();
  });
});

describe('below the strip', () => {
  test('below the strip are the agents that ask, the most first', () => {
    const rows = ['expenses', 'refunds', 'refunds'].map((agent) => aRow({ agent }));
    expect(byAgent(rows)).toEqual([
      ['refunds', 2],
      ['expenses', 1],
    ]);
    expect(byAgent([])).toEqual([]);
  });

  test('below the strip are those that go on to others within it, by when they do, and no reminder', () => {
    const step = (id: string, hours: number, what: 'escalate' | 'remind') =>
      aRow({ id, nextStep: { at: at(hours), do: what, to: ['role:lead'] } });
    const rows = [
      step('a', 5, 'escalate'),
      step('b', 1, 'remind'),
      step('c', 2, 'escalate'),
      step('d', 25, 'escalate'),
    ];
    expect(goingOn(rows, now).map((one) => [one.row.id, one.at, one.to])).toEqual([
      ['c', at(2), ['role:lead']],
      ['a', at(5), ['role:lead']],
    ]);
  });
});

const money = [
  { name: 'amount', value: 1661, role: 'amount' },
  { name: 'currency', value: 'EUR', role: 'currency' },
] as const;

describe('the column of amounts', () => {
  test('the column of amounts has how much a question is about, and its title does not repeat it', () => {
    const row = aRow({
      headline: 'Refund: Weber & Sons, 1,661, EUR',
      values: [{ name: 'to', value: 'Weber & Sons' }, ...money],
    });
    expect(amountWords(row)).toBe('€1,661.00');
    expect(rowTitle(row)).toBe('Refund: Weber & Sons');
    // Where there is no such column, the amount is written as in it.
    expect(namedWords(row)).toBe('Refund: Weber & Sons · €1,661.00');
  });

  test('the column of amounts is empty for a question about none, whose title stays whole', () => {
    const row = aRow({ headline: 'Delete: 12 files, today', values: [{ name: 'files', value: 12 }] });
    expect([amountWords(row), rowTitle(row)]).toEqual([null, 'Delete: 12 files, today']);
    expect(namedWords(row)).toBe('Delete: 12 files, today');
    // An amount that the headline does not repeat is in no need of a second place.
    const own = aRow({ headline: 'Pay invoice 4711, 1,840.00 EUR?', values: [...money] });
    expect(namedWords(own)).toBe('Pay invoice 4711, 1,840.00 EUR?');
  });

  test('a line says more below its title only where that alone tells nothing', () => {
    expect(belowWords(aRow({ headline: 'Pay 3?', title: 'Pay 3?', about: 'It is due.' }))).toBeNull();
    expect(belowWords(aRow({ headline: 'Go ahead?', title: 'Go ahead?', about: 'The web server is updated.' }))).toBe(
      'The web server is updated.',
    );
  });
});

test('of own requests those due first come first, with how many wait for whom', () => {
  const waiting = (holdId: string, audience: string[], expiresAt: string | null) => ({
    holdId,
    headline: holdId,
    audience,
    exclude: ['requester'],
    claimedBy: null,
    openedAt: at(-1),
    expiresAt,
  });
  const [financeOrBob, finance] = [['role:finance', 'user:bob'], ['role:finance']];
  const tasks = [
    { agent: 'refunds', owner: 'rita', waiting: [waiting('a', ['role:finance', 'role:lead', 'owner'], null)] },
    { agent: 'expenses', owner: 'bob', waiting: [waiting('b', financeOrBob, at(2)), waiting('c', finance, at(1))] },
  ] as unknown as TaskView[];
  const own = awaitedOf(tasks);
  expect(own.map(({ holdId }) => holdId)).toEqual(['c', 'b', 'a']);
  // Neither rita nor bob may decide what they asked for themselves.
  expect(byAwaited(own)).toEqual([
    { entry: 'role:finance', count: 3 },
    { entry: 'role:lead', count: 1 },
  ]);
});
