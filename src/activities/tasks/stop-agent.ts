import type { A2aTaskId, TaskId } from '../../contract/base/id-types.ts';
import type { StopAgentInput, StopAgentResult } from '../../contract/tasks/activity.ts';
import type { TurnEvent } from '../../contract/tasks/turn.ts';
import { askAgent } from '../../core/base/ids.ts';
import { endedTaskOf } from '../../core/questions/asks.ts';
import { contextIdOf, messageIdOf } from '../../core/base/ids.ts';
import { isGone, missedAgain, type Missing } from '../../core/turn/pace.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import { messageText } from '../../wire/a2a/dialects/base/dialect.ts';
import type { FoundMessage } from '../a2a/a2a-find.ts';
import type { A2aTransport } from '../a2a/a2a-transport.ts';
import { createBackoff } from '../a2a/backoff.ts';
import { untilSent } from '../a2a/find-sent-message.ts';
import type { ActivityDeps } from '../deps.ts';
import { within } from '../../host/process/time-limit.ts';
import { sleep } from '../../host/process/sleep.ts';
import type { WithTiming } from '../dep-parts.ts';

type Deps = Pick<ActivityDeps, 'config' | 'store' | 'transportOf' | 'timing'>;

/** How long one attempt waits for an agent that answers and has not ended its task yet. */
const waitMs = 10_000;

/**
 * Asks the agent to cancel its task and waits for the state in which it ended; `unknown` if the agent does not report
 * one. Throws what is to be tried again, which is safe: between two attempts it takes no slot from other agents' turns,
 * however many tasks an unreachable agent has.
 */
export async function stopAgent(deps: Deps, input: StopAgentInput, signal: AbortSignal): Promise<StopAgentResult> {
  if (input.task.agent === askAgent) return { state: 'canceled', message: 'no agent has a task of this' };
  if (!Object.hasOwn(deps.config.agents, input.task.agent))
    return { state: 'unknown', message: 'the agent is not in the configuration any more' };
  const transport = deps.transportOf(input.task.agent);
  const backoff = createBackoff(signal, deps.timing);
  const { callMs } = deps.timing;
  const endsAt = performance.now() + waitMs;
  let why = 'the agent has not ended the task yet';
  try {
    const known = await agentsTask(deps, input, transport, signal);
    if (known.kind !== 'known') return withoutTask[known.kind];
    let task = await untilKnown(deps, transport, signal, () =>
      askToCancel(transport, known.a2aTaskId, within(signal, callMs).signal),
    );
    for (;;) {
      const ended = endedAs(task);
      if (ended !== null) return ended;
      if (performance.now() > endsAt) break;
      await backoff.wait();
      task = await transport.getTask(known.a2aTaskId, {}, within(signal, callMs));
    }
  } catch (error) {
    signal.throwIfAborted();
    const { what, kind, message } = transport.classify(error, signal);
    if (what === 'task-not-found') return { state: 'canceled', message: 'the agent does not know the task' };
    if (kind === 'final') return { state: 'unknown', message };
    why = message;
  }
  // Without its cause, which may hold what only this process may know.
  throw new Error(why);
}

/** One poll proves nothing: another of the agent's replicas may know the task. */
async function untilKnown<T>(
  { timing }: WithTiming,
  transport: A2aTransport,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T> {
  const backoff = createBackoff(signal, timing);
  let missing: Missing | null = null;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (transport.classify(error, signal).what !== 'task-not-found') throw error;
      missing = missedAgain(missing, performance.now());
      if (isGone(missing, timing, performance.now())) throw error;
      await backoff.wait();
    }
  }
}

/** Slots for short work must not fill with agents that do not answer. */
const soonMs = 5_000;

/** One attempt that takes a moment at most; false: the agent is to be asked again. */
export async function stopsSoon(deps: Deps, input: StopAgentInput, signal: AbortSignal): Promise<boolean> {
  return stopAgent(deps, input, within(signal, soonMs).signal).then(
    () => true,
    () => false,
  );
}

const withoutTask: Record<'none' | 'ended' | 'hidden', StopAgentResult> = {
  none: { state: 'canceled', message: 'the agent had no task yet' },
  ended: { state: 'canceled', message: 'the agent has no task that waits' },
  hidden: { state: 'unknown', message: 'it cannot tell which task our message made' },
};

type AgentsTask = { kind: 'known'; a2aTaskId: A2aTaskId } | { kind: keyof typeof withoutTask };

/** The id of the agent's task: from the workflow, from a turn that was cut short, or from the agent itself. */
async function agentsTask(
  deps: Deps,
  { task, a2aTaskId }: StopAgentInput,
  transport: A2aTransport,
  signal: AbortSignal,
): Promise<AgentsTask> {
  const row = a2aTaskId === null ? await deps.store.tasks.get(task.taskId) : null;
  const last = a2aTaskId ?? row?.a2aTaskId ?? null;
  if (deps.config.agents[task.agent]?.asks !== undefined) {
    const kind = await askedByAnEnd(deps, task.taskId, last);
    if (kind !== null) return { kind };
  }
  if (last !== null) return { kind: 'known', a2aTaskId: last };
  const messageId = messageIdOf(sha1Hex, task.taskId, 1);
  const intent = await deps.store.intents.get(messageId);
  if (intent === null) return { kind: 'none' };
  await untilSent(deps, intent, messageId, signal);
  const thread = await deps.store.threads.get(task.agent, task.threadId);
  const contextId = row?.contextId ?? thread?.contextId ?? contextIdOf(sha1Hex, task.taskId);
  const look = (): Promise<FoundMessage> =>
    transport.findByMessageId({ contextId, messageId }, within(signal, deps.timing.callMs));
  let found = await look();
  if (found !== 'unsupported' && 'absent' in found) {
    // It may be in a socket that an agent that stood still reads only after its answer (ADR 55).
    await sleep(deps.timing.settleMs, { signal });
    found = await look();
  }
  if (found === 'unsupported') return { kind: 'hidden' };
  if ('found' in found) {
    await deps.store.agents.markShowsMessageIds(task.agent);
    return { kind: 'known', a2aTaskId: found.found.a2aTaskId };
  }
  // An agent that never showed the id of a message may have the message and not say so.
  return (await deps.store.agents.showsMessageIds(task.agent)) ? { kind: 'none' } : { kind: 'hidden' };
}

/** Whether the agent's last task is one that it ended to ask (`agents.<name>.asks`), and it has begun nothing since. */
async function askedByAnEnd(
  { store }: Deps,
  taskId: TaskId,
  last: A2aTaskId | null,
): Promise<'ended' | 'hidden' | null> {
  const asked = (await store.holds.ofTask(taskId)).at(-1);
  if (asked === undefined || endedTaskOf([asked.question]) !== last) return null;
  return asked.status === 'decided' ? 'hidden' : 'ended';
}

/** Agents refuse to cancel a task that has ended: its state is then the answer. */
async function askToCancel(transport: A2aTransport, a2aTaskId: A2aTaskId, signal: AbortSignal): Promise<TurnEvent> {
  try {
    return await transport.cancel(a2aTaskId, { signal });
  } catch (error) {
    if (transport.classify(error, signal).what !== 'not-cancelable') throw error;
    return transport.getTask(a2aTaskId, {}, { signal });
  }
}

function endedAs(task: TurnEvent): StopAgentResult | null {
  if (task.type !== 'task') return null;
  const { state } = task;
  if (state !== 'completed' && state !== 'canceled' && state !== 'failed' && state !== 'rejected') return null;
  return { state, message: messageText(task.message).slice(0, 500) };
}
