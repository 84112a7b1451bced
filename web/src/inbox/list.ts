/*
 * The list as the reader has it before them; pure. Nothing moves under the hand: a change shows in its place, what is new
 * waits behind a pill, what has ended stays struck until it was left.
 */
import { hasEnded } from '../../../src/contract/holds/hold-names.ts';
import { bulkAtMost } from '../../../src/contract/views/inbox-names.ts';
import type { HoldRowView, InboxCounts } from '../../../src/contract/views/inbox.ts';
import { type Filters, hasFilters } from '../base/router/routes.ts';

export interface InboxPage {
  items: HoldRowView[];
  nextCursor: string | null;
}

export interface InboxList {
  order: readonly string[];
  rows: ReadonlyMap<string, HoldRowView>;
  /** Came since, in the server's order; shown when the reader asks. */
  fresh: readonly HoldRowView[];
  nextCursor: string | null;
  /** Ended ones the reader was on and has left: they fade, then go. */
  left: ReadonlySet<string>;
  /** How many rows before `order[0]` were dropped, to keep the page small. */
  windowStart: number;
}

export const rowsShown = 300;

/** Nothing is asked of the reader: there is no column of questions then, and the day is the whole page. */
export const isClear = (list: InboxList | null, filters: Filters): boolean =>
  list?.order.length === 0 && filters.view === 'forMe' && !hasFilters(filters);

export const isOpenRow = (row: HoldRowView): boolean => !hasEnded(row.status);

/** Of what has ended as well: nothing is struck there, and it stays. */
export const isRecord = (view: Filters['view']): view is 'decided' | 'every' => view === 'decided' || view === 'every';

/** How many fit the filters is not counted, nor how many have ended; of other views it is known. */
export const totalOf = (filters: Filters, counts: InboxCounts | null): number =>
  isRecord(filters.view) || hasFilters(filters) ? 0 : (counts?.[filters.view] ?? 0);

export const listOf = (page: InboxPage): InboxList => ({
  order: page.items.map(({ id }) => id),
  rows: new Map(page.items.map((row) => [row.id, row])),
  fresh: [],
  nextCursor: page.nextCursor,
  left: new Set(),
  windowStart: 0,
});

export function appendPage(list: InboxList, page: InboxPage): InboxList {
  const rows = new Map(list.rows);
  const order = [...list.order];
  for (const row of page.items) {
    if (!rows.has(row.id)) order.push(row.id);
    rows.set(row.id, row);
  }
  // What waited behind the pill may be on this page.
  const fresh = list.fresh.filter(({ id }) => !rows.has(id));
  return {
    ...list,
    rows,
    order,
    fresh,
    nextCursor: page.nextCursor,
    windowStart: Math.max(list.windowStart, order.length - rowsShown),
  };
}

const isNewer = (row: HoldRowView, known: HoldRowView | undefined): boolean =>
  known === undefined || row.version > known.version;

/** Rows that changed: known ones in their place. `unknown`: the list has to be asked whether it holds them. */
export function applyRows(list: InboxList, changed: readonly HoldRowView[]): { list: InboxList; unknown: boolean } {
  let rows: Map<string, HoldRowView> | null = null;
  let fresh = list.fresh;
  let unknown = false;
  for (const row of changed) {
    const known = list.rows.get(row.id);
    if (known !== undefined) {
      if (!isNewer(row, known)) continue;
      rows ??= new Map(list.rows);
      rows.set(row.id, row);
      continue;
    }
    const waiting = fresh.find(({ id }) => id === row.id);
    if (waiting === undefined) unknown = true;
    else if (isNewer(row, waiting)) {
      // What ended before it was shown was never on this list.
      fresh =
        isOpenRow(row) === isOpenRow(waiting)
          ? fresh.map((one) => (one.id === row.id ? row : one))
          : fresh.filter(({ id }) => id !== row.id);
    }
  }
  if (rows === null && fresh === list.fresh) return { list, unknown };
  return { list: { ...list, rows: rows ?? list.rows, fresh }, unknown };
}

/**
 * The first page as the server has it now. Known rows change in place, new ones wait behind the pill; `missing` are rows that
 * are on show as open and no longer among those the page covers: they ended, or are no longer asked of the reader.
 */
export function mergePage(list: InboxList, page: InboxPage): { list: InboxList; missing: string[]; changes: number } {
  const rows = new Map(list.rows);
  const served = new Set(page.items.map(({ id }) => id));
  let changes = 0;
  const fresh: HoldRowView[] = [];
  for (const row of page.items) {
    const known = rows.get(row.id);
    if (known === undefined) fresh.push(row);
    else if (isNewer(row, known)) {
      rows.set(row.id, row);
      changes += 1;
    }
  }
  const known = new Set(list.fresh.map(({ id }) => id));
  changes += fresh.filter(({ id }) => !known.has(id)).length;
  const covered = page.nextCursor === null ? list.order : list.order.slice(0, lastServed(list, served) + 1);
  const missing = covered.filter((id) => {
    const row = rows.get(id);
    return row !== undefined && isOpenRow(row) && !served.has(id);
  });
  return { list: { ...list, rows, fresh }, missing, changes };
}

