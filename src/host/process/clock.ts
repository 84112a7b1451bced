import { sleep } from './sleep.ts';
// Time that passes, as an argument: tests let hours pass at once.

export interface Clock {
  /** Milliseconds on a clock that never goes back; only differences mean anything. */
  nowMs(): number;
  /** Rejects when the signal fires. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /**
   * Calls `act` once, unless the returned function is called before. For a bound on each event of a stream: signals made for
   * each of 10,000 events double the time of a turn (Node 20).
   */
  after(ms: number, act: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  wait: (ms, signal) => sleep(ms, { signal }),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** What the promise settles with, or `late` where it takes longer than that. */
export async function orLate<T, L>(clock: Clock, promise: Promise<T>, ms: number, late: L): Promise<T | L> {
  let stop = (): void => undefined;
  const limit = new Promise<L>((resolve) => {
    stop = clock.after(ms, () => resolve(late));
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    stop();
  }
}
