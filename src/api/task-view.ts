import { isEndedStatus, type TaskView } from '../contract/task.ts';
import type { TaskRow } from '../store/store.ts';
import type { Room } from './deps.ts';

const queryMs = 2_000;

function temporalUrlOf(room: Room, task: TaskRow): string | null {
  if (room.temporalUiUrl === null) return null;
  const path = [room.tasks.namespace, 'workflows', task.workflowId, task.firstExecutionRunId, 'history'];
  return `${room.temporalUiUrl.replace(/\/+$/, '')}/namespaces/${path.map(encodeURIComponent).join('/')}`;
}

/** A task from the read model alone. */
function taskViewOf(room: Room, row: TaskRow, holdIds: string[]): TaskView {
  return {
    id: row.taskId,
    agent: row.agent,
    threadId: row.threadId,
    a2aTaskId: row.a2aTaskId,
    contextId: row.contextId,
    status: row.status,
    error: row.error,
    holds: holdIds,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    workflowId: row.workflowId,
    temporalUrl: temporalUrlOf(room, row),
    title: row.title,
    owner: row.owner,
    restartOf: row.restartOf,
    restartedAs: row.restartedAs,
  };
}

/** Many tasks with two looks at the database, however many there are. */
export async function readTaskViews(room: Room, rows: TaskRow[]): Promise<TaskView[]> {
  const holds = await room.store.holds.ofTasks(rows.map((row) => row.taskId));
  const idsOf = new Map<string, string[]>();
  for (const { taskId, holdId } of holds) idsOf.set(taskId, [...(idsOf.get(taskId) ?? []), holdId]);
  return rows.map((row) => taskViewOf(room, row, idsOf.get(row.taskId) ?? []));
}

export async function readTaskView(room: Room, row: TaskRow): Promise<TaskView> {
  const holds = await room.store.holds.ofTasks([row.taskId]);
  return taskViewOf(
    room,
    row,
    holds.map((hold) => hold.holdId),
  );
}

/** A task as the workflow itself tells while it runs; from the row, marked stale, when it cannot be asked. */
export async function askTaskView(room: Room, row: TaskRow): Promise<TaskView> {
  if (isEndedStatus(row.status)) return readTaskView(room, row);
  const [result, view] = await Promise.all([room.tasks.query(row, queryMs), readTaskView(room, row)]);
  if (result.kind !== 'answer') {
    // It may have ended while it was asked: then the row says all there is.
    const now = await room.store.tasks.get(row.taskId);
    if (now !== null && isEndedStatus(now.status)) return readTaskView(room, now);
    return { ...view, stale: true };
  }
  const { value } = result;
  const known = new Set(view.holds);
  return {
    ...view,
    status: value.status,
    error: value.error ?? view.error,
    a2aTaskId: value.a2aTaskId ?? view.a2aTaskId,
    contextId: value.contextId ?? view.contextId,
    holds: [...view.holds, ...value.holds.map((hold) => hold.holdId).filter((id) => !known.has(id))],
  };
}
