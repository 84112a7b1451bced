import { and, inArray, sql, type Placeholder, type SQL, type SQLWrapper } from 'drizzle-orm';
import { endedStatuses } from '../../../contract/tasks/task-names.ts';
import type { TaskError, TaskStatus } from '../../../contract/tasks/task.ts';
import { withEntry } from '../../columns.ts';
import { tasks } from '../../schema.ts';
import { rowKey, sealFreeText } from '../../sealed-columns.ts';

const maxTimeline = 200;

/** A status update; without `error` the stored error stays. */
interface StatusChange {
  status: TaskStatus;
  error?: TaskError | null;
}

/** SQL for the columns of a status update; an ended task keeps its status and error. */
export const statusColumns = (taskId: string, { status, error }: StatusChange): StatusColumns =>
  columnsOf(status, error === undefined ? undefined : sealedError(taskId, error));

export const sealedError = (taskId: string, error: TaskError | null): string | null =>
  error === null ? null : sealFreeText(error, 'tasks.error', rowKey(taskId));

interface StatusColumns {
  status: SQL;
  timeline: SQL;
  error?: SQL;
}

/** As `statusColumns`; the error must be sealed. */
export function columnsOf(status: TaskStatus | Placeholder, error?: string | null | Placeholder): StatusColumns {
  const isKept = and(inArray(tasks.status, endedStatuses), sql`${tasks.status} <> ${status}`);
  const keep = (column: SQLWrapper, value: string | null | Placeholder): SQL =>
    sql`case when ${isKept} then ${column} else ${value}::text end`;
  return {
    status: keep(tasks.status, status),
    timeline: reached(status),
    ...(error === undefined ? {} : { error: keep(tasks.error, error) }),
  };
}

/** `statusColumns` as an update for a larger statement, joined to `from`; the error must be sealed. */
export function statusUpdate(
  { taskId, status: next, error: sealed }: Record<'taskId' | 'status', Placeholder> & { error?: Placeholder },
  from: SQL,
): SQL {
  const { status, timeline, error } = columnsOf(next, sealed);
  return sql`
    update ${tasks} set
      updated_at = now(), status = ${status}, timeline = ${timeline}${error === undefined ? sql`` : sql`, error = ${error}`}
    from ${from} where ${tasks.taskId} = ${taskId}`;
}

/** SQL for the timeline with this status appended; unchanged if the task has it or has ended. */
export function reached(status: TaskStatus | Placeholder): SQL {
  const at = sql`to_char(now()::timestamptz(3) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const entry = sql`'{"at":"' || ${at} || '","status":"' || ${status}::text || '"}'`;
  const isSame = sql`${tasks.status} = ${status} or ${inArray(tasks.status, endedStatuses)}`;
  return sql`case when ${isSame} then ${tasks.timeline} else ${withEntry(tasks.timeline, entry, maxTimeline)} end`;
}
