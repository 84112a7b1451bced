// Only the worker writes tasks and holds; after a change by the workflow, callers wait here until the rows show it.
import type { HoldId, TaskId } from '../../contract/base/id-types.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import type { HoldRow, TaskRow } from '../../store/store.ts';
import type { WithStore } from '../api-parts.ts';

type Rows = WithStore;

/** How long rows may lag behind the workflow. */
export const rowsFollowMs = 3_000;

/** The hold's row once it shows what it is waited for; null at the bound. */
export function followHold(
  { store }: Rows,
  holdId: HoldId,
  isShown: (row: HoldRow) => boolean,
  { timeoutMs = rowsFollowMs, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<HoldRow | null> {
  const check = async (): Promise<HoldRow | null> => {
    const row = await store.holds.get(holdId);
    return row !== null && isShown(row) ? row : null;
  };
  return store.waitFor({ holds: [holdId] }, check, { timeoutMs, ...(signal && { signal }) });
}

/** The row of a task that was begun on this thread, once it is there; null at the bound. */
export function followBegin(
  { store }: Rows,
  { agent, threadId }: Pick<TaskRow, 'agent' | 'threadId'>,
  taskId: TaskId,
): Promise<TaskRow | null> {
  return store.waitFor({ threads: [{ agent, threadId }] }, () => store.tasks.get(taskId), { timeoutMs: rowsFollowMs });
}

/** The task's row once it has ended; null at the bound. */
export function followEnd({ store }: Rows, { taskId }: TaskRow, timeoutMs = rowsFollowMs): Promise<TaskRow | null> {
  const check = async (): Promise<TaskRow | null> => {
    const row = await store.tasks.get(taskId);
    return row !== null && isEndedStatus(row.status) ? row : null;
  };
  return store.waitFor({ ended: taskId }, check, { timeoutMs });
}
