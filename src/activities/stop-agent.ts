import type { StopAgentInput, StopAgentResult } from '../contract/activity.ts';
import type { TurnEvent } from '../contract/turn.ts';
import { wordsOf } from '../wire/a2a/dialect.ts';
import type { A2aTransport } from './a2a-transport.ts';
import { createBackoff } from './backoff.ts';
import type { ActivityDeps } from './deps.ts';

/** Asks the agent to cancel its task and awaits its word: the state it really ended in. */
export async function stopAgent(deps: ActivityDeps, input: StopAgentInput, signal: AbortSignal): Promise<StopAgentResult> {
  const { a2aTaskId } = input;
  if (a2aTaskId === null) return { state: 'canceled', message: 'the agent had no task yet' };
  const transport = deps.transportOf(input.task.agent);
  const backoff = createBackoff(signal);
  let isAsked = false;
  for (;;) {
    try {
      const task: TurnEvent = isAsked
        ? await transport.getTask(a2aTaskId, {}, { signal })
        : await askToCancel(transport, a2aTaskId, signal);
      isAsked = true;
      const ended = endedAs(task);
      if (ended !== null) return ended;
    } catch (error) {
      const known = transport.classify(error, signal);
      if (known.what === 'task-not-found') return { state: 'canceled', message: 'the agent does not know the task' };
      if (signal.aborted || known.kind === 'final') return { state: 'unknown', message: known.message };
    }
    try {
      await backoff.wait();
    } catch {
      return { state: 'unknown', message: 'the agent did not say in time that it stopped' };
    }
  }
}

/** Agents refuse to cancel what has ended already: then its state is the answer. */
async function askToCancel(transport: A2aTransport, a2aTaskId: string, signal: AbortSignal): Promise<TurnEvent> {
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
  return { state, message: wordsOf(task.message).slice(0, 500) };
}
