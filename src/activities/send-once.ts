// Send once (design §4.2). No agent de-duplicates messages, so an intent is written before the request, the request ends
// at sendUntil, and whoever comes later waits until then, by the database's clock, and looks before it sends again.
import type { TurnEvent } from '../contract/turn.ts';
import { FencedError } from '../store/store.ts';
import type { A2aTransport, OutgoingMessage } from './a2a-transport.ts';
import { createBackoff, createOutage } from './backoff.ts';
import type { ActivityDeps } from './deps.ts';
import { setTimeout as wait } from 'node:timers/promises';

/** From the request to its response headers. */
export const sendForMs = 10_000;

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
}

export interface Sending {
  /** Key of the intent; the message id, or another one when an operator said "send again". */
  intentKey: string;
  message: OutgoingMessage;
  /** Task we answer in, or null for a first message. */
  a2aTaskId: string | null;
  contextId: string;
  pauseMessageId: string | null;
}

export type Sent =
  /** The agent has it; `events` is the stream of the response, if this attempt has it. */
  | { result: 'delivered'; events: AsyncIterator<TurnEvent> | null; first: TurnEvent | null; stop(): void }
  | { result: 'in-doubt'; what: string }
  | { result: 'refused'; message: string }
  | { result: 'unreachable'; message: string };

type Look = { seen: 'delivered'; task: TurnEvent | null } | { seen: 'absent' } | { seen: 'unknown'; why: string };

export async function sendOnce(context: SendContext, sending: Sending): Promise<Sent> {
  const { deps, signal } = context;
  const { intents } = deps.store;
  const backoff = createBackoff(signal);
  const outage = createOutage(context.outageMs);
  for (;;) {
    const intent = await intents.get(sending.intentKey);
    if (intent?.deliveredAt != null) return { result: 'delivered', events: null, first: null, stop: () => undefined };
    if (intent !== null) {
      if (intent.msLeft > 0) await wait(intent.msLeft + 50, undefined, { signal });
      const look = await lookForMessage(context, sending);
      if (look.seen === 'delivered') {
        await intents.settle(sending.intentKey, 'delivered');
        return { result: 'delivered', events: null, first: look.task, stop: () => undefined };
      }
      if (look.seen === 'unknown' && deps.config.agents[context.agent]?.resend !== 'safe') {
        return { result: 'in-doubt', what: look.why };
      }
      await intents.settle(sending.intentKey, 'void');
    }
    const { attempt, taskId } = context;
    await intents.put({ messageId: sending.intentKey, taskId, attempt, sendForMs });
    await context.assertFence();
    const sent = await request(context, sending);
    if (sent.result === 'delivered') return sent;
    if (sent.result === 'refused') {
      await intents.settle(sending.intentKey, 'void');
      return sent;
    }
    if (sent.result === 'not-taken') await intents.settle(sending.intentKey, 'void');
    deps.log.warn({ agent: context.agent, why: sent.message, result: sent.result }, 'message did not get through');
    if (outage.fails()) {
      if (sent.result === 'not-taken') return { result: 'unreachable', message: sent.message };
      return { result: 'in-doubt', what: sent.message };
    }
    await backoff.wait(sent.retryAfterMs);
  }
}

type Requested =
  | Extract<Sent, { result: 'delivered' | 'refused' }>
  /** Provably not at the agent, or perhaps. */
  | { result: 'not-taken' | 'unknown'; message: string; retryAfterMs: number | undefined };

/** One request, up to its first event. */
async function request(context: SendContext, sending: Sending): Promise<Requested> {
  const { deps, transport, signal } = context;
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(new DOMException('no answer within the time to send', 'TimeoutError')), sendForMs);
  const stop = (): void => own.abort(new DOMException('not wanted any more', 'AbortError'));
  try {
    const stream = transport.sendStream(sending.message, {
      signal: AbortSignal.any([signal, own.signal]),
      onResponse: () => clearTimeout(timer),
    });
    const events = stream[Symbol.asyncIterator]();
    const first = await events.next();
    clearTimeout(timer);
    if (first.done === true) return { result: 'unknown', message: 'the answer ended before it began', retryAfterMs: undefined };
    await deps.store.intents.settle(sending.intentKey, 'delivered');
    return { result: 'delivered', events, first: first.value, stop };
  } catch (error) {
    clearTimeout(timer);
    stop();
    signal.throwIfAborted();
    if (error instanceof FencedError) throw error;
    const known = transport.classify(error, own.signal);
    const isPermanent = known.kind === 'final' || known.what === 'policy';
    if (isPermanent && known.wasTaken === false) return { result: 'refused', message: known.message };
    const result = known.kind === 'not-sent' || known.wasTaken === false ? 'not-taken' : 'unknown';
    return { result, message: known.message, retryAfterMs: known.retryAfterMs };
  }
}

/** Looks whether the agent has our message. A look that fails is retried; it never means "not there". */
async function lookForMessage(context: SendContext, sending: Sending): Promise<Look> {
  const backoff = createBackoff(context.signal);
  const outage = createOutage(context.outageMs);
  for (;;) {
    try {
      return sending.a2aTaskId === null ? await lookInContext(context, sending) : await lookInTask(context, sending, sending.a2aTaskId);
    } catch (error) {
      context.signal.throwIfAborted();
      const known = context.transport.classify(error, context.signal);
      if (known.kind === 'final') return { seen: 'unknown', why: `${sending.message.messageId}: ${known.message}` };
      if (outage.fails()) return { seen: 'unknown', why: `the agent cannot be asked: ${known.message}` };
      await backoff.wait(known.retryAfterMs);
    }
  }
}

async function lookInTask(context: SendContext, sending: Sending, a2aTaskId: string): Promise<Look> {
  const task = await context.transport.getTask(a2aTaskId, {}, { signal: context.signal });
  if (task.type !== 'task') return { seen: 'unknown', why: 'the agent’s task could not be read' };
  const { messageId } = sending.message;
  if (task.history.some((message) => message.messageId === messageId)) {
    await context.deps.store.agents.markShowsMessageIds(context.agent);
    return { seen: 'delivered', task };
  }
  const isPaused = task.state === 'input-required' || task.state === 'auth-required';
  const isSamePause = isPaused && (task.message?.messageId ?? null) === sending.pauseMessageId;
  if (!isSamePause) return { seen: 'delivered', task };
  return absentOrUnknown(context, 'the task still waits, but this agent does not show which messages it got');
}

async function lookInContext(context: SendContext, sending: Sending): Promise<Look> {
  const { messageId } = sending.message;
  const found = await context.transport.findByMessageId({ contextId: sending.contextId, messageId }, { signal: context.signal });
  if (found === 'unsupported') return { seen: 'unknown', why: 'this agent cannot list its tasks' };
  if ('found' in found) {
    await context.deps.store.agents.markShowsMessageIds(context.agent);
    return { seen: 'delivered', task: found.found };
  }
  return absentOrUnknown(context, 'this agent does not show which messages it got');
}

/** Absence proves something only if this agent has shown us a message id of ours before. */
async function absentOrUnknown(context: SendContext, why: string): Promise<Look> {
  return (await context.deps.store.agents.showsMessageIds(context.agent)) ? { seen: 'absent' } : { seen: 'unknown', why };
}
