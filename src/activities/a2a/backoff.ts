import { setTimeout as wait } from 'node:timers/promises';

/** So long, more or less; a server's own Retry-After is the least, up to a minute. */
export function withJitter({ ms, atLeastMs }: { ms: number; atLeastMs: number }): number {
  return Math.min(Math.max(ms * (0.75 + Math.random() * 0.5), atLeastMs), 60_000);
}

/** Exponential backoff with jitter, from 250 ms to 15 s by default; a server's own Retry-After wins up to a minute. */
export function createBackoff(
  signal: AbortSignal,
  { backoffMs, maxBackoffMs }: { backoffMs: number; maxBackoffMs: number },
): { wait(retryAfterMs?: number): Promise<void>; reset(): void } {
  let next = backoffMs;
  return {
    async wait(retryAfterMs) {
      const own = withJitter({ ms: next, atLeastMs: retryAfterMs ?? 0 });
      next = Math.min(next * 2, maxBackoffMs);
      await wait(own, undefined, { signal });
    },
    reset() {
      next = backoffMs;
    },
  };
}

/** How long something has been failing without a success between. */
export function createOutage(boundMs: number): { fails(): boolean; works(): void } {
  let since: number | null = null;
  return {
    /** Notes a failure; true when the bound is over. */
    fails() {
      since ??= performance.now();
      return performance.now() - since > boundMs;
    },
    works() {
      since = null;
    },
  };
}
