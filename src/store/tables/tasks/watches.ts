import { and, eq, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { canBeStored, rowsOf, type Db } from '../../database/database.ts';
import { tasks, watches } from '../../schema.ts';
import type { Watch } from '../../ports/tasks.ts';
import type { Tables } from '../../store.ts';

const columns = {
  taskId: watches.taskId,
  agent: watches.agent,
  workflowId: watches.workflowId,
  firstExecutionRunId: watches.firstExecutionRunId,
  a2aTaskId: watches.a2aTaskId,
  kind: watches.kind,
  watchVersion: watches.watchVersion,
  seen: watches.seen,
  probes: watches.probes,
};

// clock_timestamp(), since now() is the start of the transaction.
const inMillis = (ms: number | Placeholder): SQL =>
  sql`clock_timestamp() + ${ms}::double precision * interval '1 millisecond'`;

type Watches = Pick<Tables['tasks'], 'watch' | 'unwatch' | 'isWatched' | 'dueWatches' | 'probed' | 'watchNow'>;

type WatchField = Exclude<keyof Watch, 'probes'>;

/** Upsert of a watch for a larger statement; nothing is inserted if `from` has no row. */
export function watchInsert(
  { taskId, ...watch }: Pick<Watch, WatchField> | Record<WatchField, Placeholder>,
  inMs: number | Placeholder,
  from: SQL,
): SQL {
  return sql`
    insert into ${watches} (task_id, agent, workflow_id, first_execution_run_id, a2a_task_id, kind, watch_version, seen, due_at)
    select ${taskId}, ${watch.agent}, ${watch.workflowId}, ${watch.firstExecutionRunId}, ${watch.a2aTaskId}, ${watch.kind},
           ${watch.watchVersion}::integer, ${watch.seen}, ${inMillis(inMs)}
    from ${from}
    on conflict (task_id) do update set
      agent = excluded.agent, workflow_id = excluded.workflow_id, first_execution_run_id = excluded.first_execution_run_id,
      a2a_task_id = excluded.a2a_task_id, kind = excluded.kind, watch_version = excluded.watch_version,
      seen = excluded.seen, due_at = excluded.due_at, probes = 0, is_pushed = false`;
}

export function createWatches(db: Db): Watches {
  return {
    async watch(watch, inMs) {
      await rowsOf(db, watchInsert(watch, inMs, sql`(select 1) one`));
    },
    async unwatch(taskId) {
      await db.delete(watches).where(eq(watches.taskId, taskId));
    },
    async isWatched(taskId) {
      const found = await db
        .select({ taskId: watches.taskId })
        .from(watches)
        .where(eq(watches.taskId, taskId))
        .limit(1);
      return found.length > 0;
    },
    async dueWatches(limit, againInMs): Promise<Watch[]> {
      // An array, since a join may evaluate the locking subquery more than once.
      const due = sql`array(
        select task_id from ${watches} where due_at <= clock_timestamp()
        order by due_at limit ${limit}::integer for update skip locked
      )`;
      return db
        .update(watches)
        .set({ dueAt: inMillis(againInMs), isPushed: false })
        .where(sql`${watches.taskId} = any(${due})`)
        .returning(columns);
    },
    async probed({ taskId, firstExecutionRunId, kind: what, watchVersion }, seen, inMs) {
      // After a push during this poll its result may be stale, so the next poll stays due.
      const dueAt = sql`case when ${watches.isPushed} then ${watches.dueAt} else ${inMillis(inMs)} end`;
      await db
        .update(watches)
        .set({ seen, dueAt, probes: sql`${watches.probes} + 1` })
        .where(
          and(
            eq(watches.taskId, taskId),
            eq(watches.firstExecutionRunId, firstExecutionRunId),
            eq(watches.kind, what),
            eq(watches.watchVersion, watchVersion),
          ),
        );
    },
    async watchNow(agent, a2aTaskId) {
      if (!canBeStored(agent) || !canBeStored(a2aTaskId)) return;
      // By the task's index: one here would be written by each poll.
      const ofTask = sql`array(
        select task_id from ${tasks} where ${tasks.agent} = ${agent} and ${tasks.a2aTaskId} = ${a2aTaskId}
      )`;
      await db
        .update(watches)
        .set({ dueAt: sql`clock_timestamp()`, isPushed: true })
        .where(and(sql`${watches.taskId} = any(${ofTask})`, eq(watches.a2aTaskId, a2aTaskId)));
    },
  };
}
