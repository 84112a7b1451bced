// The parts of the inbox that are loaded when they are needed, or a little before.
import { memo, useEffect } from 'react';
import { lazyPart, whenIdle } from '../base/live/lazy-part.ts';

const LatePane = lazyPart(async () => (await import('../hold/hold-pane.tsx')).HoldPane);

export const HoldPane = memo(LatePane);
export const FirstRun = lazyPart(async () => (await import('./first-run.tsx')).FirstRun);
export const Trick = lazyPart(async () => (await import('./away/trick.tsx')).Trick);
export const Since = lazyPart(async () => (await import('./away/since.tsx')).Since);
export const FormReview = lazyPart(async () => (await import('./alike/form-review.tsx')).FormReview);
export const BulkReview = lazyPart(async () => (await import('./bulk/bulk-review.tsx')).BulkReview);

/** Loads the code of a question before one is opened. */
export const prefetchHold = (): void => void LatePane.ahead();

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
