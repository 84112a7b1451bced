// A question past its time that stays open, as the list shows it.
import { describe, expect, test } from '@jest/globals';
import { dueWords } from '../../../web/src/base/time/time-words.ts';
import { timeGroupOf } from '../../../web/src/inbox/groups.ts';
import { aRow } from './rows.ts';

const reader = { locale: 'en-GB', zone: 'UTC' };
const now = Date.parse('2026-11-20T16:00:00.000Z');
const dueAt = '2026-11-20T15:00:00.000Z';
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

describe('a question past its time', () => {
  test('that is kept open is overdue, in red', () => {
    const row = aRow({ expiresAt: null, dueAt });
    expect(dueWords(row, now, reader)).toMatchObject({
      pill: 'overdue',
      spoken: 'overdue',
      tone: 'danger',
      isOver: true,
    });
    expect(timeGroupOf(row.dueAt, now, day)).toBe('overdue');
  });

  test('that waits for its policy is out of time, and not overdue', () => {
    expect(dueWords(aRow({ dueAt }), now, reader)).toMatchObject({ pill: 'time is up', tone: 'danger' });
  });

  test('is shown with the time that is left until then, though nothing happens at its end', () => {
    expect(dueWords(aRow({ expiresAt: null, dueAt }), now - 7_200_000, reader)).toMatchObject({ pill: '1 h' });
    expect(dueWords(aRow({ expiresAt: null, dueAt: null }), now, reader)).toBeNull();
  });
});
