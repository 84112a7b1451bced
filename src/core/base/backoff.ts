// How long to wait before something is tried again.

export interface Backoff {
  firstMs: number;
  mostMs: number;
  /** Each pause is so many times the one before it; 2 where none is given. */
  growth?: number;
}

/** A time between half and the whole of it, so that many that wait for the same do not come back together; `random` in [0, 1). */
export const spread = (ms: number, random: number): number => ms * (0.5 + random / 2);

/** The pause after `attempt` others: whole, or between half and whole of it where a `random` in [0, 1) is given. */
export function backoff(attempt: number, { firstMs, mostMs, growth = 2 }: Backoff, random?: number): number {
  const whole = Math.min(firstMs * growth ** Math.min(attempt, 60), mostMs);
  return random === undefined ? whole : spread(whole, random);
}
