import { and, inArray, sql, type Placeholder, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { TaskError, TaskStatus } from '../../../contract/tasks/task.ts';
import { withEntry } from '../../columns.ts';
import { tasks } from '../../schema.ts';
import { sealedText } from '../../sealed-columns.ts';

const maxTimeline = 200;
export const ended: TaskStatus[] = ['DONE', 'FAILED', 'CANCELED'];

/** Where a task stands from now on; an error that is missing stays as it is. */
interface StatusChange {
  status: TaskStatus;
  error?: TaskError | null;
}

/** The columns that tell it. An ended task keeps how it ended; ids that become known late are still written. */
export const statusColumns = ({ status, error }: StatusChange): StatusColumns =>
  columnsOf(status, error === undefined ? undefined : sealedError(error));

export const sealedError = (error: TaskError | null): string | null =>
  error === null ? null : sealedText(JSON.stringify(error));

interface StatusColumns {
  status: SQL;
  timeline: SQL;
  error?: SQL;
}

function columnsOf(status: TaskStatus | Placeholder, error: string | null | Placeholder | undefined): StatusColumns {
  const isKept = and(inArray(tasks.status, ended), sql`${tasks.status} <> ${status}`);
  const keep = (column: SQLWrapper, value: string | null | Placeholder): SQL =>
    sql`case when ${isKept} then ${column} else ${value}::text end`;
  return {
    status: keep(tasks.status, status),
    timeline: reached(status),
    ...(error === undefined ? {} : { error: keep(tasks.error, error) }),
  };
}

/** The same in hand-written SQL, as a part of a larger statement: `from` is what it hangs on, the error sealed. */
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

/** The timeline with a status that the task has not now; as it is when the task keeps the one it has. */
export function reached(status: TaskStatus | Placeholder): SQL {
  const at = sql`to_char(now()::timestamptz(3) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const entry = sql`'{"at":"' || ${at} || '","status":"' || ${status}::text || '"}'`;
  const isSame = sql`${tasks.status} = ${status} or ${inArray(tasks.status, ended)}`;
  return sql`case when ${isSame} then ${tasks.timeline} else ${withEntry(tasks.timeline, entry, maxTimeline)} end`;
}
