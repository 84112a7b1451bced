// Whether the agent has a message from Standfast: read from the task it is for, or from all tasks of its context.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import { isPausedState } from '../../contract/tasks/agent-state-names.ts';
import { isClosedWay } from '../../core/consent/delivery.ts';
import { isGone, missedAgain, type Missing } from '../../core/turn/pace.ts';
import type { Probe } from '../../core/turn/send-state.ts';
import type { SendIntent } from '../../store/ports/intents.ts';
import { createBackoff, createOutage } from './backoff.ts';
import type { SendContext, Sending } from './request.ts';
import { within } from '../../host/process/time-limit.ts';
import { sleep } from '../../host/process/sleep.ts';
import type { WithStore } from '../dep-parts.ts';

/** Probes once nothing can be in flight any more; if that takes long, checks earlier whether the message arrived. */
export async function findUntilSent(context: SendContext, sending: Sending, intent: SendIntent): Promise<Probe> {
  const { signal, deps } = context;
  if (intent.msLeft > deps.timing.sendForMs) {
    const early = await findSentMessage(context, sending);
    if (early.seen === 'delivered') return early;
  }
  await untilSent(deps, intent, sending.intentKey, signal);
  return findSettled(context, sending);
}

/** Waits until nothing can be in flight any more. The sender may extend the intent in the meantime. */
export async function untilSent(
  { store }: WithStore,
  intent: SendIntent,
  intentKey: string,
  signal: AbortSignal,
): Promise<void> {
  for (let left: SendIntent | null = intent; left !== null && left.deliveredAt === null && left.msLeft > 0;) {
    await sleep(left.msLeft + 50, { signal });
    left = await store.intents.get(intentKey);
  }
}

/**
 * An agent that stood still may answer a probe before it reads a message in another socket. Absence therefore counts
 * only after two probes, with time between them for the agent to read its sockets.
 */
async function findSettled(context: SendContext, sending: Sending): Promise<Probe> {
  const first = await findSentMessage(context, sending);
  if (first.seen !== 'absent') return first;
  await sleep(context.deps.timing.settleMs, { signal: context.signal });
  return findSentMessage(context, sending);
}

/** A single probe for a request that is still on its way; `silent`: nothing came back, not even an error. */
export async function findWhileSending(
  context: SendContext,
  sending: Sending,
): Promise<Probe | { seen: 'silent' | 'failed' }> {
  try {
    return await find(context, sending);
  } catch (error) {
    const { what } = context.transport.classify(error, context.signal);
    return { seen: what === 'network' || what === 'aborted' ? 'silent' : 'failed' };
  }
}

/** Probes whether the agent has the message. A probe that fails is retried; it never means "not there". */
export async function findSentMessage(context: SendContext, sending: Sending): Promise<Probe> {
  const backoff = createBackoff(context.signal, context.deps.timing);
  const { away, deps } = context;
  const outage = createOutage(away === null ? context.outageMs : deps.timing.tryForMs);
  let missing: Missing | null = null;
  for (;;) {
    try {
      return await find(context, sending);
    } catch (error) {
      context.signal.throwIfAborted();
      const known = context.transport.classify(error, context.signal);
      if (known.what === 'task-not-found' && sending.a2aTaskId !== null) {
        missing = missedAgain(missing, performance.now());
        if (isGone(missing, deps.timing, performance.now())) return { seen: 'task-gone', why: known.message };
        await backoff.wait();
        continue;
      }
      if (away?.isKept === true && isClosedWay(known)) return { seen: 'away', why: known.message };
      if (known.kind === 'final') return { seen: 'unknown', why: `${sending.message.messageId}: ${known.message}` };
      const why = `the agent cannot be asked: ${known.message}`;
      if (outage.fails()) return { seen: away === null ? 'unknown' : 'away', why };
      await backoff.wait(known.retryAfterMs);
    }
  }
}

function find(context: SendContext, sending: Sending): Promise<Probe> {
  return sending.a2aTaskId === null ? findInContext(context, sending) : findInTask(context, sending, sending.a2aTaskId);
}

async function findInTask(context: SendContext, sending: Sending, a2aTaskId: A2aTaskId): Promise<Probe> {
  const { deps, signal, agent } = context;
  const task = await context.transport.getTask(a2aTaskId, {}, within(signal, deps.timing.callMs));
  if (task.type !== 'task') return { seen: 'unknown', why: 'the agent’s task could not be read' };
  const { messageId } = sending.message;
  if (task.history.some((message) => message.messageId === messageId)) {
    await deps.store.agents.markShowsMessageIds(agent);
    return { seen: 'delivered', task, isInHistory: true };
  }
  const isPaused = isPausedState(task.state);
  const pauseId = task.message === null || task.message.messageId === '' ? null : task.message.messageId;
  // Only this answer can have ended the pause. A message that answers no pause is proven by its id only.
  const hasMovedOn = sending.pause !== null && !(isPaused && pauseId === sending.pause.messageId);
  if (hasMovedOn) return { seen: 'delivered', task, isInHistory: false };
  return absentOrUnknown(context, 'this agent does not show which messages it got');
}

async function findInContext(context: SendContext, sending: Sending): Promise<Probe> {
  const { messageId } = sending.message;
  const call = within(context.signal, context.deps.timing.callMs);
  const found = await context.transport.findByMessageId({ contextId: sending.contextId, messageId }, call);
  if (found === 'unsupported') return { seen: 'unknown', why: 'this agent cannot list its tasks' };
  if ('found' in found) {
    await context.deps.store.agents.markShowsMessageIds(context.agent);
    return { seen: 'delivered', task: found.found, isInHistory: true };
  }
  return absentOrUnknown(context, 'this agent does not show which messages it got');
}

/** Absence proves something only if this agent has shown one of Standfast's message ids before. */
async function absentOrUnknown(context: SendContext, why: string): Promise<Probe> {
  return (await context.deps.store.agents.showsMessageIds(context.agent))
    ? { seen: 'absent' }
    : { seen: 'unknown', why };
}
