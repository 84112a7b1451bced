// The list of one query, kept live: asks the server, follows changes, and hands both to list.ts.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { HoldRowView, InboxCounts } from '../../../src/contract/views/inbox.ts';
import { announceNew } from '../base/page/announce.tsx';
import { ApiError, get, holdApi } from '../base/live/api.ts';
import { greeted, onGap, onGone, onRows, totalsApplier } from '../base/live/event-stream.ts';
import { rowOfHold } from '../hold/row/hold-row.ts';
import {
  appendPage,
  applyRows,
  dropRows,
  leaveRow,
  listOf,
  mergePage,
  showEarlier,
  showLater,
  sweep,
  type InboxList,
  type InboxPage,
} from './list.ts';
import { narrowing, type Filters, withQuery } from '../base/router/routes.ts';

/** Answer of `GET /api/inbox/rows?view=…`, and how many each view has. */
interface HoldsPage {
  items: HoldRowView[];
  nextCursor: string | null;
  totals: InboxCounts;
}

export interface InboxData {
  status: 'loading' | 'ready' | 'failed';
  list: InboxList | null;
  error: ApiError | null;
  isLoadingMore: boolean;
  reload: () => Promise<InboxList | null>;
  more: () => Promise<void>;
  leave: (id: string) => void;
  sweepLeft: () => void;
  earlier: () => void;
  later: () => void;
}

const pageSize = 50;
/** Rows that vanished are read one by one, but not hundreds of them. */
const missingReadAtMost = 50;
/** How often a list asks whether it holds a row that an event named. */
const probeEveryMs = 1_000;
const fadeMs = 160;

export function listPath(filters: Filters, cursor: string | null): string {
  const isEvery = filters.view === 'every';
  return withQuery('/api/inbox/rows', {
    limit: String(pageSize),
    view: isEvery ? '' : filters.view,
    // What has ended has no deadline: among open ones it would stand anywhere.
    sort: isEvery ? 'newest' : filters.sort,
    ...Object.fromEntries(narrowing.map((name) => [name, filters[name]])),
    cursor: cursor ?? '',
  });
}

async function readPage(filters: Filters, cursor: string | null, signal: AbortSignal): Promise<InboxPage> {
  const applyTotals = totalsApplier();
  const { items, nextCursor, totals } = await get<HoldsPage>(listPath(filters, cursor), { signal });
  applyTotals(totals);
  return { items, nextCursor };
}

/** What became of rows that are no longer served: as they are now, or null for what the reader may not see. */
async function readRows(ids: readonly string[], signal: AbortSignal): Promise<Map<string, HoldRowView | null>> {
  const found = new Map<string, HoldRowView | null>();
  await Promise.all(
    ids.slice(0, missingReadAtMost).map(async (id) => {
      try {
        found.set(id, rowOfHold(await get<HoldView>(holdApi(id), { signal })));
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) found.set(id, null);
      }
    }),
  );
  return found;
}

