import type { HoldId } from '../../contract/base/id-types.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { TaskView } from '../../contract/tasks/task.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import { headlineOf, quotationOf } from '../../core/consent/headline.ts';
import { expiryActionOf } from '../../core/task/hold-time.ts';
import { publicThreadId } from '../../core/base/ids.ts';
import type { HoldRow, TaskRow } from '../../store/store.ts';
import type { TaskActs, TaskReads, TemporalLinks } from '../api-parts.ts';
import { ladderOf, mayNudge } from './hold-ladder.ts';

const queryMs = 2_000;

function temporalUrlOf(api: TemporalLinks, task: TaskRow): string | null {
  if (api.temporalUiUrl === null) return null;
  const path = [api.tasks.namespace, 'workflows', task.workflowId, task.firstExecutionRunId, 'history'];
  return `${api.temporalUiUrl.replace(/\/+$/, '')}/namespaces/${path.map(encodeURIComponent).join('/')}`;
}

/** A task from the read model alone. */
function taskViewOf(api: TemporalLinks, row: TaskRow, holdIds: HoldId[]): TaskView {
  return {
    id: row.taskId,
    agent: row.agent,
    threadId: publicThreadId(row.threadId),
    a2aTaskId: row.a2aTaskId,
    contextId: row.contextId,
    status: row.status,
    error: row.error,
    holds: holdIds,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    workflowId: row.workflowId,
    temporalUrl: temporalUrlOf(api, row),
    title: row.title,
    quotation: quotationOf({ agent: row.agent, owner: row.owner, words: row.title }),
    owner: row.owner,
    restartOf: row.restartOf,
    restartedAs: row.restartedAs,
    stuck: isEndedStatus(row.status) ? null : row.stuck,
    ...(row.undecided.length === 0 ? {} : { undecided: row.undecided }),
  };
}

const waitingOf = (open: HoldRow[], principal: Principal, now: string): TaskView['waiting'] =>
  open.map((row) => ({
    holdId: row.holdId,
    headline: headlineOf(row.question),
    audience: row.audience,
    claimedBy: row.claim?.by ?? null,
    openedAt: row.openedAt,
    expiresAt: row.expiresAt,
    then: expiryActionOf(row),
    exclude: row.plan.exclude,
    ladder: ladderOf(row),
    nudges: row.nudges,
    mayNudge: mayNudge(row, principal, now),
  }));

/** Many tasks with three queries, however many there are. */
export async function readTaskViews(api: TaskActs, rows: TaskRow[], principal: Principal): Promise<TaskView[]> {
  const taskIds = rows.map((row) => row.taskId);
  const [holds, open] = await Promise.all([api.store.holds.ofTasks(taskIds), api.store.holds.openOf(taskIds)]);
  const now = api.now().toISOString();
  const idsOf = new Map<string, string[]>();
  for (const { taskId, holdId } of holds) idsOf.set(taskId, [...(idsOf.get(taskId) ?? []), holdId]);
  return rows.map((row) => {
    const waiting = open.filter(({ taskId }) => taskId === row.taskId);
    return { ...taskViewOf(api, row, idsOf.get(row.taskId) ?? []), waiting: waitingOf(waiting, principal, now) };
  });
}

export async function readTaskView(api: TaskReads, row: TaskRow): Promise<TaskView> {
  const holds = await api.store.holds.ofTasks([row.taskId]);
  return taskViewOf(
    api,
    row,
    holds.map((hold) => hold.holdId),
  );
}

/** A task as its workflow reports it while it runs; from the row, marked stale, when the workflow cannot be asked. */
export async function askTaskView(api: TaskReads, row: TaskRow): Promise<TaskView> {
  if (isEndedStatus(row.status)) return readTaskView(api, row);
  const [result, view] = await Promise.all([api.tasks.query(row, queryMs), readTaskView(api, row)]);
  if (result.kind !== 'answer') {
    // It may have ended while it was asked: then the row has everything.
    const now = await api.store.tasks.get(row.taskId);
    if (now !== null && isEndedStatus(now.status)) return readTaskView(api, now);
    return { ...view, stale: true };
  }
  const { value } = result;
  const known = new Set(view.holds);
  return {
    ...view,
    status: value.status,
    // The row was read at the same time, and may be behind.
    stuck: isEndedStatus(value.status) ? null : view.stuck,
    error: value.error ?? view.error,
    a2aTaskId: value.a2aTaskId ?? view.a2aTaskId,
    contextId: value.contextId ?? view.contextId,
    holds: [...view.holds, ...value.holds.map((hold) => hold.holdId).filter((id) => !known.has(id))],
  };
}
