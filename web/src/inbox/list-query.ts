// One query of the list: asks the server, follows changes, and weaves both in by list.ts.
import { hasEnded } from '../../../src/contract/holds/hold-names.ts';
import { startTransition } from 'react';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { HoldRowView, InboxCounts } from '../../../src/contract/views/inbox.ts';
import { ApiError, get, holdApi } from '../base/live/api.ts';
import { dropFirst, firstAnswer } from '../base/live/first-answers.ts';
import { greeted, onGap, onGone, onRows, totalsApplier } from '../base/live/event-stream.ts';
import { announceNew } from '../base/page/announce.tsx';
import { type Filters, narrowing, noFilters, withQuery } from '../base/router/routes.ts';
import { rowOfHold } from '../hold/row/hold-row.ts';
import { appendPage, applyRows, dropRows, type InboxList, type InboxPage, listOf, mergePage } from './list.ts';
import { readOn } from './read-on.ts';

/** Until `signal` says that another query took its place. */
export interface ListQuery {
  filters: Filters;
  signal: AbortSignal;
  /** Null: not read yet. */
  list: InboxList | null;
  onList: (list: InboxList) => void;
  /** There is nothing to show, for this reason. */
  onError: (error: ApiError) => void;
}

/** Answer of `GET /api/inbox/rows?view=…`, and how many each view has. */
interface HoldsPage {
  items: HoldRowView[];
  nextCursor: string | null;
  totals: InboxCounts;
}

const pageSize = 50;
/** The most that the server gives at once. */
const largePage = 200;
/** Rows that vanished are read one by one, but not hundreds of them. */
const missingReadAtMost = 50;
/** How often a list asks whether it holds a row that an event named. */
const probeEveryMs = 1_000;

const narrowed = ({ view, ...filters }: Filters): Record<string, string> => ({
  view: view === 'every' ? '' : view,
  ...Object.fromEntries(narrowing.map((name) => [name, filters[name]])),
});

/** Where the server counts a part of the list. */
export const countPath = (filters: Filters, dueFrom: string, dueTo: string): string =>
  withQuery('/api/inbox/count', { ...narrowed(filters), dueFrom, dueTo });

/** Where the server says what of the list can be answered together; `like`: the lines of those like it. */
export const alikePath = (filters: Filters, like = ''): string =>
  withQuery('/api/inbox/alike', { ...narrowed(filters), like });

export function listPath(
  filters: Filters,
  asked: { cursor?: string | null; id?: string; limit?: number } = {},
): string {
  return withQuery('/api/inbox/rows', {
    limit: String(asked.limit ?? pageSize),
    ...narrowed(filters),
    // What has ended has no deadline: among open ones it would be anywhere.
    sort: filters.view === 'every' ? 'newest' : filters.sort,
    cursor: asked.cursor ?? '',
    id: asked.id ?? '',
  });
}

const firstPage = (filters: Filters): HoldsPage | null => firstAnswer<HoldsPage>(listPath(filters));

const came = firstPage(noFilters);
if (came !== null) totalsApplier()(came.totals);

/** As it came with the page; null: it did not. */
export function firstList(filters: Filters): InboxList | null {
  const page = firstPage(filters);
  return page === null ? null : listOf(page);
}

async function readPage(
  { filters, signal }: ListQuery,
  asked: Parameters<typeof listPath>[1] = {},
): Promise<InboxPage> {
  const applyTotals = totalsApplier();
  const { items, nextCursor, totals } = await get<HoldsPage>(listPath(filters, asked), { signal });
  applyTotals(totals);
  return { items, nextCursor };
}

/** What became of rows that are no longer served: as they are now, and the ids of those that the reader may not see. */
async function readRows(ids: readonly string[], signal: AbortSignal): Promise<{ rows: HoldRowView[]; gone: string[] }> {
  const rows: HoldRowView[] = [];
  const gone: string[] = [];
  await Promise.all(
    ids.slice(0, missingReadAtMost).map(async (id) => {
      try {
        rows.push(rowOfHold(await get<HoldView>(holdApi(id), { signal })));
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) gone.push(id);
      }
    }),
  );
  return { rows, gone };
}

export function show(query: ListQuery, list: InboxList): void {
  if (list === query.list) return;
  query.list = list;
  query.onList(list);
}

