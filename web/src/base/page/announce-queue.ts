// What screen readers announce: at most one message in three seconds, and many new questions as one number; pure.

export const announceEveryMs = 3_000;

export interface AnnounceQueue {
  waiting: string[];
  /** New questions not announced yet. */
  fresh: number;
  lastAt: number;
}

export const emptyQueue: AnnounceQueue = { waiting: [], fresh: 0, lastAt: Number.NEGATIVE_INFINITY };

export const queueText = (queue: AnnounceQueue, text: string): AnnounceQueue =>
  queue.waiting.includes(text) ? queue : { ...queue, waiting: [...queue.waiting, text].slice(-5) };

export const queueFresh = (queue: AnnounceQueue, count: number): AnnounceQueue => ({
  ...queue,
  fresh: queue.fresh + count,
});

/** The next message if its time has come, else how long to wait; null: nothing to say. */
export function takeNext(
  queue: AnnounceQueue,
  now: number,
  freshWords: (count: number) => string,
): { say: string; queue: AnnounceQueue } | { waitMs: number } | null {
  if (queue.waiting.length === 0 && queue.fresh === 0) return null;
  const waitMs = queue.lastAt + announceEveryMs - now;
  if (waitMs > 0) return { waitMs };
  const [first, ...rest] = queue.waiting;
  if (first !== undefined) return { say: first, queue: { ...queue, waiting: rest, lastAt: now } };
  return { say: freshWords(queue.fresh), queue: { ...queue, fresh: 0, lastAt: now } };
}
