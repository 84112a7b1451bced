import { describe, expect, test } from '@jest/globals';
import type { Calendar } from '../../../src/contract/configuration/policy.ts';
import { afterOpenTime, type WindowsFrom } from '../../../src/core/policy/calendar.ts';
import { createCalendars, readCalendar } from '../../../src/host/calendar/calendar.ts';
import { readHours } from '../../../src/host/calendar/opening-hours.ts';
import { fc, runs } from '../../rigs/properties.ts';

const windowsOf = createCalendars();
const office = (zone: string, more: Partial<Calendar> = {}): WindowsFrom =>
  windowsOf({ zone, hours: 'Mon-Fri 09:00-17:30', ...more });
const hour = 3_600_000;
const afterHours = (windows: WindowsFrom, from: string, hours: number): string | null => {
  const at = afterOpenTime(windows, Date.parse(from), hours * hour);
  return at === null ? null : new Date(at).toISOString();
};
/** Windows of a stretch, `from/to` in UTC without seconds. */
const windowsIn = (windows: WindowsFrom, from: string, to: string): string[] => {
  const found: string[] = [];
  for (const { fromMs, toMs } of windows(Date.parse(from))) {
    if (fromMs >= Date.parse(to)) break;
    found.push([fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 16)).join('/'));
  }
  return found;
};

describe('opening hours', () => {
  test.each<[string, Record<number, string>]>([
    ['Mon-Fri 09:00-17:30', { 1: '540-1050', 5: '540-1050' }],
    ['Mon-Fri 09:00-12:00, 13:00-17:30, Sat 10:00-12:00', { 1: '540-720 780-1050', 6: '600-720' }],
    ['mon, WED 8:00-9:00', { 1: '480-540', 3: '480-540' }],
    ['Sat-Mon 00:00-24:00', { 6: '0-1440', 7: '0-1440', 1: '0-1440' }],
    ['Tue 22:00-24:00, Wed 00:00-06:00', { 2: '1320-1440', 3: '0-360' }],
  ])('opening hours %j are read', (text, expected) => {
    const read = readHours(text);
    if (!read.ok) throw new Error(read.why);
    const on = (weekday: number): string =>
      read.ranges
        .filter((range) => range.weekday === weekday)
        .map(({ fromMinute, toMinute }) => `${fromMinute}-${toMinute}`)
        .join(' ');
    for (const [weekday, ranges] of Object.entries(expected)) expect(on(Number(weekday))).toBe(ranges);
  });

  test.each([
    ['', 'there is nothing between two commas'],
    ['09:00-17:00', '"09:00-17:00" names no days'],
    ['Mon-Fri', 'the last days have no times'],
    ['Mon-Fry 09:00-17:00', '"Fry" is not a day'],
    ['Montag 09:00-17:00', '"Montag" is not a day'],
    ['Mon 9-17', '"9-17" is not a range of times'],
    ['Mon 09:00-25:00', 'hours go from 00:00 to 24:00'],
    ['Mon 24:00-24:00', 'hours go from 00:00 to 24:00'],
    ['Mon 09:60-10:00', 'hours go from 00:00 to 24:00'],
    ['Mon 09:00-09:00', 'is empty: a whole day is 00:00-24:00'],
    ['Mon 22:00-06:00', 'goes over midnight: write it as two ranges'],
    ['Mon 09:00-17:00;', '"09:00-17:00;" is not a range of times'],
  ])('opening hours %j are refused', (text, why) => {
    const read = readHours(text);
    expect(read.ok ? '' : read.why).toContain(why);
  });

  test('opening hours of any text are read or refused, and never fail', () => {
    const words = fc.array(fc.constantFrom('Mon', 'Fri', '-', ',', ' ', '09:00', '24:00', ':', 'x'), { maxLength: 12 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          words.map((parts) => parts.join('')),
        ),
        (text) => 'ok' in readHours(text),
      ),
    );
  });
});

