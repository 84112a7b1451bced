// Where a run belongs: its own thread, an open task of another thread, or a task of the agent's that it goes on with.
import type { Adoption } from '../../contract/run.ts';
import { isEndedStatus } from '../../contract/task.ts';
import type { TaskRow } from '../../store/store.ts';
import type { RunInput } from '../../wire/agui/input/run-input.ts';
import type { ApiContext } from '../api-context.ts';

export interface MessageTarget {
  /** The thread whose log shows the run. */
  threadId: string;
  /** The task that the run names, as far as we know it. */
  named: TaskRow | null;
  /** Set when no open task of ours has the agent's task that it names. */
  adopt: Omit<Adoption, 'isSilent'> | null;
}

/** A task by the agent's id for it, or by ours. */
export async function namedTask(deps: Pick<ApiContext, 'store'>, agent: string, id: string): Promise<TaskRow | null> {
  const own = await deps.store.tasks.get(id);
  if (own !== null) return own.agent === agent ? own : null;
  return deps.store.tasks.byA2aId(agent, id);
}

/** Ends that say nothing about the agent's task: it may wait to this day. All others are the agent's word, or were told to it. */
const endsUnknownToAgent = new Set(['agent_unreachable', 'send_in_doubt', 'internal']);

function stillAtAgent(task: TaskRow): string | null {
  const isAlive = task.status === 'FAILED' && endsUnknownToAgent.has(task.error?.code ?? '');
  return isAlive ? task.a2aTaskId : null;
}

export async function targetOf(
  deps: Pick<ApiContext, 'store'>,
  agent: string,
  input: RunInput,
): Promise<MessageTarget> {
  const { threadId, options, resume } = input;
  // Answers never leave the thread they came on.
  if (options.taskId === null || resume !== null) return { threadId, named: null, adopt: null };
  const named = await namedTask(deps, agent, options.taskId);
  // A word to an open task is said to that task, and to nothing else.
  if (named !== null && !isEndedStatus(named.status)) return { threadId: named.threadId, named, adopt: null };
  const a2aTaskId = named === null ? options.taskId : stillAtAgent(named);
  // What the agent has ended takes no more words: the next task goes on in its context.
  if (a2aTaskId === null) return { threadId, named, adopt: null };
  return { threadId, named, adopt: { a2aTaskId, n: await deps.store.holds.lastN(agent, a2aTaskId) } };
}
