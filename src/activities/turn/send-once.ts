// Send once (docs/spec.md). No agent de-duplicates messages, so an intent is written before the request, the request ends
// at sendUntil; later attempts wait until then, by the database's clock, and probe before they send again. Who waits for an
// answer still has its time extended: an agent may stand still, or think for long before its first word.
import type { AgentConfig } from '../../contract/configuration/config.ts';
import type { TurnEvent } from '../../contract/tasks/turn.ts';
import { FencedError } from '../../store/store.ts';
import type { A2aErrorInfo } from '../a2a/a2a-errors.ts';
import { findSentMessage, findUntilSent, findWhileSending } from '../a2a/find-sent-message.ts';
import { request, type Midway, type SendContext, type Sending } from '../a2a/request.ts';
import { isAgentsAnswer, judgeFailure, type SendFailure } from '../a2a/send-failures.ts';
import { createBackoff, createOutage } from '../a2a/backoff.ts';
import { within } from '../../host/process/time-limit.ts';

export interface Delivered {
  result: 'delivered';
  events: AsyncIterator<TurnEvent> | null;
  first: TurnEvent | null;
  /** It came by a stream, which ends when the agent has nothing more to answer to the message. */
  isLive: boolean;
  /** Why the agent's reply may be lost, although it has the message. */
  lost: string | null;
  stop(): void;
}

export type Sent =
  /** The agent has it; `events` is the stream of the response, if this attempt has it. */
  | Delivered
  | { result: 'delivery-unknown'; what: string }
  /** `isAboutPush`: it refuses the push address, and would take the message without it. */
  | { result: 'refused'; message: string; isAboutPush?: boolean }
  | { result: 'unreachable'; message: string };

/** The agent has it, and its reply comes by another way; `task` as the probe found it. */
export const seenDelivered = (task: TurnEvent | null, lost: string | null = null): Delivered => ({
  result: 'delivered',
  events: null,
  first: task,
  isLive: false,
  lost,
  stop: () => undefined,
});

export async function sendOnce(context: SendContext, sending: Sending): Promise<Sent> {
  const { deps, signal } = context;
  const { intents, agents } = deps.store;
  const backoff = createBackoff(signal, deps.timing);
  const outage = createOutage(context.outageMs);
  const isFollowUp = sending.a2aTaskId !== null;
  let mode = await modeFor(context, sending);
  let result: A2aErrorInfo | null = null;
  let isFirst = true;
  for (;;) {
    const begun = isFirst ? await begin(context, sending, mode) : null;
    isFirst = false;
    const intent = begun === null ? await intents.get(sending.intentKey) : null;
    if (intent !== null) {
      if (sending.madeTaskId !== null) return seenDelivered(null);
      if (intent.deliveredAt !== null) return await recall(context, sending);
      const probe = await findUntilSent(context, sending, intent);
      if (probe.seen === 'delivered') {
        await intents.delivered(sending.intentKey);
        return seenDelivered(probe.task, await whyLost(context, sending, result));
      }
      if (probe.seen === 'task-gone') {
        await intents.forget(sending.intentKey, intent.attempt);
        return { result: 'refused', message: probe.why };
      }
      if (probe.seen === 'unknown' && !mayResend(context)) return deliveryUnknown(result, probe.why);
      if (probe.seen === 'absent' && resendOf(context) === 'never')
        return deliveryUnknown(result, 'the agent does not show it, and may still get it');
      await intents.forget(sending.intentKey, intent.attempt);
    }
    const { attempt } = context;
    const { isStreaming, sendUntilMs } = begun ?? (await renew(context, sending, mode));
    const startedMs = performance.now();
    const midway = (during: AbortSignal): Promise<Midway> =>
      probeMidway({ ...context, signal: during }, sending, startedMs);
    const sent = await request(context, { ...sending.message, mode }, sendUntilMs, isStreaming ? midway : null);
    if (sent.result === 'seen') {
      await intents.delivered(sending.intentKey);
      return seenDelivered(sent.task, await whyLost(context, sending, null));
    }
    if (sent.result === 'answered') {
      await context.taken(sent.first, sending.intentKey);
      return { ...sent, isLive: isStreaming, lost: null, result: 'delivered' };
    }
    const { known } = sent;
    const hasStreams = (): Promise<boolean> => streams(context);
    const failure = await judgeFailure({ known, isStreaming, isFollowUp, hasStreams });
    if (isStreaming && known.what === 'unsupported') {
      const why = { agent: context.agent, why: known.message };
      deps.log.warn(why, 'the agent did not answer this message by a stream; the next of its kind go without one');
      await agents.markSendsWithout(context.agent, isFollowUp ? 'follow-ups' : 'all');
    }
    const next = failure.kind === 'answered' ? await probeNow(context, sending, failure, known) : failure;
    if ('result' in next) return next;
    if (next.kind !== 'unknown') await intents.forget(sending.intentKey, attempt);
    if (next.kind === 'refused')
      return { result: 'refused', message: known.message, isAboutPush: known.what === 'no-push' };
    if (next.kind === 'other-way') {
      deps.log.debug(
        { agent: context.agent, why: known.message },
        'no stream took the message; sending it without one',
      );
      mode = 'send';
      continue;
    }
    mode = await modeFor(context, sending);
    result = known;
    deps.log.warn({ agent: context.agent, why: known.message, result: next.kind }, 'message did not get through');
    if (outage.fails()) {
      if (next.kind === 'not-taken') return { result: 'unreachable', message: known.message };
      return { result: 'delivery-unknown', what: known.message };
    }
    await backoff.wait(known.retryAfterMs);
  }
}

