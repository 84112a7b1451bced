// A question past its time that stays open, as the list shows it.
import { describe, expect, test } from '@jest/globals';
import { dueWords } from '../../../web/src/base/time/time-words.ts';
import { dueUntil, never, timeGroupOf } from '../../../web/src/inbox/groups.ts';
import { aRow } from './rows.ts';

const reader = { locale: 'en-GB', zone: 'UTC' };
const now = Date.parse('2026-11-20T16:00:00.000Z');
const dueAt = '2026-11-20T15:00:00.000Z';
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

describe('a question past its time', () => {
  test('a question past its time that is kept open is overdue, in red', () => {
    const row = aRow({ expiresAt: null, dueAt });
    expect(dueWords(row, now, reader)).toMatchObject({
      pill: 'overdue',
      spoken: 'overdue',
      tone: 'danger',
      isOver: true,
    });
    expect(timeGroupOf(row.dueAt, now, day)).toBe('overdue');
  });

  test('a question past its time that waits for its policy is out of time, and not overdue', () => {
    expect(dueWords(aRow({ dueAt }), now, reader)).toMatchObject({ pill: 'time is up', tone: 'danger' });
  });

  test('a question past its time is shown with the time that is left until then, though nothing happens at its end', () => {
    expect(dueWords(aRow({ expiresAt: null, dueAt }), now - 7_200_000, reader)).toMatchObject({ pill: '1 h' });
    expect(dueWords(aRow({ expiresAt: null, dueAt: null }), now, reader)).toBeNull();
  });
});

describe('the time of a group', () => {
  const groups = ['overdue', 'hour', 'today', 'tomorrow', 'week', 'later', 'none'] as const;

  test.each([-1, 0, 1, 20, 30, 47, 100, 200])(
    'the time of a group ends after what is due %d hours later, and before no other of it',
    (hours) => {
      const at = now + hours * 3_600_000 + 60_000;
      const dueOn = new Date(at).toISOString();
      const [first] = groups.filter((one) => dueUntil(one, now) > dueOn);
      expect(first).toBe(timeGroupOf(dueOn, now, (moment) => new Date(moment).toDateString()));
      expect([dueUntil('later', now), dueUntil('none', now)]).toEqual([never, '']);
    },
  );
});
