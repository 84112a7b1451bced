// Cancels a task for who may, and waits until its row shows it.
import type { TaskView } from '../../contract/tasks/task.ts';
import { isEndedStatus, type EndedStatus } from '../../contract/tasks/task-names.ts';
import type { TaskRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import { followEnd } from '../engine/follow-rows.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';
import { askTaskView, readTaskView } from './task-view.ts';
import type { TaskActs } from '../api-parts.ts';

/** How long a cancel waits for the task's end to show; the agent's own report is awaited before a task ends. */
export const cancelShowsMs = 5_000;

const describeMs = 2_000;
/** An execution closes a moment after its row has ended. */
const settlesMs = 60_000;

/** Throws `worker_unavailable` or `engine_unavailable` where it was not taken. */
export async function cancelTask(
  api: TaskActs,
  row: TaskRow,
  by: string,
): Promise<{ isEnded: boolean; view: TaskView }> {
  if (isEndedStatus(row.status)) {
    await endLeftover(api, row, row.status);
    return { isEnded: true, view: await readTaskView(api, row) };
  }
  const result = await api.tasks.cancel(row, by);
  if (result.kind === 'unanswered') throw await noAnswerError(api, result.by, 'worker_unavailable');
  const ended = await followEnd(api, row, cancelShowsMs);
  if (ended !== null) return { isEnded: true, view: await readTaskView(api, ended) };
  return { isEnded: false, view: await askTaskView(api, row) };
}

/** An execution that is open although its task ended, as after a restore of Temporal, would take the thread's next run. */
async function endLeftover(
  { tasks, now }: Pick<ApiContext, 'tasks' | 'now'>,
  row: TaskRow,
  status: EndedStatus,
): Promise<void> {
  if (now().getTime() - Date.parse(row.updatedAt) < settlesMs) return;
  const seen = await tasks.describe(row, describeMs);
  if (seen.kind === 'answer' && seen.value.status === 'RUNNING') await tasks.end(row, status);
}
