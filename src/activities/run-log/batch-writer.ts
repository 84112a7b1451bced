// Appends in batches: the first at once, then at most one per 20 ms, so that not every token costs a write.
interface BatchWriter<T> {
  push(events: T[]): void;
  /** Resolves when all that was pushed is in the log; rejects if it cannot be. */
  flush(): Promise<void>;
  /** Takes out what is not written yet and fits into one write, for who writes it with what follows; else flushes. */
  rest(): Promise<T[]>;
  /** Resolves when the queue is short enough to continue. */
  ready(): Promise<void>;
}

const batchMs = 20;
const maxQueued = 2000;
const maxQueuedBytes = 8_000_000;
const maxBatchBytes = 1_000_000;

const deltaLength = (event: object): number =>
  'delta' in event && typeof event.delta === 'string' ? event.delta.length : 0;

/** `onFailure` runs as soon as no more can be written: the writer may be waiting for something else. */
export function createBatchWriter<T extends object>(
  append: (events: T[]) => Promise<unknown>,
  onFailure: (error: unknown) => void,
  sizeOf: (event: T) => number = deltaLength,
): BatchWriter<T> {
  let queue: { event: T; bytes: number }[] = [];
  let queuedBytes = 0;
  let running: Promise<void> | null = null;
  let failure: unknown = null;
  let lastAt = -batchMs;
  let isUrgent = false;
  let wake = (): void => undefined;

  const takeBatch = (): T[] => {
    let taken = 0;
    let count = 0;
    for (const { bytes } of queue) {
      if (count > 0 && taken + bytes > maxBatchBytes) break;
      taken += bytes;
      count += 1;
    }
    const batch = queue.slice(0, count).map(({ event }) => event);
    queue = queue.slice(count);
    queuedBytes -= taken;
    return batch;
  };
  const isShort = (): boolean => queue.length < maxQueued && queuedBytes < maxQueuedBytes;
  const pause = async (): Promise<void> => {
    const restMs = batchMs - (performance.now() - lastAt);
    if (isUrgent || restMs <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, restMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  };
  const drain = async (): Promise<void> => {
    while (queue.length > 0 && failure === null) {
      await pause();
      if (queue.length === 0) return;
      lastAt = performance.now();
      try {
        await append(takeBatch());
      } catch (error) {
        failure = error;
        onFailure(error);
      }
    }
  };
  const start = (): void => {
    if (running !== null || queue.length === 0 || failure !== null) return;
    running = drain().finally(() => {
      running = null;
      start();
    });
  };
  const settle = async (isDone: () => boolean): Promise<void> => {
    isUrgent = true;
    wake();
    try {
      while (!isDone() && failure === null) {
        start();
        await running;
      }
    } finally {
      isUrgent = false;
    }
    if (failure !== null) throw failure;
  };
  const flush = (): Promise<void> => settle(() => queue.length === 0 && running === null);
  return {
    push(events) {
      for (const event of events) {
        const bytes = 200 + sizeOf(event);
        queue.push({ event, bytes });
        queuedBytes += bytes;
      }
      start();
    },
    flush,
    async rest() {
      const taken = queuedBytes > maxBatchBytes ? [] : takeBatch();
      await flush();
      return taken;
    },
    ready: () => (isShort() && failure === null ? Promise.resolve() : settle(isShort)),
  };
}
