// Send once (docs/spec.md). No agent de-duplicates messages, so an intent is written before the request, the request ends
// at sendUntil, and whoever comes later waits until then, by the database's clock, and looks before it sends again.
import type { TurnEvent } from '../contract/turn.ts';
import { lacksWay } from './a2a-errors.ts';
import type { A2aErrorInfo } from './a2a-errors.ts';
import type { A2aTransport, OutgoingMessage } from './a2a-transport.ts';
import { createBackoff, createOutage } from './backoff.ts';
import type { ActivityDeps } from './deps.ts';
import { FencedError } from '../store/store.ts';
import { within } from './timing.ts';
import { setTimeout as wait } from 'node:timers/promises';

export interface SendContext {
  deps: ActivityDeps;
  agent: string;
  taskId: string;
  transport: A2aTransport;
  attempt: number;
  outageMs: number;
  signal: AbortSignal;
  /** Throws FencedError when a later attempt has taken over. */
  assertFence(): Promise<void>;
  /** Keeps what the first event names, before the message counts as delivered. */
  onFirst(event: TurnEvent): Promise<void>;
}

export interface Sending {
  /** Key of the intent; the message id, or another one when an operator said "send again". */
  intentKey: string;
  message: OutgoingMessage;
  /** Task the message is for, or null for a first message. */
  a2aTaskId: string | null;
  /** Task that an earlier attempt saw this first message make. */
  madeTaskId: string | null;
  contextId: string;
  /** Pause that is answered; null for a message that answers none. */
  pause: { messageId: string | null } | null;
}

export interface Delivered {
  result: 'delivered';
  events: AsyncIterator<TurnEvent> | null;
  first: TurnEvent | null;
  /** It came by a stream, which ends when the agent has said all that it has to say to the message. */
  isLive: boolean;
  stop(): void;
}

export type Sent =
  /** The agent has it; `events` is the stream of the response, if this attempt has it. */
  | Delivered
  | { result: 'in-doubt'; what: string }
  | { result: 'refused'; message: string }
  | { result: 'unreachable'; message: string };

type Look =
  | { seen: 'delivered'; task: TurnEvent | null }
  | { seen: 'absent' }
  /** The agent has lost the task that the message is for: it was of no use, and sending it again is of none. */
  | { seen: 'task-gone'; why: string }
  | { seen: 'unknown'; why: string };

/** The agent has it, and its answer comes another way; `task` as it was looked at. */
export const seenDelivered = (task: TurnEvent | null): Delivered => ({
  result: 'delivered',
  events: null,
  first: task,
  isLive: false,
  stop: () => undefined,
});

