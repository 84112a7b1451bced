import { backoff, spread } from '../../core/base/backoff.ts';
import { sleep } from '../../host/process/sleep.ts';

/** So long, or less; a server's own Retry-After is the least, up to a minute. */
export function withJitter({ ms, atLeastMs }: { ms: number; atLeastMs: number }): number {
  return Math.min(Math.max(spread(ms, Math.random()), atLeastMs), 60_000);
}

/** Exponential backoff with jitter, from 250 ms to 15 s by default; a server's own Retry-After wins up to a minute. */
export function createBackoff(
  signal: AbortSignal,
  { backoffMs, maxBackoffMs }: { backoffMs: number; maxBackoffMs: number },
): { wait(retryAfterMs?: number): Promise<void>; reset(): void } {
  let waits = 0;
  return {
    async wait(retryAfterMs) {
      const ms = backoff(waits, { firstMs: backoffMs, mostMs: maxBackoffMs });
      waits += 1;
      await sleep(withJitter({ ms, atLeastMs: retryAfterMs ?? 0 }), { signal });
    },
    reset() {
      waits = 0;
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
