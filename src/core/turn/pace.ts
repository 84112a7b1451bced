// How long something has been failing, and how long to wait before it is tried again.

/** Bounds in milliseconds. */
export interface PaceBounds {
  /** How long the agent may be away without a success between. */
  outageMs: number;
  /** First and longest pause before the agent is asked again. */
  backoffMs: number;
  maxBackoffMs: number;
}

export interface Pace {
  /** Since when every request has failed; null: the last one did not. */
  awaySinceMs: number | null;
  /** The next pause. */
  nextWaitMs: number;
}

export const freshPace = ({ backoffMs }: PaceBounds): Pace => ({ awaySinceMs: null, nextWaitMs: backoffMs });

export const works = (pace: Pace): Pace => ({ ...pace, awaySinceMs: null });

/** After a failure; `isOver`: the agent has been away for longer than it may. */
export function fails(pace: Pace, { outageMs }: PaceBounds, nowMs: number): { pace: Pace; isOver: boolean } {
  const awaySinceMs = pace.awaySinceMs ?? nowMs;
  return { pace: { ...pace, awaySinceMs }, isOver: nowMs - awaySinceMs > outageMs };
}

/** The pause that is due, and the next one, which is longer. `atLeastMs`: the server's own Retry-After. */
export function pauseOf(
  pace: Pace,
  { maxBackoffMs }: PaceBounds,
  atLeastMs = 0,
): { pace: Pace; wait: { type: 'wait'; ms: number; atLeastMs: number } } {
  const wait = { type: 'wait' as const, ms: pace.nextWaitMs, atLeastMs };
  return { pace: { ...pace, nextWaitMs: Math.min(pace.nextWaitMs * 2, maxBackoffMs) }, wait };
}
