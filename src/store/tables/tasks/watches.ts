import { and, count, eq, inArray, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { canBeStored, rowsOf, type Db } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { clock } from '../../columns.ts';
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

type Watches = Pick<
  Tables['tasks'],
  'watch' | 'unwatch' | 'watched' | 'dueWatches' | 'probed' | 'watchNow' | 'countWatches'
>;

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

const claimDue = statement(['limit', 'againInMs'], (db, { limit, againInMs }) => {
  // An array, since a join may evaluate the locking subquery more than once.
  const due = sql`array(
    select task_id from ${watches} where due_at <= ${clock}
    order by due_at limit ${limit}::integer for update skip locked
  )`;
  return db
    .update(watches)
    .set({ dueAt: inMillis(againInMs), isPushed: false })
    .where(sql`${watches.taskId} = any(${due})`)
    .returning(columns);
});

const putOff = statement(
  ['taskId', 'firstExecutionRunId', 'kind', 'watchVersion', 'seen', 'inMs'],
  (db, { taskId, firstExecutionRunId, kind, watchVersion, seen, inMs }) => {
    // After a push during this poll its result may be stale, so the next poll stays due.
    const dueAt = sql`case when ${watches.isPushed} then ${watches.dueAt} else ${inMillis(inMs)} end`;
    return db
      .update(watches)
      .set({ seen: sql`${seen}`, dueAt, probes: sql`${watches.probes} + 1` })
      .where(
        and(
          eq(watches.taskId, taskId),
          eq(watches.firstExecutionRunId, firstExecutionRunId),
          eq(watches.kind, kind),
          eq(watches.watchVersion, watchVersion),
        ),
      );
  },
);

export function createWatches(db: Db): Watches {
  return {
    async watch(watch, inMs) {
      await rowsOf(db, watchInsert(watch, inMs, sql`(select 1) one`));
    },
    async unwatch(taskId) {
      await db.delete(watches).where(eq(watches.taskId, taskId));
    },
    async watched(taskIds) {
      if (taskIds.length === 0) return [];
      const found = await db
        .select({ taskId: watches.taskId })
        .from(watches)
        .where(inArray(watches.taskId, [...taskIds]));
      return found.map(({ taskId }) => taskId);
    },
    dueWatches: (limit, againInMs): Promise<Watch[]> => claimDue(db, { limit, againInMs }),
    async probed({ taskId, firstExecutionRunId, kind, watchVersion }, seen, inMs) {
      await putOff(db, { taskId, firstExecutionRunId, kind, watchVersion, seen, inMs });
    },
    async countWatches() {
      const counts = { pause: 0, turn: 0 };
      const rows = await db.select({ kind: watches.kind, count: count() }).from(watches).groupBy(watches.kind);
      for (const row of rows) counts[row.kind] = row.count;
      return counts;
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
