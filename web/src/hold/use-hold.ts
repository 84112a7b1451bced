// One hold as the server has it, live; what was on screen is kept apart from what is true now.
import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { ApiError, get, holdApi, peekAhead, shownAhead } from '../base/live/api.ts';
import { onGap, onGone, onHold } from '../base/live/event-stream.ts';
import { afterPaint } from '../base/page/after-paint.ts';
import { retryDelayMs } from '../base/live/stream-state.ts';
import { isNewer } from './pane/standing.ts';
import { isSame } from './values/dict.ts';

export interface HoldNow {
  status: 'loading' | 'ready' | 'missing' | 'failed';
  /** It could not be read, and is asked for again. */
  isRetried: boolean;
  /** What the person sees, and decides on. */
  shown: HoldView | null;
  /** The server's latest state. */
  newest: HoldView | null;
  /** It was the reader's to see, and is others' now. */
  isGone: boolean;
}

type Event =
  | { what: 'came'; hold: HoldView }
  | { what: 'seen' }
  | { what: 'missing' }
  | { what: 'failed'; isRetried: boolean };

function after(now: HoldNow, event: Event): HoldNow {
  switch (event.what) {
    case 'came': {
      if (!isNewer(now.newest, event.hold)) return now;
      // Asked for again, and the same: nothing is drawn again.
      if (now.status === 'ready' && !now.isGone && isSame(now.newest, event.hold)) return now;
      const isSameQuestion = now.shown === null || now.shown.digest === event.hold.digest;
      return {
        status: 'ready',
        newest: event.hold,
        shown: isSameQuestion ? event.hold : now.shown,
        isGone: false,
        isRetried: false,
      };
    }
    case 'seen':
      return { ...now, shown: now.newest };
    case 'missing':
      return now.shown === null ? { ...now, status: 'missing' } : { ...now, isGone: true };
    case 'failed':
      return now.shown === null ? { ...now, status: 'failed', isRetried: event.isRetried } : now;
    default:
      return event satisfies never;
  }
}

export interface LiveHold extends HoldNow {
  /** An answer of the server that brought the hold along. */
  take: (hold: HoldView) => void;
  reread: () => Promise<void>;
  /** The person has acknowledged the change. */
  seen: () => void;
}

const nothing: HoldNow = { status: 'loading', shown: null, newest: null, isGone: false, isRetried: false };

/** It may have been read before it was opened. */
function atFirst(id: string): HoldNow {
  const hold = peekAhead<HoldView>(holdApi(id));
  return hold === null ? nothing : after(nothing, { what: 'came', hold });
}

/** A question that has not come yet is asked for again until it does. */
function useRetries({ status, isRetried }: HoldNow, reread: () => Promise<void>): void {
  const isWaiting = status === 'failed' && isRetried;
  useEffect(() => {
    if (!isWaiting) return undefined;
    let failures = 0;
    let timer: ReturnType<typeof setTimeout>;
    const plan = (): void => {
      timer = setTimeout(() => void reread().then(plan), retryDelayMs(failures, Math.random()));
      failures += 1;
    };
    plan();
    return () => clearTimeout(timer);
  }, [isWaiting, reread]);
}

export function useHold(id: string): LiveHold {
  const [now, dispatch] = useReducer(after, id, atFirst);
  const versionRef = useRef(0);
  versionRef.current = now.newest?.version ?? 0;
  // Should it come back, the stream says so.
  const isGoneRef = useRef(false);
  isGoneRef.current = now.isGone;
  const take = useCallback((hold: HoldView) => dispatch({ what: 'came', hold }), []);

  const reread = useCallback(async (): Promise<void> => {
    try {
      dispatch({ what: 'came', hold: await get<HoldView>(holdApi(id)) });
    } catch (error) {
      const isGone = error instanceof ApiError && (error.code === 'not_found' || error.code === 'forbidden');
      const isRetried = error instanceof ApiError && error.mayPass;
      dispatch(isGone ? { what: 'missing' } : { what: 'failed', isRetried });
    }
  }, [id]);
  useRetries(now, reread);

  const holdId = now.newest?.id ?? id;
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    const check = (): void => {
      if (!document.hidden && !isGoneRef.current) void reread();
    };
    shownAhead(holdApi(id));
    // One that was read ahead is shown before it is asked for again.
    const stop = versionRef.current > 0 ? afterPaint(() => void reread()) : void reread();
    // Back from another window: one's own draft may have been written on there, of which no event tells.
    addEventListener('focus', check, { signal });
    document.addEventListener('visibilitychange', check, { signal });
    const stopGap = onGap(async () => {
      const before = versionRef.current;
      await reread();
      return versionRef.current === before ? 0 : 1;
    });
    return () => {
      stop?.();
      gone.abort();
      stopGap();
    };
  }, [id, reread]);
  useEffect(() => {
    const stopRows = onHold(holdId, (row) => {
      if (row.version > versionRef.current) void reread();
    });
    const stopGone = onGone((gone) => {
      if (gone === holdId) dispatch({ what: 'missing' });
    });
    return () => {
      stopRows();
      stopGone();
    };
  }, [holdId, reread]);
  const seen = useCallback(() => dispatch({ what: 'seen' }), []);
  return { ...now, take, reread, seen };
}