function lastServed(list: InboxList, served: ReadonlySet<string>): number {
  return list.order.findLastIndex((id) => served.has(id));
}

/** Rows that the reader may not see any more. */
export function dropRows(list: InboxList, ids: readonly string[]): InboxList {
  if (ids.length === 0) return list;
  const gone = new Set(ids);
  const rows = new Map(list.rows);
  for (const id of ids) rows.delete(id);
  const left = new Set([...list.left].filter((id) => !gone.has(id)));
  return { ...list, rows, left, order: list.order.filter((id) => !gone.has(id)) };
}

/** The reader moved away from a row: one that had ended begins to fade. */
export function leaveRow(list: InboxList, id: string, view: Filters['view']): InboxList {
  const row = list.rows.get(id);
  if (isRecord(view) || row === undefined || isOpenRow(row) || list.left.has(id)) return list;
  return { ...list, left: new Set([...list.left, id]) };
}

export const sweep = (list: InboxList): InboxList => dropRows(list, [...list.left]);

/** At most 300 rows are drawn. */
export const visibleIds = (list: InboxList): readonly string[] =>
  list.order.slice(list.windowStart, list.windowStart + rowsShown);

export const showEarlier = (list: InboxList): InboxList => ({
  ...list,
  windowStart: Math.max(0, list.windowStart - rowsShown / 2),
});

/** More is loaded than is drawn below. */
export const hasLater = (list: InboxList): boolean => list.windowStart + rowsShown < list.order.length;
export const showLater = (list: InboxList): InboxList => ({
  ...list,
  windowStart: Math.min(Math.max(0, list.order.length - rowsShown), list.windowStart + rowsShown / 2),
});

export const rowsOf = (list: InboxList | null, ids: readonly string[]): HoldRowView[] =>
  ids.map((id) => list?.rows.get(id)).filter((row) => row !== undefined);

/** Bulk is for sameness: one agent, one kind of yes or no, nothing marked dangerous. */
export const isBulkRow = (row: HoldRowView): boolean =>
  row.status === 'open' &&
  row.outgoing === null &&
  row.mayDecide &&
  !row.danger &&
  (row.kind === 'confirmation' || row.kind === 'tool_call');

export type Selectable = 'yes' | 'alone' | 'other' | 'full';

export function selectable(
  row: HoldRowView,
  first: HoldRowView | undefined,
  isSelected: boolean,
  count: number,
): Selectable {
  if (!isBulkRow(row)) return 'alone';
  if (first !== undefined && (first.agent !== row.agent || first.kind !== row.kind)) return 'other';
  return !isSelected && count >= bulkAtMost ? 'full' : 'yes';
}

/** The ids from one row to another, either way round. */
export function idsBetween(ids: readonly string[], from: string, to: string): string[] {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)];
  if (a < 0 || b < 0) return b < 0 ? [] : [to];
  return ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}

export const hasBulk = (list: InboxList): boolean => [...list.rows.values()].some(isBulkRow);

/**
 * The place of a question among those that wait, which of the record are all; null: it has none. What has ended or is sent
 * keeps its line for a while, and is not counted but for the question itself. `total`: as far as the server counts them.
 */
export function placeOf(
  list: InboxList,
  ids: readonly string[],
  id: string,
  { view, total }: { view: Filters['view']; total: number },
): { index: number; count: string } | null {
  const isCounted = (one: string): boolean => {
    const row = list.rows.get(one);
    return one === id || isRecord(view) || (row !== undefined && isOpenRow(row) && row.outgoing === null);
  };
  const index = ids.filter(isCounted).indexOf(id);
  if (index < 0) return null;
  const loaded = list.order.filter(isCounted).length;
  const isCut = list.nextCursor !== null && total < loaded;
  const count = list.nextCursor === null || isCut ? loaded : total;
  return { index: list.windowStart + index + 1, count: isCut ? `${count}+` : `${count}` };
}

/** What comes after this one and still waits for the reader; from the top again when nothing does below. `isDone`: known sooner than by its row. */
export function nextOpen(
  list: InboxList,
  id: string | null,
  isDone: (id: string) => boolean = () => false,
): string | null {
  const at = id === null ? -1 : list.order.indexOf(id);
  const round = [...list.order.slice(at + 1), ...list.order.slice(0, Math.max(0, at))];
  return round.find((one) => list.rows.get(one)?.forMe === true && !isDone(one)) ?? null;
}
