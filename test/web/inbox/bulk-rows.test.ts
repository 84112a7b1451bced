// What a row of a review says, and whether there is more to read.
import { describe, expect, test } from '@jest/globals';
import { rowText } from '../../../web/src/inbox/bulk/bulk-state.ts';
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
