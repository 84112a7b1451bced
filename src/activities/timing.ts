/** Bounds of a turn in milliseconds: measured defaults; tests give shorter ones. */
export interface TurnTiming {
  /** From a request to its response headers; the next attempt waits that long before it looks. */
  sendForMs: number;
  /** Any other request to the agent, from start to answer. */
  callMs: number;
  /** Without a word for so long, the agent is asked where the task stands. */
  silenceMs: number;
  /** A pause without an id that still stands after so long is taken for a new one. */
  stalePauseMs: number;
  /** A delivered turn that goes on for longer tells the workflow, so that operators see IN_PROGRESS. */
  tellDeliveredAfterMs: number;
  /** First and longest pause before the agent is asked again. */
  backoffMs: number;
  maxBackoffMs: number;
}

export const turnTiming: TurnTiming = {
  sendForMs: 10_000,
  callMs: 15_000,
  silenceMs: 30_000,
  stalePauseMs: 10_000,
  tellDeliveredAfterMs: 1_000,
  backoffMs: 250,
  maxBackoffMs: 15_000,
};

/** A signal that also ends by itself: agents exist that take a request and never answer. */
export function within(signal: AbortSignal, ms: number): { signal: AbortSignal } {
  return { signal: AbortSignal.any([signal, AbortSignal.timeout(ms)]) };
}
