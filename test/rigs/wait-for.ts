import { setTimeout as delay } from 'node:timers/promises';
import { asError } from './as-error.ts';

/** Thrown when a fact did not come true in time. */
export class NotInTimeError extends Error {
  override readonly name = 'NotInTimeError';
}

/**
 * Polls until `fact` gives something other than undefined or false, and returns that. A fact that throws is not there
 * yet; its last error is told when the time is over.
 */
export async function waitFor<T>(
  fact: () => Promise<T | undefined | false> | T | undefined | false,
  boundMs: number,
  what: string,
  tail: () => string = () => '',
): Promise<T> {
  const until = performance.now() + boundMs;
  let lastError: unknown;
  for (let pauseMs = 25; ; pauseMs = 50) {
    try {
      const value = await fact();
      if (value !== undefined && value !== false) return value;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= until) break;
    await delay(pauseMs);
  }
  const why = lastError === undefined ? '' : `; last error: ${asError(lastError).message}`;
  throw new NotInTimeError(`not within ${boundMs} ms: ${what}${why}${tail()}`, { cause: lastError });
}
