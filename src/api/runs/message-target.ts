// Where a run belongs: its own thread, an open task of another thread, or a task of the agent's that it goes on with.
import type { ThreadId } from '../../contract/base/id-types.ts';
import type { Adoption } from '../../contract/tasks/run.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import type { TaskRow } from '../../store/store.ts';
import type { RunInput } from '../../wire/agui/input/run-input.ts';
import type { WithStore } from '../api-parts.ts';

export interface MessageTarget {
  /** The thread whose log shows the run. */
  threadId: ThreadId;
  /** The task that the run names, as far as we know it. */
  named: TaskRow | null;
  /** The name of a task that exists only at the agent: no open task here has it. */
  adopts: string | null;
}

/** A task by the agent's id for it, or by Standfast's. */
async function namedTask(deps: WithStore, agent: string, id: string): Promise<TaskRow | null> {
  const own = await deps.store.tasks.get(id);
  if (own !== null) return own.agent === agent ? own : null;
  return deps.store.tasks.byA2aId(agent, id);
}

/** Ends that prove nothing about the agent's task: it may still wait. All others came from the agent, or were sent to it. */
const endsUnknownToAgent = new Set([
  'agent_unreachable',
  'delivery_unknown',
  'execution_lost',
  'internal',
  'interrupts_pending',
]);

function stillAtAgent(task: TaskRow): string | null {
  const isAlive = task.status === 'FAILED' && endsUnknownToAgent.has(task.error?.code ?? '');
  return isAlive ? task.a2aTaskId : null;
}

export async function targetOf(deps: WithStore, agent: string, input: RunInput): Promise<MessageTarget> {
  const { threadId, options, resume } = input;
  // Answers stay on the thread they came on.
  if (options.taskId === null || resume !== null) return { threadId, named: null, adopts: null };
  const named = await namedTask(deps, agent, options.taskId);
  // A message to an open task goes to that task, and to nothing else.
  if (named !== null && !isEndedStatus(named.status)) return { threadId: named.threadId, named, adopts: null };
  // A task that the agent has ended takes no more messages: the next task continues in its context.
  const isAdoptable = adoptableId(named, options.taskId) !== null;
  return { threadId, named, adopts: isAdoptable ? options.taskId : null };
}

/** The agent's id of a task that may be continued; null while an open task has it, or when it was ended. */
function adoptableId(named: TaskRow | null, names: string): string | null {
  if (named === null) return names;
  return isEndedStatus(named.status) ? stillAtAgent(named) : null;
}

/** How an A2A task is continued; null if another owner has adopted it, or it was ended here. */
export async function adoptionOf(
  deps: WithStore,
  agent: string,
  { names, isSilent }: { names: string; isSilent: boolean },
): Promise<Adoption | null> {
  const a2aTaskId = adoptableId(await namedTask(deps, agent, names), names);
  return a2aTaskId === null ? null : { a2aTaskId, n: await deps.store.holds.lastN(agent, a2aTaskId), isSilent };
}
