// The parts of the inbox that are loaded when they are needed, or a little before.
import { memo, startTransition, useEffect, useState } from 'react';
import { dropAhead, holdApi, readAhead } from '../base/live/api.ts';
import { onGap, onRows } from '../base/live/event-stream.ts';
import { lazyPart, whenIdle } from '../base/live/lazy-part.ts';

const hold = () => import('../hold/hold-pane.tsx');
const LatePane = lazyPart(async () => (await hold()).HoldPane);
export const HoldPane = memo(LatePane);
const LateWarmUp = lazyPart(async () => (await hold()).WarmUp);
/** Drawn once: with the list, it would be drawn ahead again. */
export const WarmUp = memo(LateWarmUp);
export const UndoButton = lazyPart(async () => (await import('../hold/grace/undo-button.tsx')).UndoButton);
export const FirstRun = lazyPart(async () => (await import('../first/first-run.tsx')).FirstRun);
export const Trick = lazyPart(async () => (await import('../first/trick.tsx')).Trick);
export const Since = lazyPart(async () => (await import('./away/since.tsx')).Since);
export const DayBelow = lazyPart(async () => (await import('./day/day-below.tsx')).DayBelow);
export const OwnRequests = lazyPart(async () => (await import('./day/own-requests.tsx')).OwnRequests);
export const FormReview = lazyPart(async () => (await import('./alike/form-review.tsx')).FormReview);
export const BulkReview = lazyPart(async () => (await import('./bulk/bulk-review.tsx')).BulkReview);

let paneCame: () => void = () => undefined;
const pane = new Promise<void>((resolve) => {
  paneCame = resolve;
});

/** Loads the code of a question before one is opened; the way back from a decision is a part of it. */
export function prefetchHold(): void {
  void Promise.all([LatePane.ahead(), LateWarmUp.ahead()]).then(([isHere]) => isHere && paneCame());
  void UndoButton.ahead();
}

const signs = ['pointermove', 'pointerdown', 'keydown'] as const;
/** So long after the list is there; what the list itself needs has come by then. */
const restMs = 3_000;

/** Prefetches at the reader's first move, or once the page rests. */
export function usePrefetch(isListed: boolean): void {
  useEffect(() => {
    const over = new AbortController();
    const go = (): void => {
      over.abort();
      prefetchHold();
    };
    for (const sign of signs) addEventListener(sign, go, { signal: over.signal, passive: true });
    return () => over.abort();
  }, []);
  useEffect(() => {
    if (!isListed) return undefined;
    const timer = setTimeout(() => whenIdle(prefetchHold), restMs);
    return () => clearTimeout(timer);
  }, [isListed]);
}

/** False until the code of a question has come: only then may what adorns the list ask for anything. */
export function useRested(): boolean {
  const [isRested, setRested] = useState(false);
  useEffect(() => void pane.then(() => setRested(true)), []);
  return isRested;
}

/** So long on one row: keys that run through a list ask for nothing. */
const aheadMs = 120;

/**
 * Reads the question that the reader rests on, and the one after it, once the code of questions is there. Returns the first
 * that has come, for a warm-up; null until then.
 */
export function useReadAhead(ids: readonly string[], active: string | null): string | null {
  const [came, setCame] = useState<string | null>(null);
  const after = active === null ? null : (ids[ids.indexOf(active) + 1] ?? null);
  useEffect(() => {
    const likely = [active, after].flatMap((id) => (id === null ? [] : [holdApi(id)]));
    let isOver = false;
    const read = async (): Promise<void> => {
      await pane;
      if (!isOver) await readAhead(likely);
      if (!isOver) startTransition(() => setCame((before) => before ?? active));
    };
    const timer = setTimeout(() => void read(), aheadMs);
    const stopRows = onRows((rows) => {
      for (const { id } of rows) dropAhead(holdApi(id));
    });
    // What was read before it may have changed meanwhile.
    const stopGap = onGap(async () => {
      void readAhead([]);
      void read();
      return 0;
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
      stopRows();
      stopGap();
    };
  }, [active, after]);
  // Another reader may come.
  useEffect(() => () => void readAhead([]), []);
  return came;
}
