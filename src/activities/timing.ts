/** From a watch's first look on, each wait is longer than the one before, up to the longest. */
export interface WatchPace {
  firstMs: number;
  maxMs: number;
}

export interface WatchTiming {
  /** How often a worker asks whether something is to be looked at. */
  everyMs: number;
  /** A task that has moved is looked at again so soon, in case nobody heard of it. */
  againMs: number;
  turn: WatchPace;
  pause: WatchPace;
  /** A pause for a permission: often it is granted elsewhere, at once. */
  auth: WatchPace;
}

/** Bounds of a turn in milliseconds: measured defaults; tests give shorter ones. */
export interface TurnTiming {
  /** From a request to its response headers; the next attempt waits that long before it looks. */
  sendForMs: number;
  /** The same for a message that goes by one blocking request: agents exist that answer only when they are done. */
  sendBlockingForMs: number;
  /** Any other request to the agent, from start to answer. */
  callMs: number;
  /** Without a word for so long, the agent is asked where the task stands. */
  silenceMs: number;
  /** Without news for so long, a turn parks of a working agent and is gone on with when that has moved. */
  parkAfterMs: number;
  /** A pause without an id that still stands after so long is taken for a new one. */
  stalePauseMs: number;
  /** A delivered turn that goes on for longer tells the workflow, so that operators see IN_PROGRESS. */
  reportDeliveredAfterMs: number;
  /** First and longest pause before the agent is asked again. */
  backoffMs: number;
  maxBackoffMs: number;
  watch: WatchTiming;
}

export const turnTiming: TurnTiming = {
  sendForMs: 10_000,
  sendBlockingForMs: 120_000,
  callMs: 15_000,
  silenceMs: 30_000,
  parkAfterMs: 120_000,
  stalePauseMs: 10_000,
  reportDeliveredAfterMs: 1_000,
  backoffMs: 250,
  maxBackoffMs: 15_000,
  watch: {
    everyMs: 1_000,
    againMs: 10_000,
    turn: { firstMs: 5_000, maxMs: 300_000 },
    pause: { firstMs: 10_000, maxMs: 300_000 },
    auth: { firstMs: 3_000, maxMs: 60_000 },
  },
};

/** A signal that also ends by itself: agents exist that take a request and never answer. */
export function within(signal: AbortSignal, ms: number): { signal: AbortSignal } {
  return { signal: AbortSignal.any([signal, AbortSignal.timeout(ms)]) };
}
