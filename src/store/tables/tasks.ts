import { and, asc, desc, eq, gt, inArray, notInArray, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { isEndedStatus, type TaskStatus } from '../../contract/task.ts';
import { storable, withEntry } from '../columns.ts';
import { pageLimit, readCursor, toPage } from './cursor.ts';
import { canBeStored, rowsOf, type Db } from '../database/database.ts';
import { guardedAgainstDuplicates } from '../database/savepoint.ts';
import { holds, sendIntents, tasks, threads } from '../schema.ts';
import { clearLetters, sealedText } from '../sealed-columns.ts';
import type { SearchAliases } from '../ports/filters.ts';
import type { TaskRow, Tables } from '../store.ts';
import { idsNamed, searchTerms } from './text-search.ts';
import { createWatches } from './watches.ts';
import { endTopic, type Topic } from '../feeds/waiters.ts';

const maxTimeline = 200;
const ended: TaskStatus[] = ['DONE', 'FAILED', 'CANCELED'];

/** The tasks; `changed` is told of ends. */
export function createTasks(db: Db, isInTransaction: boolean, changed: (topic: Topic) => void): Tables['tasks'] {
  async function get(taskId: string): Promise<TaskRow | null> {
    if (!canBeStored(taskId)) return null;
    const [row] = await db.select().from(tasks).where(eq(tasks.taskId, taskId));
    return row ?? null;
  }

  async function ofA2aId(agent: string, a2aTaskId: string): Promise<TaskRow[]> {
    if (!canBeStored(a2aTaskId)) return [];
    return db
      .select()
      .from(tasks)
      .where(and(eq(tasks.agent, agent), eq(tasks.a2aTaskId, a2aTaskId)))
      .orderBy(asc(inArray(tasks.status, ended)), desc(tasks.createdAt), desc(tasks.taskId));
  }

  async function self(taskId: string): Promise<TaskRow> {
    const row = await get(taskId);
    if (!row) throw new Error(`task ${taskId} is not in the store`);
    return row;
  }

  /** Two tasks may have looked at the same moment: the unique index decides, inside a savepoint. */
  async function bind(write: () => Promise<unknown>): Promise<'ok' | 'other-task'> {
    return (await guardedAgainstDuplicates(db, isInTransaction, write)) === 'duplicate' ? 'other-task' : 'ok';
  }

  return {
    ...createWatches(db),
    get,
    async titles(taskIds) {
      if (taskIds.length === 0) return new Map();
      const rows = await db
        .select({ taskId: tasks.taskId, title: tasks.title })
        .from(tasks)
        .where(inArray(tasks.taskId, [...new Set(taskIds)]));
      return new Map(rows.map(({ taskId, title }) => [taskId, title]));
    },
    byA2aId: async (agent, a2aTaskId) => (await ofA2aId(agent, a2aTaskId))[0] ?? null,
    ofA2aId,
    async ownersOfContext(agent, contextId) {
      if (!canBeStored(contextId)) return [];
      const rows = await db
        .selectDistinct({ owner: tasks.owner })
        .from(tasks)
        .where(and(eq(tasks.agent, agent), eq(tasks.contextId, contextId)));
      return rows.map(({ owner }) => owner);
    },
    async newest(agent, threadId) {
      const [row] = await db
        .select()
        .from(tasks)
        .where(and(eq(tasks.agent, agent), eq(tasks.threadId, threadId)))
        .orderBy(desc(tasks.createdAt), desc(tasks.taskId))
        .limit(1);
      return row ?? null;
    },
    async seen(agent, threadId) {
      const [row] = await rowsOf(
        db,
        sql`
          select task_id, status, coalesce((select max(n) from ${holds} where task_id = newest.task_id), 0) as n
          from ${tasks} newest where agent = ${agent} and thread_id = ${threadId}
          order by created_at desc, task_id desc limit 1`,
      );
      if (row === undefined) return null;
      // Safe: written by this file alone.
      const status = row['status'] as TaskStatus;
      return { taskId: String(row['task_id']), n: Number(row['n']), isEnded: isEndedStatus(status) };
    },
    async put(task, at, first = { title: '', restartOf: null }) {
      const { taskId, agent, threadId, workflowId, firstExecutionRunId, owner } = task;
      const names = { taskId, agent, threadId, workflowId, firstExecutionRunId, owner };
      const { restartOf } = first;
      const timeline: TaskRow['timeline'] = [{ at, status: 'NEW' }];
      const [created] = await db
        .insert(tasks)
        .values({
          ...names,
          status: 'NEW',
          createdAt: at,
          updatedAt: at,
          title: storable(first.title),
          restartOf,
          timeline,
        })
        .onConflictDoNothing({ target: tasks.taskId })
        .returning();
      const row = created ?? (await get(taskId));
      if (!row) throw new Error(`task ${taskId} vanished while it was put`);
      return row;
    },
    async linkRestart(taskId, restartedAs) {
      await rowsOf(
        db,
        sql`
          with failed as (
            update ${tasks} set restarted_as = ${restartedAs}, updated_at = now()
            where task_id = ${taskId} and (restarted_as is null or restarted_as = ${restartedAs}) returning task_id
          )
          update ${tasks} set restart_of = ${taskId}
          where task_id = ${restartedAs} and restart_of is null and exists (select from failed)`,
      );
    },
    async delivered(taskId, messageId) {
      const [row] = await rowsOf(
        db,
        sql`
          with got as (
            update ${sendIntents} set delivered_at = clock_timestamp() where message_id = ${messageId} and delivered_at is null
          )
          update ${tasks} set
            updated_at = now(), timeline = ${reached('IN_PROGRESS')},
            status = case when ${inArray(tasks.status, ended)} then ${tasks.status} else 'IN_PROGRESS' end
          where task_id = ${taskId} returning task_id`,
      );
      if (row === undefined) throw new Error(`task ${taskId} is not in the store`);
    },
    async bind({ taskId, agent, threadId }, { a2aTaskId, contextId }) {
      let isBound = false;
      const result = await bind(async () => {
        // What was adopted is known to have been another's, which has ended.
        const rows = await rowsOf(
          db,
          sql`
            with bound as (
              update ${tasks} own set
                a2a_task_id = coalesce(${a2aTaskId}::text, a2a_task_id), context_id = coalesce(${contextId}::text, context_id),
                updated_at = now()
              where task_id = ${taskId} and (
                ${a2aTaskId}::text is null or a2a_task_id = ${a2aTaskId} or not exists (
                  select from ${tasks} other
                  where other.agent = ${agent} and other.a2a_task_id = ${a2aTaskId} and other.task_id <> ${taskId}
                )
              )
              returning own.task_id
            ), thread as (
              update ${threads} thread set context_id = ${contextId}::text
              from bound
              where ${contextId}::text is not null and thread.agent = ${agent} and thread.thread_id = ${threadId}
            )
            select task_id from bound`,
        );
        isBound = rows.length > 0;
      });
      if (result === 'ok' && !isBound) await self(taskId);
      return isBound ? result : 'other-task';
    },
    async update(taskId, change) {
      const { status, a2aTaskId, contextId, error } = change;
      // An ended task keeps how it ended; ids that become known late are still written.
      const isKept = and(inArray(tasks.status, ended), status && sql`${tasks.status} <> ${status}`);
      const keep = (column: SQLWrapper, value: string | null): SQL =>
        status === undefined ? sql`${value}` : sql`case when ${isKept} then ${column} else ${value} end`;
      const set = {
        updatedAt: sql`now()`,
        ...(status === undefined ? {} : { status: keep(tasks.status, status), timeline: reached(status) }),
        ...(error === undefined
          ? {}
          : { error: keep(tasks.error, error === null ? null : sealedText(JSON.stringify(error))) }),
        ...(a2aTaskId === undefined ? {} : { a2aTaskId }),
        ...(contextId === undefined ? {} : { contextId }),
      };
      const write = (): Promise<{ taskId: string }[]> =>
        db.update(tasks).set(set).where(eq(tasks.taskId, taskId)).returning({ taskId: tasks.taskId });

      if (a2aTaskId === undefined) {
        if ((await write()).length === 0) throw new Error(`task ${taskId} is not in the store`);
        if (status !== undefined && isEndedStatus(status)) changed(endTopic(taskId));
        return 'ok';
      }
      const { agent, a2aTaskId: own } = await self(taskId);
      const others = (await ofA2aId(agent, a2aTaskId)).filter((row) => row.taskId !== taskId);
      // What was adopted is known to have been another's, which has ended.
      if (own !== a2aTaskId && others.length > 0) return 'other-task';
      return bind(write);
    },
    async adopt(taskId, a2aTaskId) {
      const { agent } = await self(taskId);
      const others = (await ofA2aId(agent, a2aTaskId)).filter((row) => row.taskId !== taskId);
      if (others.some((row) => !ended.includes(row.status))) return 'other-task';
      return bind(() =>
        db
          .update(tasks)
          .set({ a2aTaskId, updatedAt: sql`now()` })
          .where(eq(tasks.taskId, taskId)),
      );
    },
    async list(filter) {
      const limit = pageLimit(filter.limit);
      const position = filter.cursor === undefined ? null : readCursor(filter.cursor);
      if (!canBeStored(filter.agent) || !canBeStored(filter.q) || !canBeStored(filter.idPrefix))
        return { items: [], nextCursor: null };
      const rows = await db
        .select()
        .from(tasks)
        .where(
          and(
            filter.statuses?.length ? inArray(tasks.status, filter.statuses) : undefined,
            filter.idPrefix === undefined ? undefined : sql`starts_with(${tasks.taskId}, ${filter.idPrefix})`,
            filter.agent === undefined ? undefined : eq(tasks.agent, filter.agent),
            filter.owner === undefined || filter.owner === null ? undefined : eq(tasks.owner, filter.owner),
            ...searchTerms(filter.q ?? '').map((term) => hasWord(term, filter.aliases)),
            position
              ? sql`(${tasks.createdAt}, ${tasks.taskId}) < (${position[0]}::timestamptz, ${position[1]})`
              : undefined,
          ),
        )
        .orderBy(desc(tasks.createdAt), desc(tasks.taskId))
        .limit(limit + 1);
      return toPage(rows, limit, (row) => [row.createdAt, row.taskId]);
    },
    async listOpen(afterTaskId, limit) {
      return db
        .select()
        .from(tasks)
        .where(and(notInArray(tasks.status, ended), afterTaskId === null ? undefined : gt(tasks.taskId, afterTaskId)))
        .orderBy(asc(tasks.taskId))
        .limit(limit);
    },
  };
}

/** In what the task began with, or the name of its agent or owner. */
function hasWord(term: string, aliases: SearchAliases | undefined): SQL | undefined {
  const pattern = `%${term}%`;
  const [agents, owners] = [idsNamed(term, aliases?.agents), idsNamed(term, aliases?.owners)];
  return or(
    sql`lower(${clearLetters(tasks.title)} || ' ' || ${tasks.agent} || ' ' || ${tasks.owner}) like ${pattern}`,
    agents.length === 0 ? undefined : inArray(tasks.agent, agents),
    owners.length === 0 ? undefined : inArray(tasks.owner, owners),
  );
}

/** The timeline with a status that the task has not now; as it is when the task keeps the one it has. */
function reached(status: TaskStatus): SQL {
  const at = sql`to_char(now()::timestamptz(3) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const entry = sql`'{"at":"' || ${at} || '","status":"' || ${status}::text || '"}'`;
  const isSame = sql`${tasks.status} = ${status} or ${inArray(tasks.status, ended)}`;
  return sql`case when ${isSame} then ${tasks.timeline} else ${withEntry(tasks.timeline, entry, maxTimeline)} end`;
}
