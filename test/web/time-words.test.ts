import { describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import {
  absoluteWords,
  agoWords,
  clockWords,
  dayWords,
  deadlineWords,
  durationWords,
  spokenDuration,
  toneOf,
  type Reader,
} from '../../web/src/base/time/time-words.ts';

const berlin: Reader = { locale: 'en-GB', zone: 'Europe/Berlin' };
const now = Date.parse('2026-11-20T13:02:00Z'); // Friday, 14:02 in Berlin
const minute = 60_000;
const hour = 60 * minute;
const iso = (at: number): string => new Date(at).toISOString();

describe('a duration in words', () => {
  test.each([
    [0, '1 s'],
    [999, '1 s'],
    [45_900, '45 s'],
    [minute, '1 min'],
    [59 * minute + 59_000, '59 min'],
    [hour, '1 h'],
    [2 * hour + 10 * minute, '2 h 10 min'],
    [47 * hour, '47 h'],
    [76 * hour, '3 d 4 h'],
  ])('a duration of %i ms reads %s', (ms, words) => {
    expect(durationWords(ms)).toBe(words);
  });

  test('a duration in words is spoken with whole words', () => {
    expect(spokenDuration(9 * minute)).toBe('9 minutes');
    expect(spokenDuration(minute)).toBe('1 minute');
    expect(spokenDuration(3 * 24 * hour)).toBe('3 days');
  });
});

describe('a moment', () => {
  test('a moment is a clock time today, with its weekday within a week, with its date beyond', () => {
    expect(clockWords(now + 2 * hour, now, berlin)).toBe('16:02');
    expect(clockWords(now + 24 * hour, now, berlin)).toBe('Sat 14:02');
    expect(clockWords(now + 20 * 24 * hour, now, berlin)).toBe('10 Dec 14:02');
  });

  // Promise S62
  test('a moment names the day: today, yesterday, the weekday, and the year of another one', () => {
    const day = 24 * hour;
    expect(dayWords(now, now, berlin)).toBe('Today · Friday 20 November');
    expect(dayWords(now - 15 * hour, now, berlin)).toBe('Yesterday · Thursday 19 November');
    expect(dayWords(now - 2 * day, now, berlin)).toBe('Wednesday 18 November');
    expect(dayWords(now - 365 * day, now, berlin)).toMatch(/^Thursday,? 20 November 2025$/u);
    expect(dayWords(now, now, { ...berlin, locale: 'de' })).toBe('Heute · Freitag, 20. November');
  });

  test('a moment is absolute with the reader’s zone', () => {
    expect(absoluteWords(now + 2.5 * hour, now, berlin)).toBe('Fri 16:32 CET');
    expect(absoluteWords(now + 2.5 * hour, now, { locale: 'en-GB', zone: 'UTC' })).toBe('Fri 15:32 UTC');
  });

  test('a moment names the other zone of summer time', () => {
    const july = Date.parse('2026-07-03T12:00:00Z');
    expect(absoluteWords(july, july, berlin)).toBe('Fri 14:00 CEST');
  });

  test('a moment lies so long ago', () => {
    expect(agoWords(now - 20_000, now)).toBe('just now');
    expect(agoWords(now - 12 * minute, now)).toBe('12 min ago');
    expect(agoWords(now - 3.5 * hour, now)).toBe('3 h ago');
    expect(agoWords(now - 5 * 24 * hour - hour, now)).toBe('5 d ago');
  });
});

describe('a moment, at every hour of a day, in every zone and language,', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
  ];
  const locales = ['en-GB', 'en-US', 'de-DE', 'fr-FR', 'ja-JP', 'ar-EG', 'th-TH', 'hi-IN'];
  const readers = zones.flatMap((zone) => locales.map((locale): Reader => ({ locale, zone })));
  // The days on which Berlin's clocks change, and the last of a leap year's February.
  const days = ['2026-03-29', '2026-10-25', '2028-02-29', '2026-12-31'];
  const hours = days.flatMap((one) =>
    Array.from({ length: 24 }, (_, index) => Date.parse(one) + index * hour + 13 * minute),
  );

  /** Digits of the hour and the minute there, as another library reads the clock. */
  const digits = (at: number, { zone, locale }: Reader): [string, string] => {
    const moment = DateTime.fromMillis(at, { zone: zone ?? 'UTC' });
    const number = (value: number, pad = 1): string =>
      new Intl.NumberFormat(locale, { minimumIntegerDigits: pad, useGrouping: false }).format(value);
    const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
    return [number(hour12 === true ? moment.hour % 12 || 12 : moment.hour), number(moment.minute, 2)];
  };

  test.each(readers)(
    'a moment, at every hour of a day, in every zone and language, is its hour and its minute for $locale in $zone',
    (reader) => {
      for (const at of hours) {
        const [hourDigits, minuteDigits] = digits(at, reader);
        const numbers = clockWords(at, at, reader).match(/\p{Nd}+/gu) ?? [];
        // Some languages put a nought before the hour.
        expect([numbers[0]?.replace(/^[0٠०](?=\p{Nd})/u, ''), numbers[1], numbers.length]).toEqual([
          hourDigits,
          minuteDigits,
          2,
        ]);
        expect(absoluteWords(at, at, reader)).toContain(clockWords(at, at, reader));
      }
    },
  );

  test.each(readers)(
    'a moment, at every hour of a day, in every zone and language, has its day before it once the day has changed for $locale in $zone',
    (reader) => {
      const { zone = 'UTC' } = reader;
      for (const at of hours) {
        const midnight = DateTime.fromMillis(at, { zone }).plus({ days: 1 }).startOf('day').toMillis();
        const plain = clockWords(at, at, reader);
        expect(clockWords(at, midnight - 1, reader)).toBe(plain);
        expect(clockWords(at, midnight, reader)).toMatch(/.+ .+/);
        expect(clockWords(at, midnight, reader).endsWith(plain)).toBe(true);
        expect(clockWords(at, midnight, reader)).not.toBe(plain);
      }
    },
  );

  test.each(readers)(
    'a moment, at every hour of a day, in every zone and language, is as far away as it is, whatever the clock does, for $locale in $zone',
    (reader) => {
      for (const at of hours) {
        const words = deadlineWords(iso(at + 90 * minute), iso(at), at, reader);
        expect(words).toMatchObject({ relative: 'in 1 h 30 min', short: 'in 1 h', isNear: false });
      }
    },
  );
});

