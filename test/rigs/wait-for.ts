import { setTimeout as delay } from 'node:timers/promises';
import { asError } from './as-error.ts';

/** Thrown when a fact did not come true in time. */
export class NotInTimeError extends Error {
  override readonly name = 'NotInTimeError';
}

type Fact<T> = () => Promise<T | undefined | false> | T | undefined | false;

/** A bound ends what would never come; a busy machine takes its time, and nothing is timed here. */
export const leastBoundMs = 120_000;

/**
 * Polls until `fact` gives something other than undefined or false, and returns that. A fact that throws is not there
 * yet; its last error is thrown when the time is over: never before two minutes, unless the bound is below a second.
 */
export function waitFor<T>(fact: Fact<T>, boundMs: number, what: string, tail?: () => string): Promise<T> {
  return waitAtMost(fact, boundMs < 1_000 ? boundMs : Math.max(boundMs, leastBoundMs), what, tail);
}

/** The same with this very bound, for what is done when it is over. */
export async function waitAtMost<T>(
  fact: Fact<T>,
  boundMs: number,
  what: string,
  tail: () => string = () => '',
): Promise<T> {
  const startedMs = performance.now();
  let lastError: unknown;
  for (let pauseMs = 25; ; pauseMs = pauseAfter(performance.now() - startedMs)) {
    try {
      const value = await inTime(fact, boundMs + Math.min(boundMs, 30_000) - (performance.now() - startedMs));
      if (value !== undefined && value !== false) return value;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() - startedMs >= boundMs) break;
    await delay(pauseMs);
  }
  const why = lastError === undefined ? '' : `; last error: ${asError(lastError).message}`;
  throw new NotInTimeError(`not within ${boundMs} ms: ${what}${why}${tail()}`, { cause: lastError });
}

/** What asks a page or a process may never return; the waiting test then learns what was asked. */
async function inTime<T>(fact: Fact<T>, leftMs: number): Promise<T | undefined | false> {
  const timer = new AbortController();
  const late = delay(leftMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error('it was asked and has not returned');
  });
  try {
    return await Promise.race([fact(), late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}

/** To look costs CPU that what is waited for may need: a long wait is asked less often, and lasts a twentieth longer at most. */
const pauseAfter = (waitedMs: number): number => Math.min(250, Math.max(50, waitedMs / 20));

/** Repeats checks of what is still on its way until they hold; when the bound is over, their last failure is thrown as it is. */
export async function eventually(checks: () => Promise<void>): Promise<void> {
  const passed = async (): Promise<boolean> => {
    await checks();
    return true;
  };
  await waitFor(passed, leastBoundMs, 'the checks to hold').catch((error: unknown) => {
    throw error instanceof NotInTimeError ? (error.cause ?? error) : error;
  });
}
