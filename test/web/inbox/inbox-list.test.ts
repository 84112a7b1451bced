import { describe, expect, test } from '@jest/globals';
import {
  appendPage,
  applyRows,
  dropRows,
  hasLater,
  idsBetween,
  isClear,
  leaveRow,
  listOf,
  mergePage,
  nextOpen,
  placeOf,
  rowsShown,
  selectable,
  showEarlier,
  sweep,
  visibleIds,
  type InboxList,
} from '../../../web/src/inbox/list.ts';
import { noFilters } from '../../../web/src/base/router/routes.ts';
import { aRow, decided } from './rows.ts';

const rows = (...ids: string[]): ReturnType<typeof aRow>[] => ids.map((id) => aRow({ id }));
const list = (...ids: string[]): InboxList => listOf({ items: rows(...ids), nextCursor: null });
const many = (from: number, count: number): ReturnType<typeof aRow>[] =>
  Array.from({ length: count }, (_, n) => aRow({ id: `h-${from + n}` }));

describe('a live change', () => {
  test('a live change shows in its place: nothing is reordered, whatever its new deadline', () => {
    const { list: after } = applyRows(list('a', 'b', 'c'), [
      aRow({ id: 'c', version: 2, expiresAt: '2026-01-01T00:00:00Z' }),
    ]);
    expect(after.order).toEqual(['a', 'b', 'c']);
    expect(after.rows.get('c')?.version).toBe(2);
  });

  test('a live change that is older than what is shown changes nothing', () => {
    const before = listOf({ items: [aRow({ id: 'a', version: 5 })], nextCursor: null });
    expect(applyRows(before, [aRow({ id: 'a', version: 4 })]).list).toBe(before);
  });

  test('a live change of a hold the list does not know makes it ask, and inserts nothing', () => {
    const before = list('a');
    const { list: after, unknown } = applyRows(before, [aRow({ id: 'x' })]);
    expect(unknown).toBe(true);
    expect(after).toBe(before);
  });

  test('a live change ends a row in its place, where it stays until it was left', () => {
    const { list: ended } = applyRows(list('a', 'b'), [decided(aRow({ id: 'a' }))]);
    expect(ended.order).toEqual(['a', 'b']);
    const left = leaveRow(ended, 'a', 'forMe');
    expect([...left.left]).toEqual(['a']);
    expect(sweep(left).order).toEqual(['b']);
  });
});

test('a list has no column where nothing is asked of its reader, and has one while it is read, or searched, or of others', () => {
  expect(isClear(list(), noFilters)).toBe(true);
  expect(isClear(null, noFilters)).toBe(false);
  expect(isClear(list('a'), noFilters)).toBe(false);
  expect(isClear(list(), { ...noFilters, q: 'train' })).toBe(false);
  expect(isClear(list(), { ...noFilters, view: 'team' })).toBe(false);
});

describe('a row that is left', () => {
  test('a row that is left stays when it is open, and among the decided ones always', () => {
    expect(leaveRow(list('a'), 'a', 'forMe').left.size).toBe(0);
    const ended = listOf({ items: [decided(aRow({ id: 'a' }))], nextCursor: null });
    expect(leaveRow(ended, 'a', 'decided').left.size).toBe(0);
  });
});

describe('the first page read again', () => {
  test('the first page read again keeps new questions behind the pill, in the server’s order', () => {
    const {
      list: after,
      changes,
      missing,
    } = mergePage(list('a', 'b'), { items: rows('n1', 'a', 'n2', 'b'), nextCursor: null });
    expect(after.order).toEqual(['a', 'b']);
    expect(after.fresh.map(({ id }) => id)).toEqual(['n1', 'n2']);
    expect(changes).toBe(2);
    expect(missing).toEqual([]);
  });

  test('the first page read again counts what waits behind the pill already only once', () => {
    const page = { items: rows('n1', 'a'), nextCursor: null };
    expect(mergePage(mergePage(list('a'), page).list, page).changes).toBe(0);
  });

  test('the first page read again names rows that are no longer served, but only those the page would have', () => {
    expect(mergePage(list('a', 'b', 'c'), { items: rows('a', 'c'), nextCursor: null }).missing).toEqual(['b']);
    expect(mergePage(list('a', 'b', 'c', 'd'), { items: rows('a', 'c'), nextCursor: 'more' }).missing).toEqual(['b']);
  });

  test('the first page read again never takes a row away', () => {
    expect(mergePage(list('a', 'b'), { items: [], nextCursor: null }).list.order).toEqual(['a', 'b']);
    expect(dropRows(list('a', 'b'), ['a']).order).toEqual(['b']);
  });

  test('the first page read again forgets what came and ended before it was shown', () => {
    const { list: waiting } = mergePage(list('a'), { items: rows('n', 'a'), nextCursor: null });
    const { list: after } = applyRows(waiting, [decided(aRow({ id: 'n' }))]);
    expect(after.fresh).toEqual([]);
  });
});

