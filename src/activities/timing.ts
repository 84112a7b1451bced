import type { AwayBounds } from '../core/consent/delivery.ts';
import type { CircuitBounds } from '../core/turn/circuit.ts';

/** From a watch's first poll on, each wait is longer than the one before, up to the longest. */
export interface WatchPace {
  firstMs: number;
  maxMs: number;
}

export interface WatchTiming {
  /** How often a worker asks whether anything is to be polled. */
  everyMs: number;
  /** A task that has moved is polled again so soon, in case no notice of it came. */
  againMs: number;
  /** The longest wait grows where parked turns, or pauses, would be polled more often than this together, by all workers. */
  mostPerSecond: number;
  /** How often a worker counts them. */
  countEveryMs: number;
  turn: WatchPace;
  pause: WatchPace;
  /** A pause for a permission: often it is granted elsewhere, at once. */
  auth: WatchPace;
  /** Between polls that have to agree before they are believed. */
  confirm: WatchPace;
}

/** How circuits of agents are tended, in milliseconds. */
export interface CircuitTiming extends CircuitBounds {
  /** How often a worker reads the circuits that others opened. */
  everyMs: number;
  /** How long a probe waits for an answer. */
  probeMs: number;
  /** How long one message may try before another may. */
  trialMs: number;
  /** How soon a message that was woken to try has to have begun. */
  wokenMs: number;
  /** Of an agent that is back, so many messages are woken so often. */
  wakeEveryMs: number;
  wakeAtOnce: number;
  /** After this another worker does what one that died had begun. */
  leaseMs: number;
}

/** Bounds of a turn in milliseconds: measured defaults; tests give shorter ones. */
export interface TurnTiming {
  /**
   * From a request to its response headers; the next attempt waits that long before it probes. A stream that is still
   * waited for has this extended, up to `sendBlockingForMs` in all.
   */
  sendForMs: number;
  /** The same for a message that goes by one blocking request: agents exist that answer only when they are done. */
  sendBlockingForMs: number;
  /** How long an agent must have been answering before a message that it does not show counts as absent. */
  settleMs: number;
  /** Any other request to the agent, from start to answer. */
  callMs: number;
  /** After this long without an event the agent's task is read. */
  silenceMs: number;
  /** After this long without news a turn parks, and resumes when the agent's task has moved. */
  parkAfterMs: number;
  /** A pause without an id that is still there after this long counts as a new one. */
  stalePauseMs: number;
  /** How long a task that works may show nothing new after its agent ended its answer by an error of its own. */
  reportedErrorMs: number;
  /** A delivered turn that takes longer reports it to the workflow, so that operators see IN_PROGRESS. */
  reportDeliveredAfterMs: number;
  /** An api may know an agent of a changed configuration so much earlier than this worker. */
  agentKnownWithinMs: number;
  /** First and longest pause before the agent is asked again. */
  backoffMs: number;
  maxBackoffMs: number;
  /** How long an agent must have answered that it does not know its task before that is believed. */
  missingMs: number;
  /** How long one attempt tries to send a message to an agent that is away, before it leaves its slot. */
  tryForMs: number;
  /** Until a later attempt tries it again. */
  away: AwayBounds;
  /** Until a turn whose agent has its share of slots asks for one again. */
  queue: { firstMs: number; maxMs: number };
  circuit: CircuitTiming;
  watch: WatchTiming;
}

export const turnTiming: TurnTiming = {
  sendForMs: 10_000,
  agentKnownWithinMs: 5_000,
  sendBlockingForMs: 120_000,
  settleMs: 2_000,
  callMs: 15_000,
  silenceMs: 30_000,
  parkAfterMs: 120_000,
  stalePauseMs: 10_000,
  reportedErrorMs: 5_000,
  reportDeliveredAfterMs: 1_000,
  backoffMs: 250,
  maxBackoffMs: 15_000,
  missingMs: 10_000,
  tryForMs: 10_000,
  // A circuit wakes what waits; this is for what nothing wakes.
  away: { firstMs: 10_000, maxMs: 1_800_000 },
  queue: { firstMs: 3_000, maxMs: 300_000 },
  circuit: {
    // Less than a pass, so that each pass probes: an answer is at its agent within 2 s of its recovery.
    probeEveryMs: 900,
    maxTrialEveryMs: 10_000,
    maxRetryAfterMs: 60_000,
    everyMs: 1_000,
    probeMs: 3_000,
    trialMs: 30_000,
    wokenMs: 5_000,
    wakeEveryMs: 250,
    wakeAtOnce: 25,
    leaseMs: 10_000,
  },
  watch: {
    everyMs: 1_000,
    againMs: 10_000,
    mostPerSecond: 50,
    countEveryMs: 60_000,
    turn: { firstMs: 5_000, maxMs: 300_000 },
    pause: { firstMs: 10_000, maxMs: 300_000 },
    auth: { firstMs: 3_000, maxMs: 60_000 },
    confirm: { firstMs: 2_000, maxMs: 30_000 },
  },
};

/** Of many that wait for the same, each comes at a time of its own: at most a tenth earlier or later, in whole milliseconds. */
export const jittered = (ms: number): number => Math.round(ms * (0.9 + Math.random() * 0.2));
