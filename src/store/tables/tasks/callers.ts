import type { TaskId } from '../../../contract/base/id-types.ts';
import { and, count, desc, eq, sql } from 'drizzle-orm';
import type { CallerEntry } from '../../../contract/tasks/caller.ts';
import { canBeStored, listParam, rowsOf, type Db } from '../../database/database.ts';
import { callerTopic, type Topic } from '../../feeds/waiters.ts';
import type { CallerFilter, CallerTaskRow, Callers } from '../../ports/callers.ts';
import { callerEvents, callerTasks } from '../../caller-schema.ts';
import { runs } from '../../schema.ts';
import { writeAtEnd, type LogEnds } from '../../log/log-ends.ts';
import { openText, orUnreadable, rowKey, sealedText } from '../../sealed-columns.ts';
import { readColumn } from '../../sealed-rows.ts';
import { FencedError } from '../../store.ts';
import { createCallerPushes } from './caller-pushes.ts';

const maxPageEntries = 500;
/** A page ends with the entry that exceeds this, since artifacts may be large. */
const maxPageBytes = 1024 * 1024;

export function createCallers(db: Db, ends: LogEnds, changed: (topic: Topic) => void): Callers {
  async function get(taskId: TaskId): Promise<CallerTaskRow | null> {
    if (!canBeStored(taskId)) return null;
    const [row] = await db.select().from(callerTasks).where(eq(callerTasks.taskId, taskId));
    return row ?? null;
  }

  const append = createAppend(db, ends, changed);
  return {
    ...createCallerPushes(db),
    ...createLogReads(db),
    get,
    append,
    async put(task, entries, at) {
      const row = { ...task, state: 'submitted' as const, hasPushes: false, createdAt: at, updatedAt: at };
      const [created] = await db.insert(callerTasks).values(row).onConflictDoNothing().returning();
      if (created === undefined) {
        const there = await get(task.taskId);
        if (there === null) throw new Error(`task ${task.taskId} of a caller vanished while it was put`);
        return there;
      }
      ends.set(callerTopic(task.taskId), 0);
      await append(task.taskId, entries, { at });
      return { ...created, lastSeq: entries.length };
    },
    async lock(taskId) {
      const [row] = await db.select().from(callerTasks).where(eq(callerTasks.taskId, taskId)).for('update');
      return row ?? null;
    },
    async lastPause(taskId) {
      const [row] = await db
        .select({ entry: readColumn(callerEvents.entry) })
        .from(callerEvents)
        .where(and(eq(callerEvents.taskId, taskId), eq(callerEvents.kind, 'pause')))
        .orderBy(desc(callerEvents.seq))
        .limit(1);
      return row === undefined ? null : (row.entry as Extract<CallerEntry, { kind: 'pause' }>);
    },
    async list(filter) {
      const found = filtered(filter);
      const { from } = filter;
      const after =
        from === undefined
          ? undefined
          : sql`(${callerTasks.updatedAt}, ${callerTasks.taskId}) < (${from.updatedAt}::timestamptz, ${from.taskId})`;
      const items = await db
        .select()
        .from(callerTasks)
        .where(and(found, after))
        .orderBy(desc(callerTasks.updatedAt), desc(callerTasks.taskId))
        .limit(filter.limit);
      const [all] = await db.select({ total: count() }).from(callerTasks).where(found);
      return { items, total: all?.total ?? 0 };
    },
    async newestOf({ agent, owner, contextId }) {
      const [row] = await db
        .select()
        .from(callerTasks)
        .where(filtered({ agent, owner, contextId, limit: 1 }))
        .orderBy(desc(callerTasks.createdAt))
        .limit(1);
      return row ?? null;
    },
  };
}

function createAppend(db: Db, ends: LogEnds, changed: (topic: Topic) => void): Callers['append'] {
  return async (taskId, entries, { state, shown, at }, by) => {
    const kinds = listParam(
      entries.map(({ kind }) => kind),
      'text',
    );
    const isHeld =
      by === undefined
        ? sql`true`
        : sql`exists (
            select from ${runs} where log_id = ${by.logId}::bigint and fence = ${by.fence}::bigint and status = 'open' for share
          )`;
    const find = async (): Promise<number | null> => {
      const [there] = await rowsOf(
        db,
        sql`select last_seq from ${callerTasks} where task_id = ${taskId} and ${isHeld}`,
      );
      return there === undefined ? null : Number(there['last_seq']);
    };
    const write = async (after: number | null): Promise<Record<string, unknown> | undefined> => {
      const sealed = entries.map((entry, index) =>
        sealedText(JSON.stringify(entry), 'caller_events.entry', rowKey(taskId, (after ?? 0) + index + 1)),
      );
      const texts = listParam(sealed, 'text');
      // The row lock serialises the writers of one task.
      const [written] = await rowsOf(
        db,
        sql`
        with taken as (
          update ${callerTasks} set last_seq = last_seq + ${entries.length}::integer,
            state = coalesce(${state ?? null}::text, state), shown = coalesce(${shown ?? null}::text, shown),
            updated_at = greatest(updated_at, ${at}::timestamptz)
          where task_id = ${taskId} and ${isHeld} and (${after}::integer is null or last_seq = ${after}::integer)
          returning last_seq, has_pushes
        ), written as (
          insert into ${callerEvents} (task_id, seq, kind, entry)
          select ${taskId}, taken.last_seq - ${entries.length}::integer + entry.n, entry.kind, entry.entry
          from taken, unnest(${kinds}, ${texts}) with ordinality as entry (kind, entry, n)
        )
        select has_pushes, last_seq from taken`,
      );
      return written;
    };
    const row = await writeAtEnd({ log: callerTopic(taskId), ends, find, write });
    if (row === null) throw new FencedError(`a later writer tells the caller of task ${taskId}`);
    ends.set(callerTopic(taskId), Number(row['last_seq']));
    changed(callerTopic(taskId));
    return { hasPushes: row['has_pushes'] === true };
  };
}

function createLogReads(db: Db): Pick<Callers, 'read' | 'sizeOf'> {
  return {
    async read(taskId, afterSeq) {
      const rows = await rowsOf(
        db,
        sql`
          select seq, entry
          from (
            select seq, entry, sum(octet_length(entry)) over (order by seq) - octet_length(entry) as bytes_before
            from (
              select seq, entry from ${callerEvents}
              where task_id = ${taskId} and seq > ${afterSeq}::integer
              order by seq limit ${maxPageEntries}::integer
            ) next
          ) page
          where bytes_before <= ${maxPageBytes}::bigint order by seq`,
      );
      return rows.map((row) => {
        const seq = Number(row['seq']);
        const open = (): string => openText(String(row['entry']), 'caller_events.entry', rowKey(taskId, seq));
        return { seq, entry: orUnreadable(() => JSON.parse(open()) as CallerEntry) };
      });
    },
    async sizeOf(taskId) {
      const size = sql<string>`coalesce(sum(octet_length(${callerEvents.entry})), 0)`;
      const [row] = await db.select({ size }).from(callerEvents).where(eq(callerEvents.taskId, taskId));
      return Number(row?.size ?? 0);
    },
  };
}

function filtered({ agent, owner, contextId, state, after }: CallerFilter): ReturnType<typeof and> {
  return and(
    eq(callerTasks.agent, agent),
    owner === null ? undefined : eq(callerTasks.owner, owner),
    contextId === undefined ? undefined : eq(callerTasks.contextId, contextId),
    state === undefined ? undefined : eq(callerTasks.state, state),
    after === undefined ? undefined : sql`${callerTasks.updatedAt} >= ${after}::timestamptz`,
  );
}