describe('a long list', () => {
  const long = [0, 1, 2, 3, 4, 5, 6, 7].reduce(
    (all, n) => appendPage(all, { items: many(n * 50, 50), nextCursor: 'more' }),
    listOf({ items: [], nextCursor: 'more' }),
  );

  test('a long list draws at most 300 rows, the newest page among them', () => {
    expect(long.order.length).toBe(400);
    expect(visibleIds(long).length).toBe(rowsShown);
    expect(visibleIds(long).at(-1)).toBe('h-399');
  });

  test('a long list shows earlier rows again', () => {
    const back = showEarlier(long);
    expect(visibleIds(back)[0]).toBe('h-0');
    expect(hasLater(back)).toBe(true);
  });

  test('a long list takes no row twice although two pages overlap', () => {
    const { order } = appendPage(list('a', 'b'), { items: rows('b', 'c'), nextCursor: null });
    expect(order).toEqual(['a', 'b', 'c']);
  });
});

describe('selecting for one decision', () => {
  const call = aRow({ id: 'a' });

  test('selecting for one decision is for yes or no of one agent and one kind', () => {
    expect(selectable(call, undefined, false, 0)).toBe('yes');
    expect(selectable(aRow({ agent: 'other' }), call, false, 1)).toBe('other');
    expect(selectable(aRow({ kind: 'confirmation' }), call, false, 1)).toBe('other');
  });

  test('selecting for one decision is never for forms, authorisation, danger, or what others decide', () => {
    for (const change of [
      { kind: 'form' },
      { kind: 'authorization' },
      { kind: 'text' },
      { danger: true },
      { mayDecide: false },
      { status: 'expired' },
    ] as const) {
      expect(selectable(aRow(change), undefined, false, 0)).toBe('alone');
    }
  });

  test('ends at 50', () => {
    expect(selectable(call, call, false, 50)).toBe('full');
    expect(selectable(call, call, true, 50)).toBe('yes');
  });

  test('selecting for one decision takes a range either way round', () => {
    expect(idsBetween(['a', 'b', 'c', 'd'], 'c', 'a')).toEqual(['a', 'b', 'c']);
    expect(idsBetween(['a', 'b'], 'gone', 'b')).toEqual(['b']);
  });
});

describe('what comes next', () => {
  test('what comes next is the next open one below that the reader may decide, else from the top', () => {
    const items = [
      aRow({ id: 'a' }),
      aRow({ id: 'b', mayDecide: false, forMe: false }),
      decided(aRow({ id: 'c' })),
      aRow({ id: 'd' }),
    ];
    const all = listOf({ items, nextCursor: null });
    expect(nextOpen(all, 'a')).toBe('d');
    expect(nextOpen(all, 'd')).toBe('a');
    expect(nextOpen(list('a'), 'a')).toBeNull();
  });
});

describe('the place of a question', () => {
  const forMe = { view: 'forMe', total: 0 } as const;
  const over = (id: string): ReturnType<typeof aRow> => decided(aRow({ id }));

  test('the place of a question is among those that wait, and its own whatever became of it', () => {
    const all = listOf({ items: [over('a'), ...rows('b'), over('c'), ...rows('d')], nextCursor: null });
    expect(placeOf(all, all.order, 'd', forMe)).toEqual({ index: 2, count: '2' });
    expect(placeOf(all, all.order, 'c', forMe)).toEqual({ index: 2, count: '3' });
    expect(placeOf(all, all.order, 'd', { ...forMe, view: 'decided' })).toEqual({ index: 4, count: '4' });
    expect(placeOf(all, all.order, 'e', forMe)).toBeNull();
  });

  test('the place of a question counts what is not loaded as the server does, and says so where it is not counted', () => {
    const part = listOf({ items: rows('a', 'b'), nextCursor: 'more' });
    expect(placeOf(part, part.order, 'b', { ...forMe, total: 68 })).toEqual({ index: 2, count: '68' });
    expect(placeOf(part, part.order, 'b', forMe)).toEqual({ index: 2, count: '2+' });
  });
});
