import { describe, expect, test } from '@jest/globals';
import { piecesOf, typedMention, withMention } from '../../web/src/hold/talk/mention.ts';
import { snoozeDays, snoozeTimes, usualTime } from '../../web/src/hold/talk/snooze-times.ts';
import { doneWord, secondsLeft } from '../../web/src/hold/grace/done-words.ts';

describe('a name in a comment', () => {
  test('a name in a comment is offered while it is typed after an @, and nowhere else', () => {
    expect(typedMention('ask @an', 7)).toEqual({ from: 4, typed: 'an' });
    expect(typedMention('ask @an', 4)).toBeNull();
    expect(typedMention('x@an', 4)).toBeNull();
    expect(typedMention('@an and', 7)).toBeNull();
  });

  test('a name in a comment takes the place of what was typed, and the caret goes behind it', () => {
    expect(withMention('ask @an please', 7, 'anna')).toEqual({ text: 'ask @anna please', caret: 10 });
  });

  test('a name in a comment is distinguished from the text around it, the longest first', () => {
    expect(piecesOf('@ann, @anna: look', ['ann', 'anna'])).toEqual([
      { text: '@ann', mention: 'ann' },
      { text: ', ', mention: null },
      { text: '@anna', mention: 'anna' },
      { text: ': look', mention: null },
    ]);
    expect(piecesOf('a@b', [])).toEqual([{ text: 'a@b', mention: null }]);
  });
});

describe('the offered times of a reminder', () => {
  const noon = new Date(2026, 10, 18, 12, 0).getTime();
  const names = (now: number, until: string | null): string[] => snoozeTimes(now, until).map(({ name }) => name);

  test('the offered times of a reminder are soon, tomorrow at nine and on Monday at nine, by the clock of the reader', () => {
    expect(names(noon, null)).toEqual(['hour', 'threeHours', 'tomorrow', 'monday']);
    const [, , tomorrow, monday] = snoozeTimes(noon, null);
    expect(new Date(tomorrow?.atMs ?? 0)).toEqual(new Date(2026, 10, 19, 9, 0));
    expect(new Date(monday?.atMs ?? 0)).toEqual(new Date(2026, 10, 23, 9, 0));
  });

  test('an offered time of a reminder is never past the deadline, and on a Sunday tomorrow is Monday', () => {
    expect(names(noon, new Date(noon + 2 * 3_600_000).toISOString())).toEqual(['hour']);
    expect(names(new Date(2026, 10, 22, 12, 0).getTime(), null)).toEqual(['hour', 'threeHours', 'tomorrow']);
  });

  test('the offered time of a reminder is in a quarter of an hour, where the deadline leaves no whole one', () => {
    expect(names(noon, new Date(noon + 1_800_000).toISOString())).toEqual(['quarter']);
  });

  test('the offered times of a reminder are any half hour to come before the deadline; of a day alone it is nine or what is nearest to it', () => {
    const days = snoozeDays(noon, new Date(2026, 10, 20, 0, 45).toISOString());
    const shown = days.map((day) => [day.length, new Date(day[0] ?? 0), new Date(usualTime(day))]);
    expect(shown).toEqual([
      [23, new Date(2026, 10, 18, 12, 30), new Date(2026, 10, 18, 12, 30)],
      [48, new Date(2026, 10, 19), new Date(2026, 10, 19, 9)],
      [2, new Date(2026, 10, 20), new Date(2026, 10, 20, 0, 30)],
    ]);
    expect(snoozeDays(noon, new Date(noon + 60_000).toISOString())).toEqual([]);
    expect(snoozeDays(noon, null)).toHaveLength(30);
  });
});

test('an answer that waits to be sent is called as its end will be, and its last second is one', () => {
  expect(doneWord({}, { name: 'approved' })).toBe('Approved');
  expect(doneWord({}, { name: 'declined' })).toBe('Declined');
  expect(doneWord({ chosen: 'Escalate\u202e  it' }, { name: 'answered' })).toBe('Answered (Escalate[U+202E] it)');
  expect(secondsLeft('2026-11-18T12:00:10.000Z', Date.parse('2026-11-18T12:00:09.999Z'))).toBe(1);
  expect(secondsLeft('2026-11-18T12:00:10.000Z', Date.parse('2026-11-18T12:00:11.000Z'))).toBe(0);
});
