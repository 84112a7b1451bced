// A list read on for a question that an address leads to, while what is drawn of it stays as it is.
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { appendPage, applyRows, type InboxList, type InboxPage, rowsOf } from './list.ts';

export interface Source {
  /** The list as it is on show; null: it is not, or not any more. */
  shown: () => InboxList | null;
  /** Whether the question belongs to the list, however far down. */
  isOfList: () => Promise<boolean>;
  page: (cursor: string) => Promise<InboxPage>;
  /** Calls with rows that changed, until what it returns is called. */
  onRows: (cb: (rows: readonly HoldRowView[]) => void) => () => void;
}

/** The list is read no further than to so many rows. */
const atMost = 500;

/** The list on show with all down to this question; null: it is there already, or not in what is read. */
export async function readOn(id: string, source: Source): Promise<InboxList | null> {
  const before = source.shown();
  if (before === null || before.rows.has(id) || before.nextCursor === null) return null;
  if (before.order.length >= atMost || !(await source.isOfList())) return null;
  let read = before;
  const stop = source.onRows((rows) => {
    read = applyRows(read, rows).list;
  });
  try {
    while (source.shown() !== null && read.nextCursor !== null && read.order.length < atMost && !read.rows.has(id)) {
      const page = await source.page(read.nextCursor);
      read = appendPage(read, page);
    }
  } finally {
    stop();
  }
  const now = source.shown();
  if (now === null || !read.rows.has(id)) return null;
  // Meanwhile it was read from the top again, or read on by hand.
  if (now.nextCursor !== before.nextCursor) return readOn(id, source);
  return appendPage(now, { items: rowsOf(read, read.order.slice(before.order.length)), nextCursor: read.nextCursor });
}
