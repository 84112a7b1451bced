import type { TaskId } from '../../../contract/base/id-types.ts';
import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { callerPushes, callerTasks } from '../../caller-schema.ts';
import { rowsOf, type Db } from '../../database/database.ts';
import type { Callers } from '../../ports/callers.ts';
import { columnsToRead, sealedRow } from '../../sealed-rows.ts';

type CallerPushes = Pick<Callers, 'putPush' | 'pushesOf' | 'removePush' | 'pushed' | 'takePushesBehind'>;

export function createCallerPushes(db: Db): CallerPushes {
  return {
    async putPush(push) {
      const row = sealedRow(callerPushes, push);
      const { url, version, box } = row;
      const change = { url, version, box, restarts: 0, restartAt: null };
      await db
        .insert(callerPushes)
        .values(row)
        .onConflictDoUpdate({ target: [callerPushes.taskId, callerPushes.configId], set: change });
      await db.update(callerTasks).set({ hasPushes: true }).where(eq(callerTasks.taskId, push.taskId));
    },
    async pushesOf(taskId) {
      return db
        .select(columnsToRead(callerPushes))
        .from(callerPushes)
        .where(eq(callerPushes.taskId, taskId))
        .orderBy(asc(callerPushes.configId));
    },
    async removePush(taskId, configId) {
      await db.delete(callerPushes).where(isPush(taskId, configId));
    },
    async pushed(taskId, configId, seq) {
      const moved = await db
        .update(callerPushes)
        .set({ deliveredSeq: seq, restarts: 0, restartAt: null })
        .where(and(isPush(taskId, configId), lt(callerPushes.deliveredSeq, seq)))
        .returning({ seq: callerPushes.deliveredSeq });
      return moved.length > 0;
    },
    async takePushesBehind({ olderThanMs, most, limit }) {
      const age = sql`${olderThanMs}::double precision * interval '1 millisecond'`;
      const rows = await rowsOf(
        db,
        sql`
          with behind as (
            select push.task_id, push.config_id from ${callerPushes} push
            join ${callerTasks} task on task.task_id = push.task_id
            where push.delivered_seq < task.last_seq and task.updated_at < now() - ${age}
              and push.restarts < ${most}::integer and coalesce(push.restart_at, task.updated_at) <= now()
            order by coalesce(push.restart_at, task.updated_at), push.task_id, push.config_id
            limit ${limit}::integer for update of push skip locked
          )
          update ${callerPushes} push set restarts = push.restarts + 1,
            restart_at = now() + least(${age} * power(2, push.restarts + 1), interval '1 day')
          from behind where push.task_id = behind.task_id and push.config_id = behind.config_id
          returning push.task_id, push.config_id, push.restarts >= ${most}::integer as is_last`,
      );
      return rows.map((row) => ({
        taskId: String(row['task_id']),
        configId: String(row['config_id']),
        isLast: row['is_last'] === true,
      }));
    },
  };
}

const isPush = (taskId: TaskId, configId: string): ReturnType<typeof and> =>
  and(eq(callerPushes.taskId, taskId), eq(callerPushes.configId, configId));
