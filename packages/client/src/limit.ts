// One time limit for all steps of a wait, and how long Standfast may be away meanwhile.
import { StandfastError } from './errors.ts';
import { sleep } from './retry.ts';

export interface Limit {
  leftMs(): number;
  isOver(): boolean;
}

export function limitOf(timeoutMs = Infinity): Limit {
  const endsAtMs = performance.now() + timeoutMs;
  const leftMs = (): number => Math.max(endsAtMs - performance.now(), 0);
  return { leftMs, isOver: () => leftMs() <= 0 };
}

/** What a question without any time to wait may take to be put. */
const putMs = 10_000;
/** What one request may take beyond the wait that it asks Standfast for. */
const spareMs = 30_000;
const pauseMs = { first: 500, most: 10_000 };

/** How long Standfast has been away, for those who wait for one answer. */
export interface Outage {
  /** Notes that a try failed; returns how long there is still to wait for Standfast, and 0 or less if there is nothing. */
  leftMs(failure: StandfastError): number;
}

/** Of a wait that ends if Standfast does not answer for `outageMs`. */
export function outageOf(outageMs: number): Outage {
  let awaySinceMs: number | null = null;
  return {
    leftMs() {
      awaySinceMs ??= performance.now();
      return outageMs - (performance.now() - awaySinceMs);
    },
  };
}

interface Trying {
  limit: Limit;
  outage: Outage;
  /** Seconds that the request asks Standfast to wait. */
  waitS: number;
  signal?: AbortSignal | undefined;
}

/** Sends until it is answered, the limit is over, or Standfast was away for too long; the first failure is logged. */
export async function untilAnswered<T>(
  send: (signal: AbortSignal) => Promise<T>,
  { limit, outage, waitS, signal }: Trying,
): Promise<T> {
  const putsOnly = limit.isOver();
  let hasFailed = false;
  let againMs = pauseMs.first;
  for (;;) {
    signal?.throwIfAborted();
    const mostMs = Math.min(waitS * 1000 + spareMs, putsOnly ? putMs : Math.max(Math.ceil(limit.leftMs()), 1));
    const inTime = AbortSignal.timeout(mostMs);
    try {
      return await send(signal === undefined ? inTime : AbortSignal.any([signal, inTime]));
    } catch (error) {
      signal?.throwIfAborted();
      const failed = inTime.aborted ? new StandfastError(0, { code: 'network', detail: 'no answer in time' }) : error;
      if (!(failed instanceof StandfastError && failed.isRetryable)) throw failed;
      if (!hasFailed) console.warn(`Standfast does not answer (${failed.message}); trying again`);
      hasFailed = true;
      const outageLeftMs = outage.leftMs(failed);
      if (limit.isOver() || outageLeftMs <= 0) throw failed;
      await sleep(Math.min(againMs * (0.5 + Math.random() / 2), limit.leftMs(), outageLeftMs), signal);
      againMs = Math.min(againMs * 2, pauseMs.most);
    }
  }
}
