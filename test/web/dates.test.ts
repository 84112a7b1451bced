import { describe, expect, test } from '@jest/globals';
import {
  dayOfText,
  dayPattern,
  dayText,
  daysLater,
  firstWeekday,
  momentOf,
  momentParts,
  monthsLater,
  timeOfText,
  timeText,
  utcOf,
  weeksOf,
  weekStart,
} from '../../web/src/ui/date/dates.ts';

const now = Date.parse('2026-11-20T13:02:00Z');
const spaced = (text: string): string => text.replaceAll(/\s/gu, ' ');

// Promise S68
describe('a day that is typed', () => {
  test.each([
    ['en-GB', '31/01/2026', 'dd/mm/yyyy'],
    ['en-US', '01/31/2026', 'mm/dd/yyyy'],
    ['de-DE', '31.01.2026', 'dd.mm.yyyy'],
    ['sv-SE', '2026-01-31', 'yyyy-mm-dd'],
    ['ja-JP', '2026/01/31', 'yyyy/mm/dd'],
  ])('a day that is typed is shown as readers of %s write it, and is read back from there', (locale, text, pattern) => {
    expect(dayText('2026-01-31', locale)).toBe(text);
    expect(dayOfText(text, now, locale)).toBe('2026-01-31');
    expect(dayPattern(locale)).toBe(pattern);
  });

  test.each(['ar-EG', 'fa-IR', 'th-TH', 'he-IL', 'hu-HU', 'ko-KR', 'zh-CN'])(
    'a day that is typed is the same day after a round trip in %s, whatever calendar and digits are usual there',
    (locale) => {
      expect(dayOfText(dayText('2026-03-09', locale), now, locale)).toBe('2026-03-09');
    },
  );

  test('a day that is typed may be as the wire has it, without its year, and with a short one', () => {
    expect(dayOfText('2026-01-31', now, 'en-US')).toBe('2026-01-31');
    expect(dayOfText('31.1.', now, 'de')).toBe('2026-01-31');
    expect(dayOfText(' 1/31/27 ', now, 'en-US')).toBe('2027-01-31');
  });

  test.each(['', '31', '31.2.2026', '1.13.2026', '31.1.202', 'soon', '1. Januar 2026'])(
    'a day that is typed is none where it reads “%s”, and stays as it was typed',
    (text) => {
      expect(dayOfText(text, now, 'de')).toBeNull();
      expect(dayText(text, 'de')).toBe(text);
      expect(utcOf(text)).toBeNull();
    },
  );
});

describe('a time that is typed', () => {
  test.each([
    ['14:30', '14:30'],
    ['14.30', '14:30'],
    ['1430', '14:30'],
    ['2:30 pm', '14:30'],
    ['2 p.m.', '14:00'],
    ['12:05 AM', '00:05'],
    ['9:05', '09:05'],
  ])('a time that is typed reads %s', (text, time) => {
    expect(timeOfText(text)).toBe(time);
  });

  test.each(['', '14', '25:00', '14:60', '13 pm', 'noon'])(
    'a time that is typed is none where it reads “%s”',
    (text) => {
      expect(timeOfText(text)).toBeNull();
    },
  );

  // Promise S68
  test('a time that is typed is in the clock of the reader, and with 24 hours where halves of the day have no Latin letters', () => {
    expect(spaced(timeText('14:30', 'en-US'))).toBe('2:30 PM');
    expect(timeText('14:30', 'de')).toBe('14:30');
    expect(timeText('14:30', 'zh-TW')).toBe('14:30');
    expect(timeOfText(timeText('14:30', 'en-US'))).toBe('14:30');
  });
});

describe('a moment', () => {
  // Promise S68
  test('a moment is the day and the time of the reader, and is sent in UTC', () => {
    const value = momentOf('2026-01-31', '14:30');
    expect(value).toBe(new Date(2026, 0, 31, 14, 30).toISOString());
    expect(momentParts(value)).toEqual({ day: '2026-01-31', time: '14:30' });
    expect(momentParts('2026-01-31T14:30:25+02:00')).toEqual(momentParts('2026-01-31T12:30:00Z'));
  });

  test('a moment is kept as it was typed while it is not whole, and is not a moment then', () => {
    for (const [day, time] of [
      ['2026-01-31', ''],
      ['31.', ''],
      ['', '14:30'],
      ['2026-01-31', '14:3'],
    ] as const) {
      expect(momentParts(momentOf(day, time))).toEqual({ day, time });
      expect(Number.isNaN(Date.parse(momentOf(day, time))) || time === '').toBe(true);
    }
  });
});

describe('a month to choose from', () => {
  // Promise S68
  test('a month to choose from begins its weeks as its readers do, and has all of its days', () => {
    expect([firstWeekday('de-DE'), firstWeekday('en-US'), firstWeekday('ar-EG')]).toEqual([1, 7, 6]);
    const weeks = weeksOf('2026-02-10', 1);
    expect(weeks.map(([first]) => first)).toEqual([
      '2026-01-26',
      '2026-02-02',
      '2026-02-09',
      '2026-02-16',
      '2026-02-23',
    ]);
    expect(weeksOf('2026-08-01', 7).flat()).toContain('2026-08-31');
    expect(weekStart('2026-11-22', 1)).toBe('2026-11-16');
    expect(weekStart('2026-11-22', 7)).toBe('2026-11-22');
  });

  test('a month to choose from is left for the next one on the same date, or on its last day, also over a change of the clock', () => {
    expect(monthsLater('2026-01-31', 1)).toBe('2026-02-28');
    expect(monthsLater('2024-02-29', 12)).toBe('2025-02-28');
    expect(monthsLater('2026-01-15', -1)).toBe('2025-12-15');
    expect(daysLater('2026-03-28', 2)).toBe('2026-03-30');
  });
});
