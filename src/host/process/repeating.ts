// Work in passes: again and again until it is stopped, or over a list with several items under way.

export interface Repeating<T> {
  /** Begins a pass, or joins the one under way. */
  now(): Promise<T>;
  /** From now on there is a pass every so often; keeps no process running. */
  start(): void;
  /** Resolves when the pass under way is over; its signal has fired. */
  stop(): Promise<void>;
}

/** `pass` handles its own errors; the next one begins so long after its end, as it is then. */
export function repeating<T>(
  everyMs: number | (() => number),
  pass: (signal: AbortSignal) => Promise<T>,
): Repeating<T> {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<T> | null = null;
  const now = (): Promise<T> =>
    (current ??= pass(stopping.signal).finally(() => {
      current = null;
    }));
  function start(): void {
    if (stopping.signal.aborted) return;
    clearTimeout(timer);
    const ms = typeof everyMs === 'function' ? everyMs() : everyMs;
    timer = setTimeout(() => void now().then(start), ms).unref();
  }
  return {
    now,
    start,
    async stop() {
      stopping.abort(new DOMException('stopping', 'AbortError'));
      clearTimeout(timer);
      await current;
    },
  };
}

/** The results in the order of the items, with at most `limit` of them under way. */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    // The lanes share one iterator.
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, lane));
  return results;
}
