/** Looks again and again until something is there (not null) or the time is over; null then. */
export async function waitUntil<T>(
  timeoutMs: number,
  check: () => Promise<T | null>,
  signal?: AbortSignal,
): Promise<T | null> {
  const untilMs = performance.now() + timeoutMs;
  let pauseMs = 25;
  for (;;) {
    const found = await check();
    const leftMs = untilMs - performance.now();
    if (found !== null || leftMs <= 0 || signal?.aborted === true) return found;
    await pause(Math.min(pauseMs, leftMs), signal);
    pauseMs = Math.min(pauseMs * 1.5, 500);
  }
}

/** Waits, or less when the signal aborts; leaves nothing behind. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal?.aborted === true) done();
    else signal?.addEventListener('abort', done, { once: true });
  });
}