/** How long this attempt may send, and with which intent. */
interface Permit {
  isStreaming: boolean;
  sendUntilMs: number;
}

/**
 * Counted from before the intent is written, so that it is over before others probe: between here and the request the
 * database may be slow, and the process may stand still.
 */
async function permit(context: SendContext, mode: 'stream' | 'send'): Promise<Permit & { sendForMs: number }> {
  const { timing } = context.deps;
  const isStreaming = mode === 'stream' && (await streams(context));
  const sendForMs = isStreaming ? timing.sendForMs : timing.sendBlockingForMs;
  return { isStreaming, sendForMs, sendUntilMs: performance.now() + sendForMs };
}

/** The first intent of a message, written and fenced by one statement; null when there may be one already. */
async function begin(context: SendContext, sending: Sending, mode: 'stream' | 'send'): Promise<Permit | null> {
  const { deps, taskId, attempt, fence } = context;
  // A later attempt finds what an earlier one wrote.
  if (fence === null || attempt > 1 || sending.madeTaskId !== null) return null;
  const { sendForMs, ...permitted } = await permit(context, mode);
  const written = await deps.store.intents.begin({ messageId: sending.intentKey, taskId, attempt, sendForMs }, fence);
  return written === null ? null : permitted;
}

/** The same where one was there before: written anew for this attempt, and the fence asked for after that. */
async function renew(context: SendContext, { intentKey }: Sending, mode: 'stream' | 'send'): Promise<Permit> {
  const { deps, taskId, attempt } = context;
  const { sendForMs, ...permitted } = await permit(context, mode);
  const written = await deps.store.intents.put({ messageId: intentKey, taskId, attempt, sendForMs });
  if (written.attempt !== attempt) throw new FencedError();
  await context.assertFence();
  return permitted;
}

