import { isEndedStatus } from '../../contract/task.ts';
import { isOperator } from '../../core/policy/audience.ts';
import type { IntakeRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';

const prefix = 'restart-';

/** The run that tries a failed task anew. */
export const restartRunIdOf = (taskId: string): string => `${prefix}${taskId}`;

/** The task that a kept run tries anew. Clients choose the ids of their runs, so only operators are believed. */
export async function restartOf({ store }: Pick<ApiContext, 'store'>, row: IntakeRow): Promise<string | null> {
  if (!row.runId.startsWith(prefix) || !isOperator(row.principal)) return null;
  const task = await store.tasks.get(row.runId.slice(prefix.length));
  const isOurs = task !== null && task.agent === row.agent && task.threadId === row.threadId;
  return isOurs && isEndedStatus(task.status) ? task.taskId : null;
}
