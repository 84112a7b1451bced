import { describe, expect, test } from '@jest/globals';
import {
  absoluteWords,
  agoWords,
  clockWords,
  deadlineWords,
  durationWords,
  spokenDuration,
  toneOf,
  type Reader,
} from '../../web/src/app/time-words.ts';

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
  ])('%i ms reads %s', (ms, words) => {
    expect(durationWords(ms)).toBe(words);
  });

  test('is spoken with whole words', () => {
    expect(spokenDuration(9 * minute)).toBe('9 minutes');
    expect(spokenDuration(minute)).toBe('1 minute');
    expect(spokenDuration(3 * 24 * hour)).toBe('3 days');
  });
});

describe('a moment', () => {
  test('is a clock time today, with its weekday within a week, with its date beyond', () => {
    expect(clockWords(now + 2 * hour, now, berlin)).toBe('16:02');
    expect(clockWords(now + 24 * hour, now, berlin)).toBe('Sat 14:02');
    expect(clockWords(now + 20 * 24 * hour, now, berlin)).toBe('10 Dec 14:02');
  });

  test('is absolute with the reader’s zone', () => {
    expect(absoluteWords(now + 2.5 * hour, now, berlin)).toBe('Fri 16:32 CET');
    expect(absoluteWords(now + 2.5 * hour, now, { locale: 'en-GB', zone: 'UTC' })).toBe('Fri 15:32 UTC');
  });

  test('names the other zone of summer time', () => {
    const july = Date.parse('2026-07-03T12:00:00Z');
    expect(absoluteWords(july, july, berlin)).toBe('Fri 14:00 CEST');
  });

  test('lies so long ago', () => {
    expect(agoWords(now - 20_000, now)).toBe('just now');
    expect(agoWords(now - 12 * minute, now)).toBe('12 min ago');
    expect(agoWords(now - 3.5 * hour, now)).toBe('3 h ago');
    expect(agoWords(now - 5 * 24 * hour - hour, now)).toBe('5 d ago');
  });
});

describe('a deadline', () => {
  const at = (left: number, whole = 24 * hour): ReturnType<typeof deadlineWords> =>
    deadlineWords(iso(now + left), iso(now + left - whole), now, berlin);

  test('says how long and when', () => {
    expect(at(2 * hour + 10 * minute)).toMatchObject({
      relative: 'in 2 h 10 min',
      absolute: 'Fri 16:12 CET',
      short: 'in 2 h',
    });
    expect(at(9 * minute)).toMatchObject({ short: 'in 9 min', spoken: '9 minutes left', isNear: true });
    expect(at(26 * hour)).toMatchObject({ short: 'Sat 16:02', isNear: false });
  });

  test('is null for a question that waits for ever', () => {
    expect(deadlineWords(null, iso(now), now, berlin)).toBeNull();
  });

  test('warns under an hour or a quarter of the time, and is urgent under ten minutes', () => {
    expect(toneOf(7 * hour, 24 * hour)).toBe('neutral');
    expect(toneOf(5 * hour, 24 * hour)).toBe('warn');
    expect(toneOf(50 * minute, hour)).toBe('warn');
    expect(toneOf(9 * minute, hour)).toBe('danger');
  });

  test('never counts below zero: time is up, and what comes of it the server says', () => {
    expect(at(0)).toMatchObject({ short: 'time is up', isOver: true, tone: 'danger' });
    expect(at(-5 * hour)).toMatchObject({ relative: 'time is up', isOver: true });
  });
});