/** Reads the first page in place of all that was shown. */
export async function reload(query: ListQuery): Promise<InboxList | null> {
  try {
    const page = await readPage(query);
    if (query.signal.aborted) return null;
    const list = listOf(page);
    show(query, list);
    return list;
  } catch (error) {
    if (!query.signal.aborted && error instanceof ApiError && query.list === null) query.onError(error);
    return null;
  }
}

/** Asks for the first page and weaves it in; resolves to how much of it was news. */
async function refresh(query: ListQuery): Promise<number> {
  if (query.list === null) {
    await reload(query);
    return 0;
  }
  const page = await readPage(query);
  if (query.signal.aborted) return 0;
  const before = query.list;
  if (before.order.length === 0) {
    show(query, listOf(page));
    announceNew(page.items.length);
    return page.items.length;
  }
  const merged = mergePage(before, page);
  const freshCount = merged.list.fresh.length - before.fresh.length;
  if (merged.changes > 0 || freshCount !== 0) show(query, merged.list);
  if (freshCount > 0) announceNew(freshCount);
  return merged.changes + (await followUp(query, merged.missing));
}

/** Shows what became of rows that a page no longer has; resolves to how many ended. */
async function followUp(query: ListQuery, missing: readonly string[]): Promise<number> {
  if (missing.length === 0) return 0;
  const { rows, gone } = await readRows(missing, query.signal);
  if (query.signal.aborted || query.list === null) return 0;
  show(query, dropRows(applyRows(query.list, rows).list, gone));
  return rows.filter((row) => hasEnded(row.status)).length + gone.length;
}

/** Reads the next page at the foot of the list. */
export async function readMore(query: ListQuery): Promise<void> {
  const cursor = query.list?.nextCursor ?? null;
  if (cursor === null) return;
  const page = await readPage(query, { cursor });
  if (!query.signal.aborted && query.list !== null) show(query, appendPage(query.list, page));
}

/** Reads on until the list has this question, where it belongs to it; what is read on the way to none is not drawn. */
export async function readTo(query: ListQuery, id: string): Promise<void> {
  const read = await readOn(id, {
    shown: () => (query.signal.aborted ? null : query.list),
    isOfList: async () => (await readPage(query, { id, limit: 1 })).items.length > 0,
    page: (cursor) => readPage(query, { cursor, limit: largePage }),
    onRows,
  });
  if (read !== null) startTransition(() => show(query, read));
}

/** Rows that events brought into the list that is shown; true: the list may hold one that it does not know. */
function weave(query: ListQuery, list: InboxList, rows: readonly HoldRowView[]): boolean {
  const applied = applyRows(list, rows);
  // Put off by the reader themselves: out of their own list at once.
  const asleep =
    query.filters.view === 'forMe' ? rows.flatMap((row) => (row.snoozedUntil === null ? [] : [row.id])) : [];
  if (applied.list !== list) show(query, dropRows(applied.list, asleep));
  return applied.unknown;
}

/** Reads the list, then keeps it as events say; ends with what it returns. */
export function follow(query: ListQuery): () => void {
  dropFirst(listPath(query.filters));
  // The stream is opened first: what changes after its greeting arrives, so the list is read once.
  let stage: 'before' | 'asked' | 'done' = 'before';
  let hasMissed = false;
  let early: HoldRowView[] = [];
  const begin = async (): Promise<void> => {
    await greeted();
    if (query.signal.aborted) return;
    stage = 'asked';
    // One that came with the page may have changed before the stream was open.
    await refresh(query).catch(() => 0);
    stage = 'done';
    if (query.list === null) return;
    show(query, applyRows(query.list, early).list);
    early = [];
    if (hasMissed) await refresh(query).catch(() => 0);
  };
  void begin();
  let probe: ReturnType<typeof setTimeout> | null = null;
  const probeSoon = (ms: number): void => {
    probe ??= setTimeout(() => {
      probe = null;
      refresh(query).catch(() => 0);
    }, ms);
  };
  const stops = [
    onRows((rows) => {
      if (query.list === null) {
        if (stage === 'asked') early.push(...rows);
      } else if (weave(query, query.list, rows)) probeSoon(query.list.order.length === 0 ? 0 : probeEveryMs);
    }),
    onGone((id) => {
      if (query.list !== null) show(query, dropRows(query.list, [id]));
    }),
    onGap(async () => {
      if (stage === 'done') return refresh(query);
      hasMissed = stage === 'asked';
      return 0;
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    if (probe !== null) clearTimeout(probe);
  };
}
