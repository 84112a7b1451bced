// What a row of a review says, and whether there is more to read.
import { describe, expect, test } from '@jest/globals';
import { type BulkEntry, partsOf, rowState, rowText } from '../../../web/src/inbox/bulk/bulk-state.ts';
import { aHoldView } from '../../rigs/hold-row.ts';

const shows = (message: string, toolArgs = {}, title = 'Pay 3?') =>
  rowText(
    { ...aHoldView(), hasOwnTitle: true, title, message, context: { ...aHoldView().context, toolArgs } },
    'Pay 3?',
  );

describe('a row of a review', () => {
  test('a row of a review says what the agent says, and the arguments, where that is one line', () => {
    expect(shows(' It is due. ')).toEqual({ line: 'It is due.', isAll: true });
    expect(shows('', { amount: 310, to: 'Olu' })).toEqual({ line: 'Amount 310 · To Olu', isAll: true });
    expect(shows('')).toEqual({ line: '', isAll: true });
  });

  test('a row of a review says a title that its headline does not say, and no word twice', () => {
    expect(shows('It is due.', {}, 'Drop the database')).toEqual({
      line: 'Drop the database · It is due.',
      isAll: true,
    });
    expect(shows('Pay 3?\n\nIt is due.\nSend it.')).toEqual({ line: 'It is due. · Send it.', isAll: true });
  });

  test('a row of a review has more to read where there is code, a list or a long text', () => {
    expect(shows('It is due:\n```\nall of it\n```').isAll).toBe(false);
    expect(shows('', { to: ['Olu', 'Ana'] }).isAll).toBe(false);
    expect(shows('It is due. '.repeat(50)).isAll).toBe(false);
  });
});

describe('the state of a row of a review', () => {
  const entry: BulkEntry = { hold: aHoldView(), isRead: true, hasChanged: true, failed: false };
  const done = { text: 'Recorded', tone: 'ok' } as const;

  test('the state of a row of a review is its result alone once it has one, whatever was known before', () => {
    expect(rowState({ ...entry, isRead: false }, { result: done, isSent: true, isCut: true })).toBe(done);
  });

  test('the state of a row of a review that was sent is that it is on its way', () => {
    expect(rowState(entry, { result: null, isSent: true })?.text).toBe('Sending…');
    expect(rowState({ ...entry, isRead: false }, { result: null, isSent: true, isCut: true })?.text).toBe('Sending…');
  });

  test('the state of a row of a review before it is sent is the most telling one', () => {
    expect(rowState(entry, { result: null, isSent: false })?.tone).toBe('warn');
    expect(rowState({ ...entry, hasChanged: false }, { result: null, isSent: false })).toBeNull();
    expect(rowState(null, { result: null, isSent: false, isCut: true })?.text).toBe('more to read');
  });

  test('the answers of a review are sent ten at a time, each part under a key of its own', () => {
    const decisions = Array.from({ length: 23 }, (_, n) => ({
      status: 'resolved' as const,
      values: {},
      id: `h-${n}`,
      digest: 'd',
      planDigest: 'p',
    }));
    let key = 0;
    const parts = partsOf({ decisions }, () => `k${(key += 1)}`);
    expect(parts.map(({ body, key: own }) => [own, body.decisions.length])).toEqual([
      ['k1', 10],
      ['k2', 10],
      ['k3', 3],
    ]);
    expect(parts.flatMap(({ body }) => body.decisions)).toEqual(decisions);
  });
});
