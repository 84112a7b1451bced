// Messages other than a task's turn: while their agent is away, or has its share of slots, they hold no slot, and their workflow
// tries them again.
import type { MessageWaits, Waited } from '../../contract/tasks/activity.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';
import { backoff } from '../../core/base/backoff.ts';
import { untilNextTryMs } from '../../core/consent/delivery.ts';
import { ApplicationFailure } from '@temporalio/activity';
import type { ActivityDeps } from '../deps.ts';
import { jittered } from '../timing.ts';
import { triesForMs } from './port.ts';
import { whyNoSlot, type HeldSlot } from './slots.ts';

type Deps = Pick<ActivityDeps, 'circuits' | 'slots' | 'now' | 'timing'>;

/** A message that may wait, and for how long. */
export interface Waiting {
  task: TaskRef;
  /** Names it among all that wait. */
  key: string;
  /** To whom it goes: the task's own agent, or a supervisor. */
  agent: string;
  waited: Waited;
  /** It is given up once its agent has been away for so long. */
  outageMs: number;
  /** Later it is of no use. */
  untilMs?: number;
}

export interface Entered {
  slot: HeldSlot;
  away: { since: string | null; isKept: false; tryForMs: number };
}

/** Before the last moment there is time for one more try. */
const lastTryMs = 5_000;

/** Its agent does not take it: notes that it waits, to be woken when the agent is back. */
export async function waitForAgent(
  { circuits, now, timing }: Deps,
  { task, key, agent, waited, outageMs, untilMs = Infinity }: Waiting,
  since: string,
): Promise<MessageWaits> {
  const { taskId, workflowId, firstExecutionRunId } = task;
  const message = { key, taskId, agent, workflowId, firstExecutionRunId, resumes: waited.times, hasAnswers: false };
  const isWoken = await circuits.wait(message);
  const nowMs = now().getTime();
  const awayMs = nowMs - Date.parse(since);
  const ownMs = isWoken ? timing.away.maxMs : untilNextTryMs(awayMs, timing.away);
  const lastMs = Math.min(Math.max(outageMs - awayMs, timing.away.firstMs) + 1, untilMs - lastTryMs - nowMs);
  return waits(nowMs, since, Math.min(jittered(ownMs), lastMs));
}

const waits = (nowMs: number, since: string, ms: number): MessageWaits => ({
  kind: 'waits',
  since,
  again: new Date(nowMs + Math.round(Math.max(ms, 100))).toISOString(),
});

/** Its slot, or that it waits. */
export async function enterOrWait(deps: Deps, waiting: Waiting): Promise<Entered | MessageWaits> {
  const { agent, task, waited, outageMs, untilMs = Infinity } = waiting;
  const nowMs = deps.now().getTime();
  const since = waited.since ?? new Date(nowMs).toISOString();
  const isLast = nowMs - Date.parse(since) > outageMs || untilMs - nowMs <= lastTryMs;
  const passage = await deps.circuits.passage(agent, task.taskId);
  // What may not wait any longer meets its end in one more try.
  if (!passage.goes && !isLast) return waitForAgent(deps, waiting, since);
  const slot = isLast ? deps.slots.take(agent) : deps.slots.enter(agent);
  if (slot === null) {
    const { firstMs, maxMs } = deps.timing.queue;
    const ownMs = jittered(backoff(waited.times, { firstMs, mostMs: maxMs, growth: 1.5 }));
    return waits(nowMs, since, Math.min(ownMs, untilMs - lastTryMs - nowMs));
  }
  return { slot, away: { since: waited.since, isKept: false, tryForMs: triesForMs(passage, deps.timing) } };
}

export const shareTaken = (agent: string): ApplicationFailure =>
  ApplicationFailure.create({ type: 'not_yet', message: whyNoSlot(agent) });
