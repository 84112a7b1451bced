// The list of one query, kept live, as the page sees it.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ApiError } from '../base/live/api.ts';
import type { Filters } from '../base/router/routes.ts';
import {
  firstList,
  follow,
  listPath,
  type ListQuery,
  readMore,
  readTo,
  reload as reloadList,
  show,
} from './list-query.ts';
import { type InboxList, leaveRow, showEarlier, showLater, sweep } from './list.ts';

interface Shown {
  status: 'loading' | 'ready' | 'failed';
  list: InboxList | null;
  error: ApiError | null;
}

export interface InboxData extends Shown {
  isLoadingMore: boolean;
  reload: () => Promise<InboxList | null>;
  more: () => Promise<void>;
  leave: (id: string) => void;
  sweepLeft: () => void;
  earlier: () => void;
  later: () => void;
}

const fadeMs = 160;
const loading: Shown = { status: 'loading', list: null, error: null };
const readyOf = (list: InboxList | null): Shown => (list === null ? loading : { status: 'ready', list, error: null });

/** `wantedId`: of a question further down the list is read until there. */
export function useInboxData(filters: Filters, userId: string, wantedId: string | null): InboxData {
  const key = `${userId} ${listPath(filters)}`;
  const [state, setState] = useState<Shown & { key: string }>(() => ({ key, ...readyOf(firstList(filters)) }));
  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const query = useRef<ListQuery | null>(null);

  useEffect(() => {
    const mine = new AbortController();
    const asked: ListQuery = {
      filters,
      signal: mine.signal,
      // Of this query only at the start, when it came with the page.
      list: state.key === key ? state.list : null,
      onList: (list) => setState({ key, ...readyOf(list) }),
      onError: (error) => setState({ key, status: 'failed', list: null, error }),
    };
    query.current = asked;
    if (asked.list === null) setState({ key, ...loading });
    const stop = follow(asked);
    return () => {
      mine.abort();
      stop();
    };
    // Equal filters have an equal key.
  }, [key]);

  const reload = useCallback(async () => (query.current === null ? null : reloadList(query.current)), []);
  const more = useCallback(async () => {
    const { current } = query;
    if (current?.list?.nextCursor == null) return;
    setIsLoadingMore(true);
    try {
      await readMore(current);
    } catch {
      // The button is there still, and the bar says that the connection is gone.
    } finally {
      setIsLoadingMore(false);
    }
  }, []);

  const change = useCallback((make: (list: InboxList, view: Filters['view']) => InboxList) => {
    const { current } = query;
    if (current !== null && current.list !== null) show(current, make(current.list, current.filters.view));
  }, []);
  const leave = useCallback((id: string) => change((list, view) => leaveRow(list, id, view)), [change]);
  const sweepLeft = useCallback(() => {
    if ((query.current?.list?.left.size ?? 0) > 0) setTimeout(() => change(sweep), fadeMs);
  }, [change]);
  const earlier = useCallback(() => change(showEarlier), [change]);
  const later = useCallback(() => change(showLater), [change]);

  // A query that has just changed shows nothing of the one before.
  const shown = state.key === key ? state : loading;
  const { status, list, error } = shown;
  const isReady = list !== null;
  useEffect(() => {
    // What cannot be read now is read by the button at the foot.
    if (isReady && wantedId !== null && query.current !== null) readTo(query.current, wantedId).catch(() => undefined);
  }, [key, isReady, wantedId]);
  return { status, list, error, isLoadingMore, reload, more, leave, sweepLeft, earlier, later };
}
