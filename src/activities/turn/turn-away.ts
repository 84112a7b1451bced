// A turn whose agent does not take its message, or cannot be read, leaves its slot: its run stays open, and it goes on when
// the agent is back. One whose agent has its share of slots waits as well.
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { carriesAnswers, untilNextTryMs } from '../../core/consent/delivery.ts';
import { durationMs } from '../../core/policy/duration.ts';
import type { ActivityDeps } from '../deps.ts';
import { createStuckNote } from '../stuck-note.ts';
import { warnEachMinute } from '../warn-each-minute.ts';
import { triesForMs } from '../circuits/port.ts';
import { whyNoSlot, type HeldSlot } from '../circuits/slots.ts';
import { jittered } from '../timing.ts';
import type { TurnLog } from './turn-log.ts';
import type { TurnMessage } from './turn-send.ts';
import { backoff } from '../../core/base/backoff.ts';

type Deps = Pick<ActivityDeps, 'config' | 'log' | 'now' | 'timing' | 'circuits' | 'store' | 'slots'>;
type Away = Extract<TurnOutcome, { kind: 'away' }>;
type Ids = TurnMessage['ids'];

/** Since when its agent takes no message of this turn, and why. */
interface Met {
  since: string;
  why: string;
  retryAfterMs: number;
  /** The agent has the message. */
  isDelivered?: boolean;
}

export async function leaveUntilBack(
  deps: Deps,
  input: TurnInput,
  { since, why, retryAfterMs, isDelivered = false }: Met,
  { ids, log }: { ids: Ids; log: TurnLog | null },
): Promise<Away> {
  const { task, turn, resumes, send } = input;
  const { taskId, agent, workflowId, firstExecutionRunId } = task;
  // Of what a person asks back people learn at once that it did not get there: nothing waits.
  if (send.kind === 'talk') return { kind: 'away', ...ids, since, again: since, why };
  const hasAnswers = carriesAnswers(send) && !isDelivered;
  const isWoken = await deps.circuits.wait({
    key: taskId,
    taskId,
    agent,
    workflowId,
    firstExecutionRunId,
    resumes,
    hasAnswers,
  });
  const nowMs = deps.now().getTime();
  const awayMs = nowMs - Date.parse(since);
  const { maxMs, firstMs } = deps.timing.away;
  // What the circuit wakes is tried of itself only in case that is lost.
  const ownMs = isWoken ? maxMs : untilNextTryMs(awayMs, deps.timing.away);
  // A message without answers is given up then, by a last try.
  const lastMs = hasAnswers ? Infinity : Math.max(durationMs(deps.config.agentOutage) - awayMs, firstMs);
  const waitMs = Math.max(Math.min(jittered(ownMs), lastMs + 1), Math.min(retryAfterMs, isWoken ? 0 : maxMs));
  const again = new Date(nowMs + Math.round(waitMs)).toISOString();
  await createStuckNote(deps, taskId, true).set('agent_away', why);
  if (log !== null) {
    await log.stuck({ cause: 'agent_away', since, why });
    await log.flush();
  }
  warnEachMinute(deps.log, { agent, taskId, turn, since, again, why }, 'a message waits for its agent, which is away');
  return { kind: 'away', ...ids, since, again, why, ...(isDelivered ? { isDelivered } : {}) };
}

/** Null: the turn may go on, in this slot. Otherwise it waits for its agent. */
export async function enterOrLeave(
  deps: Deps,
  input: TurnInput,
  of: { ids: Ids; log: TurnLog | null },
): Promise<{ slot: HeldSlot; tryForMs: number } | Away> {
  const { task, awaySince, resumes, isDelivered, send } = input;
  const { agent } = task;
  const nowMs = deps.now().getTime();
  const passage = await deps.circuits.passage(agent, task.taskId);
  const outageMs = durationMs(deps.config.agentOutage);
  const isOverdue = !carriesAnswers(send) && awaySince !== null && nowMs - Date.parse(awaySince) > outageMs;
  // What may not wait any longer meets its end in one more try.
  if (!passage.goes && !isOverdue) {
    const why = `the agent has been away since ${passage.since} (${passage.cause})`;
    const since = awaySince ?? new Date(nowMs).toISOString();
    return leaveUntilBack(deps, input, { since, why, retryAfterMs: 0, isDelivered }, of);
  }
  const slot = send.kind === 'talk' ? deps.slots.take(agent) : deps.slots.enter(agent);
  if (slot !== null) return { slot, tryForMs: triesForMs(passage, deps.timing) };
  const { firstMs, maxMs } = deps.timing.queue;
  const again = new Date(nowMs + jittered(backoff(resumes, { firstMs, mostMs: maxMs, growth: 1.5 })));
  const why = `${whyNoSlot(agent)}, and has not answered in them yet`;
  warnEachMinute(deps.log, { agent, taskId: task.taskId }, 'a turn waits, as its agent has its share of slots');
  return {
    kind: 'away',
    ...of.ids,
    since: new Date(nowMs).toISOString(),
    again: again.toISOString(),
    why,
    isQueued: true,
  };
}
