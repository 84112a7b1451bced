import { describe, expect, test } from '@jest/globals';
import { clockOf, daysAndHours } from '../../../src/core/policy/days-and-hours.ts';

const at = (iso: string): number => Date.parse(iso);
const quarter = (iso: string, change: object = {}) => ({
  quarter: at(iso) / 900_000,
  asked: 0,
  approved: 0,
  answered: 0,
  refused: 0,
  expired: 0,
  other: 0,
  ...change,
});

describe('a quarter of an hour', () => {
  // Promise S54
  test('a quarter of an hour is at the day and the hour of the reader’s clocks', () => {
    const found = [quarter('2026-11-22T23:30:00.000Z', { asked: 1, approved: 2, refused: 1, expired: 1 })];
    const now = at('2026-11-23T12:00:00.000Z');
    const berlin = daysAndHours(found, 'Europe/Berlin', now, 2);
    expect(berlin.volume).toEqual([
      { day: '2026-11-22', approved: 0, answered: 0, refused: 0, expired: 0, other: 0 },
      { day: '2026-11-23', approved: 2, answered: 0, refused: 1, expired: 1, other: 0 },
    ]);
    expect(berlin.hours).toEqual([{ weekday: 1, hour: 0, asked: 1, answered: 3 }]);
    expect(daysAndHours(found, 'UTC', now, 2).hours).toEqual([{ weekday: 7, hour: 23, asked: 1, answered: 3 }]);
    // Offset by a quarter of an hour.
    expect(clockOf('Asia/Kathmandu')(at('2026-11-22T18:15:00.000Z'))).toMatchObject({ hour: 0, weekday: 1 });
  });

  test.each(['2026-03-29T12:00:00.000Z', '2026-10-25T00:30:00.000Z', '2026-01-01T23:59:00.000Z'])(
    'a quarter of an hour has every day of the window once, also where clocks change (%s)',
    (now) => {
      for (const zone of ['Europe/Berlin', 'Pacific/Kiritimati', 'America/Los_Angeles', 'UTC']) {
        const days = daysAndHours([], zone, at(now), 90).volume.map(({ day }) => day);
        expect(days).toHaveLength(90);
        expect(new Set(days).size).toBe(90);
        expect(days.toSorted()).toEqual(days);
        expect(days.at(-1)).toBe(clockOf(zone)(at(now)).day);
      }
    },
  );
});