export async function sendOnce(context: SendContext, sending: Sending): Promise<Sent> {
  const { deps, signal } = context;
  const { intents } = deps.store;
  const backoff = createBackoff(signal, deps.timing);
  const outage = createOutage(context.outageMs);
  const { mode: wanted = 'stream' } = sending.message;
  let mode = wanted;
  let heard: string | null = null;
  for (;;) {
    const intent = await intents.get(sending.intentKey);
    if (intent !== null) {
      if (sending.madeTaskId !== null) return seenDelivered(null);
      if (intent.deliveredAt !== null) return await recall(context, sending);
      const look = await lookWhenSent(context, sending, intent.msLeft);
      if (look.seen === 'delivered') {
        await intents.delivered(sending.intentKey);
        return seenDelivered(look.task);
      }
      if (look.seen === 'task-gone') {
        await intents.forget(sending.intentKey, intent.attempt);
        return { result: 'refused', message: look.why };
      }
      if (look.seen === 'unknown' && deps.config.agents[context.agent]?.resend !== 'safe') {
        // Whoever decides about it wants to know what the agent said, if anything.
        return { result: 'in-doubt', what: heard === null ? look.why : `${heard}; ${look.why}` };
      }
      await intents.forget(sending.intentKey, intent.attempt);
    }
    const { attempt, taskId } = context;
    const isStreaming = mode === 'stream' && (await streams(context));
    const sendForMs = isStreaming ? deps.timing.sendForMs : deps.timing.sendBlockingForMs;
    // Counted from before the intent is written, so that it is over before others look: between here and the request the
    // database may be slow, and the process may stand still.
    const sendUntilMs = performance.now() + sendForMs;
    const written = await intents.put({ messageId: sending.intentKey, taskId, attempt, sendForMs });
    if (written.attempt !== attempt) throw new FencedError();
    await context.assertFence();
    const sent = await request(context, { ...sending.message, mode }, { sendUntilMs, isStreaming });
    if (sent.result === 'answered') {
      await context.onFirst(sent.first);
      await intents.delivered(sending.intentKey);
      return { ...sent, isLive: isStreaming, result: 'delivered' };
    }
    if (sent.result === 'refused') {
      await intents.forget(sending.intentKey, attempt);
      return sent;
    }
    if (sent.result === 'not-taken' || sent.result === 'no-stream') await intents.forget(sending.intentKey, attempt);
    if (sent.result === 'no-stream') {
      deps.log.debug({ agent: context.agent, why: sent.message }, 'no stream took the message; sending it without one');
      mode = 'send';
      continue;
    }
    mode = wanted;
    heard = sent.message;
    deps.log.warn({ agent: context.agent, why: sent.message, result: sent.result }, 'message did not get through');
    if (outage.fails()) {
      if (sent.result === 'not-taken') return { result: 'unreachable', message: sent.message };
      return { result: 'in-doubt', what: sent.message };
    }
    await backoff.wait(sent.retryAfterMs);
  }
}

/** The agent has the message, but the attempt that knew its answer is gone. */
async function recall(context: SendContext, sending: Sending): Promise<Sent> {
  if (sending.a2aTaskId !== null) return seenDelivered(null);
  const look = await lookForMessage(context, sending);
  if (look.seen === 'delivered') return seenDelivered(look.task);
  return { result: 'in-doubt', what: 'the agent got the message, but its answer was lost' };
}

/** Without an answer to that, the request itself will say. */
async function streams({ transport, signal, deps }: SendContext): Promise<boolean> {
  return transport.supportsStreaming(within(signal, deps.timing.callMs)).catch(() => {
    signal.throwIfAborted();
    return true;
  });
}

type Requested =
  | { result: 'answered'; events: AsyncIterator<TurnEvent>; first: TurnEvent; stop(): void }
  | { result: 'refused'; message: string }
  /** Provably not taken, because it came by a stream: the same message may go without one. */
  | { result: 'no-stream'; message: string }
  /** Provably not at the agent, or perhaps. */
  | { result: 'not-taken' | 'unknown'; message: string; retryAfterMs: number | undefined };

const timeout = (what: string): DOMException => new DOMException(what, 'TimeoutError');

function isAboutStream(known: A2aErrorInfo): boolean {
  if (known.wasTaken !== false) return false;
  return lacksWay(known) || (known.what === 'network' && known.kind === 'not-sent');
}

