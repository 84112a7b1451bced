// How long something has been failing, and how long to wait before it is tried again.
import { backoff } from '../base/backoff.ts';

/** Bounds in milliseconds. */
export interface PaceBounds {
  /** How long the agent may be away without a success between. */
  outageMs: number;
  /** First and longest pause before the agent is asked again. */
  backoffMs: number;
  maxBackoffMs: number;
  /** How long an agent must have answered that it does not know its task before that is believed. */
  missingMs: number;
}

export interface Pace {
  /** Since when every request has failed; null: the last one did not. */
  awaySinceMs: number | null;
  /** Pauses in a row; the next is longer for each. */
  pauses: number;
}

/** Polls in a row by which the agent did not know its task. */
export interface Missing {
  sinceMs: number;
  polls: number;
}

/**
 * So many polls have to agree: of an agent's replicas, behind one address, each may know only its own tasks, and the same
 * one may be met several times.
 */
export const missingPolls = 5;

export const missedAgain = (before: Missing | null, nowMs: number): Missing => ({
  sinceMs: before?.sinceMs ?? nowMs,
  polls: (before?.polls ?? 0) + 1,
});

/** One poll proves nothing: that the task is gone is believed after several, spread over time. */
export const isGone = (
  { sinceMs, polls }: Missing,
  { missingMs }: Pick<PaceBounds, 'missingMs'>,
  nowMs: number,
): boolean => polls >= missingPolls && nowMs - sinceMs >= missingMs;

export const freshPace: Pace = { awaySinceMs: null, pauses: 0 };

export const works = (pace: Pace): Pace => ({ ...pace, awaySinceMs: null });

/** After a failure; `isOver`: the agent has been away for longer than it may. */
export function fails(pace: Pace, { outageMs }: PaceBounds, nowMs: number): { pace: Pace; isOver: boolean } {
  const awaySinceMs = pace.awaySinceMs ?? nowMs;
  return { pace: { ...pace, awaySinceMs }, isOver: nowMs - awaySinceMs > outageMs };
}

/** The pause that is due, and the next one, which is longer. `atLeastMs`: the server's own Retry-After. */
export function pauseOf(
  pace: Pace,
  { backoffMs, maxBackoffMs }: PaceBounds,
  atLeastMs = 0,
): { pace: Pace; wait: { type: 'wait'; ms: number; atLeastMs: number } } {
  const ms = backoff(pace.pauses, { firstMs: backoffMs, mostMs: maxBackoffMs });
  return { pace: { ...pace, pauses: pace.pauses + 1 }, wait: { type: 'wait', ms, atLeastMs } };
}
