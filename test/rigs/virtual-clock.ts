// A clock that goes on only when a test says so: hours pass at once, and nothing depends on how busy the machine is.
import type { Clock } from '../../src/host/process/clock.ts';
import { waitFor } from './wait-for.ts';

interface Waiting {
  dueMs: number;
  wake(): void;
}

export interface VirtualClock extends Clock {
  /** Waits until somebody waits for time to pass. */
  isAwaited(): Promise<void>;
  /** Lets so much time pass, and wakes all that is due, in order. */
  pass(ms: number): void;
  /** Lets time pass from one wait to the next until this settles. */
  until<T>(result: Promise<T>): Promise<T>;
  date(): Date;
}

export function createVirtualClock(startedAt = Date.now()): VirtualClock {
  let nowMs = 0;
  let waiting: Waiting[] = [];
  const passTo = (untilMs: number): void => {
    for (;;) {
      const next = waiting.toSorted((a, b) => a.dueMs - b.dueMs)[0];
      if (next === undefined || next.dueMs > untilMs) break;
      nowMs = Math.max(nowMs, next.dueMs);
      waiting = waiting.filter((one) => one !== next);
      next.wake();
    }
    nowMs = Math.max(nowMs, untilMs);
  };
  const after = (ms: number, act: () => void): (() => void) => {
    // As timers of Node: whole milliseconds. Fractions of a jitter would add up to a moment just before the one that is due.
    const own: Waiting = { dueMs: Math.ceil(nowMs + ms), wake: act };
    waiting.push(own);
    return () => {
      waiting = waiting.filter((one) => one !== own);
    };
  };
  return {
    nowMs: () => nowMs,
    date: () => new Date(startedAt + nowMs),
    after,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const give = (): void => {
          stop();
          reject(signal.reason as Error);
        };
        const stop = after(ms, () => {
          signal.removeEventListener('abort', give);
          resolve();
        });
        signal.addEventListener('abort', give, { once: true });
      }),
    isAwaited: () =>
      waitFor(() => waiting.length > 0, 5_000, 'somebody who waits for time to pass').then(() => undefined),
    pass: (ms) => passTo(nowMs + ms),
    async until(result) {
      let isSettled = false;
      const settled = result.finally(() => (isSettled = true));
      settled.catch(() => undefined);
      for (;;) {
        // What was woken goes first.
        await new Promise((resolve) => setImmediate(resolve));
        if (!isSettled && waiting.length === 0)
          await waitFor(() => isSettled || waiting.length > 0, 10_000, 'the result, or somebody who waits');
        if (isSettled) return settled;
        passTo(Math.min(...waiting.map(({ dueMs }) => dueMs)));
      }
    },
  };
}