/** One request, up to its first event. */
async function request(
  context: SendContext,
  message: OutgoingMessage,
  { sendUntilMs, isStreaming }: { sendUntilMs: number; isStreaming: boolean },
): Promise<Requested> {
  const { deps, transport, signal } = context;
  const { silenceMs } = deps.timing;
  const leftMs = sendUntilMs - performance.now();
  if (leftMs <= 0)
    return { result: 'not-taken', message: 'the time to send was over at once', retryAfterMs: undefined };
  const own = new AbortController();
  const stop = (): void => own.abort(new DOMException('not wanted any more', 'AbortError'));
  let timer = setTimeout(() => own.abort(timeout('no answer within the time to send')), leftMs);
  const onResponse = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => own.abort(timeout('an answer without a word')), silenceMs);
  };
  try {
    const stream = transport.sendStream(message, { signal: AbortSignal.any([signal, own.signal]), onResponse });
    const events = stream[Symbol.asyncIterator]();
    const first = await events.next();
    if (first.done !== true) return { result: 'answered', events, first: first.value, stop };
    return { result: 'unknown', message: 'the answer ended before it began', retryAfterMs: undefined };
  } catch (error) {
    stop();
    signal.throwIfAborted();
    const known = transport.classify(error, own.signal);
    if (isStreaming && isAboutStream(known)) return { result: 'no-stream', message: known.message };
    const isPermanent = known.kind === 'final' || known.what === 'policy';
    if (isPermanent && known.wasTaken === false) return { result: 'refused', message: known.message };
    const result = known.kind === 'not-sent' || known.wasTaken === false ? 'not-taken' : 'unknown';
    return { result, message: known.message, retryAfterMs: known.retryAfterMs };
  } finally {
    clearTimeout(timer);
  }
}

/** Looks when nothing can be on its way any more; where that takes long, first whether the message is there already. */
async function lookWhenSent(context: SendContext, sending: Sending, msLeft: number): Promise<Look> {
  const { signal, deps } = context;
  if (msLeft > deps.timing.sendForMs) {
    const early = await lookForMessage(context, sending);
    if (early.seen === 'delivered') return early;
  }
  if (msLeft > 0) await wait(msLeft + 50, undefined, { signal });
  return lookForMessage(context, sending);
}

/** Looks whether the agent has our message. A look that fails is retried; it never means "not there". */
async function lookForMessage(context: SendContext, sending: Sending): Promise<Look> {
  const backoff = createBackoff(context.signal, context.deps.timing);
  const outage = createOutage(context.outageMs);
  for (;;) {
    try {
      return sending.a2aTaskId === null
        ? await lookInContext(context, sending)
        : await lookInTask(context, sending, sending.a2aTaskId);
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

async function lookInTask(context: SendContext, sending: Sending, a2aTaskId: string): Promise<Look> {
  const { deps, signal, agent } = context;
  const task = await context.transport.getTask(a2aTaskId, {}, within(signal, deps.timing.callMs));
  if (task.type !== 'task') return { seen: 'unknown', why: 'the agent’s task could not be read' };
  const { messageId } = sending.message;
  if (task.history.some((message) => message.messageId === messageId)) {
    await deps.store.agents.markShowsMessageIds(agent);
    return { seen: 'delivered', task };
  }
  const isPaused = task.state === 'input-required' || task.state === 'auth-required';
  const pauseId = task.message === null || task.message.messageId === '' ? null : task.message.messageId;
  // Only our answer can have ended the pause. A message that answers none proves itself by its id alone.
  const hasMovedOn = sending.pause !== null && !(isPaused && pauseId === sending.pause.messageId);
  if (hasMovedOn) return { seen: 'delivered', task };
  return absentOrUnknown(context, 'this agent does not show which messages it got');
}

async function lookInContext(context: SendContext, sending: Sending): Promise<Look> {
  const { messageId } = sending.message;
  const call = within(context.signal, context.deps.timing.callMs);
  const found = await context.transport.findByMessageId({ contextId: sending.contextId, messageId }, call);
  if (found === 'unsupported') return { seen: 'unknown', why: 'this agent cannot list its tasks' };
  if ('found' in found) {
    await context.deps.store.agents.markShowsMessageIds(context.agent);
    return { seen: 'delivered', task: found.found };
  }
  return absentOrUnknown(context, 'this agent does not show which messages it got');
}

/** Absence proves something only if this agent has shown us a message id of ours before. */
async function absentOrUnknown(context: SendContext, why: string): Promise<Look> {
  return (await context.deps.store.agents.showsMessageIds(context.agent))
    ? { seen: 'absent' }
    : { seen: 'unknown', why };
}