describe('a deadline', () => {
  const at = (left: number, whole = 24 * hour): ReturnType<typeof deadlineWords> =>
    deadlineWords(iso(now + left), iso(now + left - whole), now, berlin);

  test('a deadline says how long and when', () => {
    expect(at(2 * hour + 10 * minute)).toMatchObject({
      relative: 'in 2 h 10 min',
      absolute: 'Fri 16:12 CET',
      short: 'in 2 h',
    });
    expect(at(9 * minute)).toMatchObject({ short: 'in 9 min', spoken: '9 minutes left', isNear: true });
    expect(at(26 * hour)).toMatchObject({ short: 'Sat 16:02', isNear: false });
  });

  test('a deadline is null for a question that waits for ever', () => {
    expect(deadlineWords(null, iso(now), now, berlin)).toBeNull();
  });

  test('a deadline warns under an hour or a quarter of the time, and is urgent under ten minutes', () => {
    expect(toneOf(7 * hour, 24 * hour)).toBe('neutral');
    expect(toneOf(5 * hour, 24 * hour)).toBe('warn');
    expect(toneOf(50 * minute, hour)).toBe('warn');
    expect(toneOf(9 * minute, hour)).toBe('danger');
  });

  test('a deadline never counts below zero: time is up, and what comes of it the server says', () => {
    expect(at(0)).toMatchObject({ short: 'time is up', isOver: true, tone: 'danger' });
    expect(at(-5 * hour)).toMatchObject({ relative: 'time is up', isOver: true });
  });
});
