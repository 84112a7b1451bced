import { sleep } from './sleep.ts';

interface RetryOptions {
  withinMs: number;
  pauseMs: number;
  isRetryable(error: unknown): boolean;
  /** Called once, at the first failure that is retried. */
  onWait(error: unknown): void;
}

/** Retries work that fails temporarily, for `withinMs`; throws the last error. */
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
    await sleep(options.pauseMs);
  }
}

/** Waits at most `ms` until the work settles; false if it has not. */
export async function settledWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const over = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([over, late]);
  } finally {
    clearTimeout(timer);
  }
}
