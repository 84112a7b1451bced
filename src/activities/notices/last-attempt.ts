import type { Info } from '@temporalio/activity';

type AttemptInfo = Pick<Info, 'attempt' | 'scheduledTimestampMs' | 'scheduleToCloseTimeoutMs' | 'retryPolicy'>;

/** Whether Temporal will not retry an attempt that fails at `now` of its clock: the next one would begin after its time is over. */
export function isLastAttempt(info: AttemptInfo, retryAfterMs: number | null, now: Date): boolean {
  const { attempt, scheduledTimestampMs, scheduleToCloseTimeoutMs, retryPolicy } = info;
  if (!(scheduleToCloseTimeoutMs > 0)) return false;
  const { initialInterval = 1_000, backoffCoefficient = 2, maximumInterval = 100_000 } = retryPolicy ?? {};
  const backoffMs = Number(initialInterval) * backoffCoefficient ** (attempt - 1);
  const delayMs = retryAfterMs ?? Math.min(backoffMs, Number(maximumInterval));
  return now.getTime() + delayMs > scheduledTimestampMs + scheduleToCloseTimeoutMs;
}