/** Of a stream that has not begun: whether the agent shows the message, and more time, as for a blocking request in all. */
async function probeMidway(context: SendContext, sending: Sending, startedMs: number): Promise<Midway> {
  const { deps, attempt, signal } = context;
  const { sendForMs, sendBlockingForMs } = deps.timing;
  const sendUntilMs = performance.now() + sendForMs;
  const extend = async (): Promise<boolean> => {
    if (sendUntilMs - startedMs > sendBlockingForMs) return false;
    await context.assertFence();
    return deps.store.intents.extend({ messageId: sending.intentKey, attempt, sendForMs });
  };
  const isExtended = await extend().catch(() => false);
  // Over well before the time that is left.
  const found = await findWhileSending({ ...context, ...within(signal, sendForMs / 4) }, sending);
  if (found?.seen === 'delivered') return { kind: 'seen', task: found.task };
  return { kind: 'waits', sendUntilMs: isExtended ? sendUntilMs : null };
}

/** As the run requests it, unless this agent is known to fail on such messages by a stream. */
async function modeFor({ deps, agent }: SendContext, { message, a2aTaskId }: Sending): Promise<'stream' | 'send'> {
  const { mode = 'stream' } = message;
  if (mode === 'send') return mode;
  const without = await deps.store.agents.sendsWithout(agent);
  return without === 'all' || (without === 'follow-ups' && a2aTaskId !== null) ? 'send' : 'stream';
}

/** After an answer that proves nothing: what to do next, or the outcome. */
async function probeNow(
  context: SendContext,
  sending: Sending,
  failure: Extract<SendFailure, { kind: 'answered' }>,
  known: A2aErrorInfo,
): Promise<Sent | { kind: 'other-way' | 'refused' }> {
  const { intents } = context.deps.store;
  const probe = await findSentMessage(context, sending);
  // That the task has moved on proves nothing for a message that its agent says it refuses.
  if (probe.seen === 'delivered' && (probe.isInHistory || failure.absent !== 'refused')) {
    await intents.delivered(sending.intentKey);
    return seenDelivered(probe.task, await whyLost(context, sending, known));
  }
  if (probe.seen === 'task-gone') return { kind: 'refused' };
  const otherwise = probe.seen === 'unknown' ? failure.unknown : failure.absent;
  if (otherwise !== 'delivery-unknown') return { kind: otherwise };
  if (mayResend(context)) return { kind: 'other-way' };
  return deliveryUnknown(known, probe.seen === 'unknown' ? probe.why : 'no task of the agent’s shows it');
}

const resendOf = ({ deps, agent }: SendContext): AgentConfig['resend'] | undefined => deps.config.agents[agent]?.resend;
const mayResend = (context: SendContext): boolean => resendOf(context) === 'safe';

/** Operators who decide about it need to see what the agent replied, if anything. */
function deliveryUnknown(result: A2aErrorInfo | null, why: string): Sent {
  return { result: 'delivery-unknown', what: result === null ? why : `${result.message}; ${why}` };
}

/** The message is there; of an agent that answered with an error, or that is known to do so, the rest may never come. */
async function whyLost(
  { deps, agent }: SendContext,
  { a2aTaskId }: Sending,
  result: A2aErrorInfo | null,
): Promise<string | null> {
  if (result !== null && isAgentsAnswer(result)) return result.message;
  const isKnownToLose = a2aTaskId !== null && (await deps.store.agents.sendsWithout(agent)) !== null;
  return isKnownToLose ? 'it has failed to answer such messages by a stream before' : null;
}

/** The agent has the message, but the attempt that knew its answer is gone. */
async function recall(context: SendContext, sending: Sending): Promise<Sent> {
  if (sending.a2aTaskId !== null) return seenDelivered(null, await whyLost(context, sending, null));
  const probe = await findSentMessage(context, sending);
  if (probe.seen === 'delivered') return seenDelivered(probe.task);
  return { result: 'delivery-unknown', what: 'the agent got the message, but its answer was lost' };
}

/** If that fails, the request itself will show it. */
async function streams({ transport, signal, deps }: SendContext): Promise<boolean> {
  return transport.supportsStreaming(within(signal, deps.timing.callMs)).catch(() => {
    signal.throwIfAborted();
    return true;
  });
}
