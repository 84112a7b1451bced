// The intent of a message: written before the request, extended while an answer is waited for.
import type { Mode } from '../../core/turn/send-state.ts';
import { within } from '../../host/process/time-limit.ts';
import { FencedError } from '../../store/store.ts';
import { findWhileSending } from '../a2a/find-sent-message.ts';
import { probe } from '../circuits/probe.ts';
import type { SendContext, Sending, UnansweredRequest } from '../a2a/request.ts';

/** How long this attempt may send, and with which intent. */
export interface Permit {
  isStreaming: boolean;
  sendUntilMs: number;
}

/**
 * Counted from before the intent is written, so that it is over before others probe: between here and the request the
 * database may be slow, and the process may be frozen.
 */
async function permit(context: SendContext, mode: Mode): Promise<Permit & { sendForMs: number }> {
  const { timing } = context.deps;
  const isStreaming = mode === 'stream' && (await streams(context));
  const sendForMs = isStreaming ? timing.sendForMs : timing.sendBlockingForMs;
  return { isStreaming, sendForMs, sendUntilMs: performance.now() + sendForMs };
}

/** The first intent of a message, written and fenced by one statement; null when there may be one already. */
export async function begin(context: SendContext, sending: Sending, mode: Mode): Promise<Permit | null> {
  const { deps, taskId, attempt, fence } = context;
  if (fence === null) return null;
  const { sendForMs, ...permitted } = await permit(context, mode);
  const written = await deps.store.intents.begin({ messageId: sending.intentKey, taskId, attempt, sendForMs }, fence);
  return written === null ? null : permitted;
}

/** The same where one was there before: written again for this attempt, and the fence asked for after that. */
export async function renew(context: SendContext, { intentKey }: Sending, mode: Mode): Promise<Permit> {
  const { deps, taskId, attempt } = context;
  const { sendForMs, ...permitted } = await permit(context, mode);
  const written = await deps.store.intents.put({ messageId: intentKey, taskId, attempt, sendForMs });
  if (written.attempt !== attempt) throw new FencedError();
  await context.assertFence();
  return permitted;
}

/** Of a stream that has not begun: whether the agent shows the message, and more time, as for a blocking request in all. */
export async function probeUnanswered(
  context: SendContext,
  sending: Sending,
  startedMs: number,
): Promise<UnansweredRequest> {
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
  if (found.seen === 'delivered') return { kind: 'seen', task: found.task };
  // This message keeps its time, as its agent may be frozen; the others of the agent's do not begin.
  const isOver = performance.now() - startedMs >= deps.timing.tryForMs;
  if (isOver && !signal.aborted && (await isSilent(context, found.seen)))
    await context.circuits?.failed(context.agent, 'unanswered').catch(() => undefined);
  return { kind: 'waits', sendUntilMs: isExtended ? sendUntilMs : null };
}

/** Of an agent that cannot be asked for its messages nothing was learned: whether its server answers is asked apart. */
async function isSilent({ deps, transport, signal }: SendContext, seen: string): Promise<boolean> {
  if (seen !== 'unknown') return seen === 'silent';
  const probed = await probe(transport, within(signal, deps.timing.sendForMs / 4).signal);
  return !probed.isThere && !signal.aborted;
}

/** If that fails, the request itself will show it. */
export async function streams({ transport, signal, deps }: SendContext): Promise<boolean> {
  return transport.supportsStreaming(within(signal, deps.timing.callMs)).catch(() => {
    signal.throwIfAborted();
    return true;
  });
}
