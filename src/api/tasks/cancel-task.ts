// Cancels a task for who may, and waits until its row shows it.
import type { TaskView } from '../../contract/tasks/task.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import type { TaskRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import { followEnd } from '../engine/follow-rows.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';
import { askTaskView, readTaskView } from './task-view.ts';

/** How long a cancel waits for the task's end to show; the agent's own report is awaited before a task ends. */
const cancelShowsMs = 5_000;

/** Throws `worker_unavailable` or `engine_unavailable` where it was not taken. */
export async function cancelTask(
  api: Pick<ApiContext, 'store' | 'tasks' | 'temporalUiUrl'>,
  row: TaskRow,
  by: string,
): Promise<{ isEnded: boolean; view: TaskView }> {
  if (isEndedStatus(row.status)) return { isEnded: true, view: await readTaskView(api, row) };
  const result = await api.tasks.cancel(row, by);
  if (result.kind === 'unanswered') throw await noAnswerError(api, result.by, 'worker_unavailable');
  const ended = await followEnd(api, row, cancelShowsMs);
  if (ended !== null) return { isEnded: true, view: await readTaskView(api, ended) };
  return { isEnded: false, view: await askTaskView(api, row) };
}