export function useInboxData(filters: Filters, userId: string): InboxData {
  const key = `${userId} ${listPath(filters, null)}`;
  const [state, setState] = useState<{
    key: string;
    status: InboxData['status'];
    list: InboxList | null;
    error: ApiError | null;
  }>({ key, status: 'loading', list: null, error: null });
  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const latest = useRef<InboxList | null>(null);
  const abort = useRef<AbortController | null>(null);
  const current = useRef({ key, filters });
  current.current = { key, filters };

  const show = useCallback((list: InboxList) => {
    latest.current = list;
    setState({ key: current.current.key, status: 'ready', list, error: null });
  }, []);

  const reload = useCallback(async (): Promise<InboxList | null> => {
    const { key: asked, filters: with_ } = current.current;
    const signal = abort.current?.signal;
    if (signal === undefined) return null;
    try {
      const page = await readPage(with_, null, signal);
      if (current.current.key !== asked || signal.aborted) return null;
      const list = listOf(page);
      show(list);
      return list;
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) return null;
      if (latest.current === null) setState({ key: asked, status: 'failed', list: null, error });
      return null;
    }
  }, [show]);

  /** Asks for the first page and weaves it in; resolves to how much of it was news. */
  const refresh = useCallback(async (): Promise<number> => {
    const signal = abort.current?.signal;
    if (signal === undefined) return 0;
    if (latest.current === null) {
      await reload();
      return 0;
    }
    const page = await readPage(current.current.filters, null, signal);
    const before = latest.current;
    if (signal.aborted || before === null) return 0;
    if (before.order.length === 0) {
      show(listOf(page));
      announceNew(page.items.length);
      return page.items.length;
    }
    const merged = mergePage(before, page);
    const freshCount = merged.list.fresh.length - before.fresh.length;
    show(merged.list);
    if (freshCount > 0) announceNew(freshCount);
    if (merged.missing.length === 0) return merged.changes;
    const found = await readRows(merged.missing, signal);
    const now = latest.current;
    if (signal.aborted || now === null) return merged.changes;
    const rows = [...found.values()].filter((row) => row !== null);
    const gone = [...found].flatMap(([id, row]) => (row === null ? [id] : []));
    show(dropRows(applyRows(now, rows).list, gone));
    return merged.changes + rows.filter((row) => row.status !== 'open').length + gone.length;
  }, [reload, show]);

  useEffect(() => {
    const mine = new AbortController();
    abort.current = mine;
    latest.current = null;
    setState({ key, status: 'loading', list: null, error: null });
    // The stream is opened first: what changes after its greeting arrives, so the list is read once.
    let stage: 'before' | 'asked' | 'done' = 'before';
    let hasMissed = false;
    let early: HoldRowView[] = [];
    void (async () => {
      await greeted();
      if (mine.signal.aborted) return;
      stage = 'asked';
      await reload();
      stage = 'done';
      if (latest.current === null) return;
      if (early.length > 0) show(applyRows(latest.current, early).list);
      early = [];
      if (hasMissed) await refresh().catch(() => 0);
    })();
    let probe: ReturnType<typeof setTimeout> | null = null;
    const stopRows = onRows((rows) => {
      if (latest.current === null) {
        if (stage === 'asked') early.push(...rows);
        return;
      }
      const { list, unknown } = applyRows(latest.current, rows);
      // Put off by the reader themselves: out of their own list at once.
      const asleep =
        current.current.filters.view === 'forMe'
          ? rows.flatMap((row) => (row.snoozedUntil === null ? [] : [row.id]))
          : [];
      if (list !== latest.current) show(dropRows(list, asleep));
      if (unknown && probe === null) {
        probe = setTimeout(
          () => {
            probe = null;
            refresh().catch(() => 0);
          },
          latest.current.order.length === 0 ? 0 : probeEveryMs,
        );
      }
    });
    const stopGone = onGone((id) => {
      if (latest.current !== null) show(dropRows(latest.current, [id]));
    });
    const stopGap = onGap(async () => {
      if (stage === 'done') return refresh();
      hasMissed = stage === 'asked';
      return 0;
    });
    return () => {
      mine.abort();
      stopRows();
      stopGone();
      stopGap();
      if (probe !== null) clearTimeout(probe);
    };
  }, [key, reload, refresh, show]);

  const more = useCallback(async () => {
    const signal = abort.current?.signal;
    const before = latest.current;
    if (signal === undefined || before?.nextCursor == null) return;
    setIsLoadingMore(true);
    try {
      const page = await readPage(current.current.filters, before.nextCursor, signal);
      if (!signal.aborted && latest.current !== null) show(appendPage(latest.current, page));
    } catch {
      // The button is there still, and the bar says that the connection is gone.
    } finally {
      setIsLoadingMore(false);
    }
  }, [show]);

  const change = useCallback(
    (make: (list: InboxList) => InboxList) => {
      if (latest.current === null) return;
      const next = make(latest.current);
      if (next !== latest.current) show(next);
    },
    [show],
  );
  const leave = useCallback(
    (id: string) => change((list) => leaveRow(list, id, current.current.filters.view)),
    [change],
  );
  const sweepLeft = useCallback(() => {
    if (latest.current === null || latest.current.left.size === 0) return;
    setTimeout(() => change(sweep), fadeMs);
  }, [change]);
  const earlier = useCallback(() => change(showEarlier), [change]);
  const later = useCallback(() => change(showLater), [change]);

  // A query that has just changed shows nothing of the one before.
  const isCurrent = state.key === key;
  return {
    status: isCurrent ? state.status : 'loading',
    list: isCurrent ? state.list : null,
    error: isCurrent ? state.error : null,
    isLoadingMore,
    reload,
    more,
    leave,
    sweepLeft,
    earlier,
    later,
  };
}
