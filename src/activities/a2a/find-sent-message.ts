// Whether the agent has a message of ours: read from the task it is for, or from all tasks of its context.
import { setTimeout as wait } from 'node:timers/promises';
import type { TurnEvent } from '../../contract/turn.ts';
import { createBackoff, createOutage } from './backoff.ts';
import type { SendContext, Sending } from './sending.ts';
import { within } from '../timing.ts';

export type SentMessageLookup =
  | { seen: 'delivered'; task: TurnEvent | null; isInHistory: boolean }
  | { seen: 'absent' }
  /** The agent has lost the task that the message is for: it was of no use, and sending it again is of none. */
  | { seen: 'task-gone'; why: string }
  | { seen: 'unknown'; why: string };

/** Looks when nothing can be on its way any more; where that takes long, first whether the message is there already. */
export async function findUntilSent(
  context: SendContext,
  sending: Sending,
  msLeft: number,
): Promise<SentMessageLookup> {
  const { signal, deps } = context;
  if (msLeft > deps.timing.sendForMs) {
    const early = await findSentMessage(context, sending);
    if (early.seen === 'delivered') return early;
  }
  if (msLeft > 0) await wait(msLeft + 50, undefined, { signal });
  return findSentMessage(context, sending);
}

/** Looks whether the agent has our message. A look that fails is retried; it never means "not there". */
export async function findSentMessage(context: SendContext, sending: Sending): Promise<SentMessageLookup> {
  const backoff = createBackoff(context.signal, context.deps.timing);
  const outage = createOutage(context.outageMs);
  for (;;) {
    try {
      return sending.a2aTaskId === null
        ? await findInContext(context, sending)
        : await findInTask(context, sending, sending.a2aTaskId);
    } catch (error) {
      context.signal.throwIfAborted();
      const known = context.transport.classify(error, context.signal);
      if (known.what === 'task-not-found' && sending.a2aTaskId !== null)
        return { seen: 'task-gone', why: known.message };
      if (known.kind === 'final') return { seen: 'unknown', why: `${sending.message.messageId}: ${known.message}` };
      if (outage.fails()) return { seen: 'unknown', why: `the agent cannot be asked: ${known.message}` };
      await backoff.wait(known.retryAfterMs);
    }
  }
}

async function findInTask(context: SendContext, sending: Sending, a2aTaskId: string): Promise<SentMessageLookup> {
  const { deps, signal, agent } = context;
  const task = await context.transport.getTask(a2aTaskId, {}, within(signal, deps.timing.callMs));
  if (task.type !== 'task') return { seen: 'unknown', why: 'the agent’s task could not be read' };
  const { messageId } = sending.message;
  if (task.history.some((message) => message.messageId === messageId)) {
    await deps.store.agents.markShowsMessageIds(agent);
    return { seen: 'delivered', task, isInHistory: true };
  }
  const isPaused = task.state === 'input-required' || task.state === 'auth-required';
  const pauseId = task.message === null || task.message.messageId === '' ? null : task.message.messageId;
  // Only our answer can have ended the pause. A message that answers none proves itself by its id alone.
  const hasMovedOn = sending.pause !== null && !(isPaused && pauseId === sending.pause.messageId);
  if (hasMovedOn) return { seen: 'delivered', task, isInHistory: false };
  return absentOrUnknown(context, 'this agent does not show which messages it got');
}

async function findInContext(context: SendContext, sending: Sending): Promise<SentMessageLookup> {
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

/** Absence proves something only if this agent has shown us a message id of ours before. */
async function absentOrUnknown(context: SendContext, why: string): Promise<SentMessageLookup> {
  return (await context.deps.store.agents.showsMessageIds(context.agent))
    ? { seen: 'absent' }
    : { seen: 'unknown', why };
}
