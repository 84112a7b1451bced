import { setTimeout as pause } from 'node:timers/promises';

export interface RetryOptions {
  withinMs: number;
  pauseMs: number;
  isRetryable(error: unknown): boolean;
  /** Told once, at the first failure that is borne. */
  onWait(error: unknown): void;
}

/** Tries again, for so long, what fails only for now; the last failure is thrown. */
export async function retry<T>(options: RetryOptions, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + options.withinMs;
  let isReported = false;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!options.isRetryable(error) || performance.now() + options.pauseMs > until) throw error;
      if (!isReported) options.onWait(error);
      isReported = true;
    }
    await pause(options.pauseMs);
  }
}
