// Messages whose activity Temporal tries again: while their agent is away, or has its share of slots, they hold no slot.
import { ApplicationFailure } from '@temporalio/activity';
import type { TaskId } from '../../contract/base/id-types.ts';
import { untilNextTryMs } from '../../core/consent/delivery.ts';
import type { ActivityDeps } from '../deps.ts';
import { triesForMs } from './port.ts';
import { whyNoSlot, type HeldSlot } from './slots.ts';

/** The longest pause: nothing wakes these. */
const maxMs = 60_000;

interface Attempt {
  /** Of the activity, from 1. */
  attempt: number;
  /** When the first one was scheduled. */
  scheduledTimestampMs: number;
}

export interface Entered {
  slot: HeldSlot;
  away: { since: string | null; isKept: false; tryForMs: number };
}

type Deps = Pick<ActivityDeps, 'circuits' | 'slots' | 'now' | 'timing'>;

/** Before the last moment there is time for one more try. */
const lastTryMs = 5_000;

function notYet({ now, timing }: Deps, why: string, sinceMs: number, untilMs: number): ApplicationFailure {
  const nowMs = now().getTime();
  const ownMs = untilNextTryMs(nowMs - sinceMs, { ...timing.away, maxMs });
  const nextRetryDelay = Math.max(Math.min(ownMs, untilMs - lastTryMs - nowMs), 100);
  return ApplicationFailure.create({ type: 'not_yet', message: why, nextRetryDelay });
}

/** Throws what is to be tried again later. */
export async function enterOrThrow(
  deps: Deps,
  what: { agent: string; taskId: TaskId; outageMs: number; untilMs?: number },
  { attempt, scheduledTimestampMs }: Attempt,
): Promise<Entered> {
  const { agent, taskId, outageMs, untilMs = Infinity } = what;
  const nowMs = deps.now().getTime();
  const sinceMs = attempt > 1 ? scheduledTimestampMs : nowMs;
  const isLast = nowMs - sinceMs > outageMs || untilMs - nowMs <= lastTryMs;
  const passage = await deps.circuits.passage(agent, taskId);
  // What may not wait any longer meets its end in one more try.
  if (!passage.goes && !isLast)
    throw notYet(deps, `${agent} has been away since ${passage.since} (${passage.cause})`, sinceMs, untilMs);
  const slot = isLast ? deps.slots.take(agent) : deps.slots.enter(agent);
  if (slot === null) throw notYet(deps, whyNoSlot(agent), sinceMs, untilMs);
  return {
    slot,
    away: {
      since: attempt > 1 ? new Date(sinceMs).toISOString() : null,
      isKept: false,
      tryForMs: triesForMs(passage, deps.timing),
    },
  };
}

export const shareTaken = (agent: string): ApplicationFailure =>
  ApplicationFailure.create({ type: 'not_yet', message: whyNoSlot(agent) });

/** For a message that met an agent that is away. */
export const againLater = (
  deps: Deps,
  { since, message }: { since: string; message: string },
  untilMs = Infinity,
): ApplicationFailure => notYet(deps, message, Date.parse(since), untilMs);
