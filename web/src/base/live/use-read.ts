// What a page reads and shows: asked for when it opens, and again when something has changed elsewhere.
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, get } from './api.ts';
import { onGap, onRows } from './event-stream.ts';
import { retryDelayMs } from './stream-state.ts';

export interface Read<T> {
  /** The answer to the path asked now; while another one is on its way, the one before it. */
  data: T | null;
  error: ApiError | null;
  isLoading: boolean;
  reread: () => void;
}

interface Options {
  /** Asked again whenever a question has changed. */
  isLive?: boolean;
  /** And so often, while the page is visible: of what changes without a question. */
  everyMs?: number;
  /** And whenever this is another one. */
  on?: unknown;
  /** Begins to read; what it returns takes that back. Always the same function. */
  begin?: (read: () => void) => (() => void) | void;
}

const atOnce = (read: () => void): void => read();

/** Many changes at once are one reason to ask again. */
const gatherMs = 700;

/** A path of null asks for nothing. */
export function useRead<T>(
  path: string | null,
  { isLive = false, everyMs, on, begin = atOnce }: Options = {},
): Read<T> {
  const [state, setState] = useState<Omit<Read<T>, 'reread'>>({ data: null, error: null, isLoading: true });
  const reader = useRef<() => Promise<void>>(async () => undefined);
  useEffect(() => {
    if (path === null) {
      setState({ data: null, error: null, isLoading: false });
      return undefined;
    }
    const abort = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const read = async (): Promise<void> => {
      clearTimeout(again);
      try {
        const data = await get<T>(path, { signal: abort.signal });
        if (!abort.signal.aborted) setState({ data, error: null, isLoading: false });
        failures = 0;
      } catch (error) {
        if (abort.signal.aborted || !(error instanceof ApiError)) return;
        setState((before) => ({ ...before, error, isLoading: false }));
        if (error.mayPass) again = setTimeout(() => void read(), retryDelayMs(failures, Math.random()));
        failures += 1;
      }
    };
    reader.current = read;
    setState((before) => ({ ...before, isLoading: true }));
    const stop = begin(() => void read());
    return () => {
      stop?.();
      abort.abort();
      clearTimeout(again);
    };
  }, [path, on, begin]);
  const reread = useCallback(() => void reader.current(), []);
  useEffect(() => {
    if (!isLive) return undefined;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const stopRows = onRows(() => {
      timer ??= setTimeout(() => {
        timer = null;
        reread();
      }, gatherMs);
    });
    const stopGap = onGap(async () => {
      await reader.current();
      return 0;
    });
    return () => {
      stopRows();
      stopGap();
      if (timer !== null) clearTimeout(timer);
    };
  }, [isLive, reread]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) reread();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reread]);
  return { ...state, reread };
}

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

export interface Pages<T> extends Omit<Read<T>, 'data'> {
  /** Null until the first page has come. */
  items: T[] | null;
  hasMore: boolean;
  more: () => void;
}

/** A list that comes page by page. Asked again, it is its first page that is new; those after it stay. */
export function usePages<T extends { id: string }>(path: string, options: Options = {}): Pages<T> {
  const { data, ...first } = useRead<Page<T>>(path, options);
  const [later, setLater] = useState<{ path: string } & Page<T>>({ path, items: [], nextCursor: null });
  const own = later.path === path ? later : { path, items: [], nextCursor: null };
  const cursor = own.items.length > 0 ? own.nextCursor : (data?.nextCursor ?? null);
  const more = useCallback(() => {
    if (cursor === null) return;
    get<Page<T>>(`${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`).then(
      (page) =>
        setLater((before) => ({
          path,
          items: [...(before.path === path ? before.items : []), ...page.items],
          nextCursor: page.nextCursor,
        })),
      // The button is there still, and the bar says that the connection is gone.
      () => undefined,
    );
  }, [path, cursor]);
  const known = new Set(data?.items.map(({ id }) => id));
  const items = data === null ? null : [...data.items, ...own.items.filter(({ id }) => !known.has(id))];
  return { ...first, items, hasMore: cursor !== null, more };
}
