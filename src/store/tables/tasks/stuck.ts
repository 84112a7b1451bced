// Tasks that do not go on, and why.
import { and, eq, isNull, not, sql } from 'drizzle-orm';
import type { StuckCause } from '../../../contract/tasks/task.ts';
import { endedList } from '../../columns.ts';
import { rowsOf, type Db } from '../../database/database.ts';
import { tasks } from '../../schema.ts';
import { rowKey, sealFreeText } from '../../sealed-columns.ts';
import type { Tables } from '../../store.ts';

export function createStuck(db: Db): Pick<Tables['tasks'], 'stuck' | 'stuckCounts'> {
  return {
    async stuck(taskId, stuck) {
      const next = stuck === null ? null : sealFreeText(stuck, 'tasks.stuck', rowKey(taskId));
      const isSame =
        stuck === null
          ? isNull(tasks.stuck)
          : sql`coalesce(${tasks.stuck}::jsonb ->> 'cause', '') = ${stuck.cause}::text`;
      await db
        .update(tasks)
        .set({ stuck: sql`${next}::text` })
        .where(and(eq(tasks.taskId, taskId), not(isSame)));
    },
    async stuckCounts() {
      const rows = await rowsOf(
        db,
        sql`
          select stuck::jsonb ->> 'cause' as cause, count(*) as tasks,
            extract(epoch from clock_timestamp() - min((stuck::jsonb ->> 'since')::timestamptz)) * 1000 as oldest_ms
          from ${tasks} where stuck is not null and status not in ${endedList}
          group by 1`,
      );
      return rows.map((row) => ({
        // Safe: written by `stuck` alone.
        cause: String(row['cause']) as StuckCause,
        tasks: Number(row['tasks']),
        oldestMs: Math.max(0, Number(row['oldest_ms'])),
      }));
    },
  };
}
