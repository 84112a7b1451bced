// A list that is read on for the question that an address leads to: how much is asked for it, and what is drawn then.
import { describe, expect, test } from '@jest/globals';
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { appendPage, type InboxList, type InboxPage, listOf } from '../../../web/src/inbox/list.ts';
import { readOn } from '../../../web/src/inbox/read-on.ts';
import { aRow } from './rows.ts';

const rows = Array.from({ length: 1_000 }, (_, n) => aRow({ id: `h-${n}` }));
const pageFrom = (cursor: string, length = 200): InboxPage => {
  const [from, to] = [Number(cursor), Number(cursor) + length];
  return { items: rows.slice(from, to), nextCursor: to < rows.length ? String(to) : null };
};

/** The first fifty are on show; `meanwhile` is done as the first page is read. */
const sourceOf = (meanwhile: (tell: (changed: HoldRowView[]) => void) => void = () => undefined) => {
  const asked: string[] = [];
  let shown: InboxList = listOf(pageFrom('0', 50));
  let tell: (changed: HoldRowView[]) => void = () => undefined;
  return {
    asked,
    shown: () => shown,
    readOnByHand: () => {
      shown = appendPage(shown, pageFrom('50', 50));
    },
    isOfList: async () => true,
    page: async (cursor: string): Promise<InboxPage> => {
      asked.push(cursor);
      const page = pageFrom(cursor);
      if (asked.length === 2) meanwhile(tell);
      return page;
    },
    onRows: (cb: typeof tell) => {
      tell = cb;
      return () => undefined;
    },
  };
};

describe('the list that is read on for a question', () => {
  test.each([
    ['h-60', ['50'], 250],
    ['h-449', ['50', '250'], 450],
  ])('down to %s comes whole, to be drawn once', async (id, pages, length) => {
    const source = sourceOf();
    const read = await readOn(id, source);
    expect([source.asked, read?.order]).toEqual([pages, rows.slice(0, length).map((row) => row.id)]);
  });

  test('the list that is read on for a question is not drawn where the question is further down, and not read where it is of another list', async () => {
    const source = sourceOf();
    expect([await readOn('h-900', source), source.asked]).toEqual([null, ['50', '250', '450']]);
    const other = { ...sourceOf(), isOfList: async () => false };
    expect([await readOn('h-900', other), other.asked]).toEqual([null, []]);
  });

  test('the list that is read on for a question has what changed while it was read, and follows a reader who reads on by hand', async () => {
    const source = sourceOf((tell) => {
      source.readOnByHand();
      tell([aRow({ id: 'h-70', version: 9 })]);
    });
    const read = await readOn('h-449', source);
    expect(read?.order).toEqual(rows.slice(0, 500).map(({ id }) => id));
    const changing = sourceOf((tell) => tell([aRow({ id: 'h-70', version: 9 })]));
    expect((await readOn('h-449', changing))?.rows.get('h-70')?.version).toBe(9);
  });
});