describe('a calendar', () => {
  test.each([
    ['Europe/Berlin', 'in winter', '2026-03-02T08:00:00Z', 1, '2026-03-02T09:00:00.000Z'],
    ['Europe/Berlin', 'over the end of a day', '2026-03-02T16:00:00Z', 1, '2026-03-03T08:30:00.000Z'],
    ['Europe/Berlin', 'over a weekend', '2026-03-06T16:00:00Z', 1, '2026-03-09T08:30:00.000Z'],
    ['Europe/Berlin', 'from a Sunday', '2026-03-08T12:00:00Z', 8.5, '2026-03-09T16:30:00.000Z'],
    ['Europe/Berlin', 'over the weekend when clocks go forward', '2026-03-27T16:00:00Z', 1, '2026-03-30T07:30:00.000Z'],
    ['Europe/Berlin', 'over the weekend when clocks go back', '2026-10-23T15:00:00Z', 1, '2026-10-26T08:30:00.000Z'],
    [
      'America/New_York',
      'over the weekend when clocks go forward',
      '2026-03-06T22:00:00Z',
      1,
      '2026-03-09T13:30:00.000Z',
    ],
    ['America/New_York', 'over the weekend when clocks go back', '2026-10-30T21:00:00Z', 1, '2026-11-02T14:30:00.000Z'],
    ['Asia/Kolkata', 'in a zone of half an hour', '2026-03-02T00:00:00Z', 1, '2026-03-02T04:30:00.000Z'],
  ])('a calendar of %s counts %s', (zone, _, from, hours, expected) => {
    expect(afterHours(office(zone), from, hours)).toBe(expected);
  });

  // Promise PO5
  test.each([
    ['Europe/Berlin', '2026-03-29', 'Sun 00:00-24:00', ['2026-03-28T23:00/2026-03-29T22:00']],
    ['Europe/Berlin', '2026-10-25', 'Sun 00:00-24:00', ['2026-10-24T22:00/2026-10-25T23:00']],
    ['Europe/Berlin', '2026-03-29', 'Sun 01:00-02:30', ['2026-03-29T00:00/2026-03-29T01:00']],
    ['Europe/Berlin', '2026-03-29', 'Sun 02:30-05:00', ['2026-03-29T01:00/2026-03-29T03:00']],
    ['Europe/Berlin', '2026-03-29', 'Sun 02:15-02:45', []],
    ['Europe/Berlin', '2026-10-25', 'Sun 01:00-02:30', ['2026-10-24T23:00/2026-10-25T00:30']],
    ['Europe/Berlin', '2026-10-25', 'Sun 02:30-05:00', ['2026-10-25T00:30/2026-10-25T04:00']],
    ['America/New_York', '2026-03-08', 'Sun 01:00-04:00', ['2026-03-08T06:00/2026-03-08T08:00']],
    ['America/New_York', '2026-11-01', 'Sun 01:00-02:00', ['2026-11-01T05:00/2026-11-01T07:00']],
    ['Australia/Lord_Howe', '2026-10-04', 'Sun 02:00-03:00', ['2026-10-03T15:30/2026-10-03T16:00']],
  ])('a calendar of %s on %s has %s as it comes to pass', (zone, day, hours, expected) => {
    const noonMs = Date.parse(`${day}T12:00:00Z`);
    const [from, to] = [noonMs - 36 * hour, noonMs + 36 * hour].map((ms) => new Date(ms).toISOString());
    expect(windowsIn(windowsOf({ zone, hours }), from ?? '', to ?? '')).toEqual(expected);
  });

  // Promise PO6
  test('a calendar is closed on public holidays of its country', () => {
    const berlin = office('Europe/Berlin', { holidays: 'DE' });
    // Good Friday to Easter Monday 2026.
    expect(afterHours(berlin, '2026-04-02T14:30:00Z', 2)).toBe('2026-04-07T08:00:00.000Z');
    expect(afterHours(office('Europe/Berlin'), '2026-04-02T14:30:00Z', 2)).toBe('2026-04-03T08:00:00.000Z');
  });

  test.each([
    ['DE-BY', '2026-01-06', undefined],
    ['DE', '2026-01-06', '2026-01-06T08:00/2026-01-06T16:30'],
    ['de-by', '2026-01-06', undefined],
    ['US-LA-NO', '2026-12-25', undefined],
  ])('a calendar with holidays of %s is on %s open %s', (holidays, day, expected) => {
    expect(windowsIn(office('Europe/Berlin', { holidays }), `${day}T00:00:00Z`, `${day}T23:00:00Z`)[0]).toBe(expected);
  });

  test('a calendar counts a holiday that begins at sunset elsewhere as the whole day it is known by', () => {
    const jerusalem = windowsOf({ zone: 'Asia/Jerusalem', hours: 'Mon-Sun 00:00-24:00', holidays: 'IL' });
    // Yom Kippur 2026 is the 21st of September.
    const open = windowsIn(jerusalem, '2026-09-20T06:00:00Z', '2026-09-22T06:00:00Z');
    expect(open[0]).toMatch(/\/2026-09-20T21:00$/);
    expect(open[1]).toMatch(/^2026-09-21T21:00\//);
  });

  test('a calendar goes over the turn of the year', () => {
    expect(afterHours(office('Europe/Berlin', { holidays: 'DE' }), '2026-12-31T16:00:00Z', 1)).toBe(
      '2027-01-04T08:30:00.000Z',
    );
    expect(afterHours(office('Pacific/Auckland'), '2026-12-31T20:00:00Z', 1)).toBe('2026-12-31T21:00:00.000Z');
  });

  test.each(['de', 'DE-by', 'us-la-no', 'NZ-CAN-TIMARU', 'ck-rarotonga'])(
    'a calendar knows the holidays of %s',
    (holidays) => {
      expect(readCalendar({ zone: 'UTC', hours: 'Mon 09:00-10:00', holidays }).ok).toBe(true);
    },
  );

  test('a calendar says everything that is wrong with it', () => {
    expect(readCalendar({ zone: 'Europe/Berln', hours: 'always', holidays: 'Germany' })).toMatchObject({
      ok: false,
      faults: [{ key: 'zone' }, { key: 'hours' }, { key: 'holidays' }],
    });
    const read = readCalendar({ zone: 'UTC', hours: 'Mon 09:00-10:00', holidays: 'CH-XX' });
    expect(read.ok ? '' : read.faults[0]?.message).toContain('expected one of CH-ZH');
  });

  test('a calendar of any hours gives windows in order, without overlap', () => {
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Auckland', 'UTC');
    const time = fc.integer({ min: 0, max: 1440 });
    const range = fc.tuple(time, time).filter(([a, b]) => a !== b);
    const clock = (minute: number): string =>
      `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    const hours = fc
      .array(range, { minLength: 1, maxLength: 4 })
      .map((ranges) => ranges.map(([a, b]) => `Mon-Sun ${clock(Math.min(a, b))}-${clock(Math.max(a, b))}`).join(', '));
    fc.assert(
      fc.property(zone, hours, fc.integer({ min: 0, max: 730 }), (place, text, day) => {
        const from = Date.UTC(2026, 0, 1) + day * 24 * hour;
        let before = from;
        for (const { fromMs, toMs } of windowsOf({ zone: place, hours: text })(from)) {
          if (fromMs > from + 30 * 24 * hour) break;
          if (toMs <= fromMs || (fromMs < before && before !== from)) return false;
          before = toMs;
        }
        return true;
      }),
      { numRuns: runs(40) },
    );
  });
});
