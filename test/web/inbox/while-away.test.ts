import { describe, expect, test } from '@jest/globals';
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { whileAway } from '../../../web/src/inbox/away/while-away.ts';
import { aRow } from './rows.ts';

const since = Date.parse('2026-11-20T12:00:00.000Z');
const at = '2026-11-20T12:30:00.000Z';
const ended = (id: string, why: NonNullable<HoldRowView['ended']>['why'], by: string, when = at): HoldRowView =>
  aRow({
    id,
    status: why === 'expired' || why === 'withdrawn' ? why : why === 'approved' ? 'decided' : 'cancelled',
    ended: { by, at: when, why },
  });

describe('while the reader was away', () => {
  test('what silence decided comes first, then what others answered, and nothing of their own', () => {
    const found = whileAway(
      [aRow({ id: 'new', openedAt: at }), aRow({ id: 'old', openedAt: '2026-11-20T11:00:00.000Z' })],
      [
        ended('by-cem', 'approved', 'cem'),
        ended('mine', 'approved', 'ana'),
        ended('late', 'expired', 'policy:finance'),
        ended('gone', 'withdrawn', 'agent:expenses'),
        ended('before', 'approved', 'cem', '2026-11-20T11:30:00.000Z'),
      ],
      since,
      'ana',
    );
    expect({ ...found, named: found.named.map(({ id }) => id) }).toEqual({
      came: 1,
      expired: 1,
      byOthers: 1,
      withdrawn: 1,
      named: ['late', 'by-cem', 'gone'],
    });
  });

  test('what came while the reader was away is named up to five', () => {
    const many = Array.from({ length: 9 }, (_, n) => ended(`e-${n}`, 'expired', 'policy:finance'));
    expect(whileAway([], many, since, 'ana')).toMatchObject({ expired: 9, named: { length: 5 } });
  });
});
