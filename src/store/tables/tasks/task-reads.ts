import type { A2aTaskId, TaskId } from '../../../contract/base/id-types.ts';
import { and, asc, desc, eq, gt, inArray, isNotNull, notExists, notInArray, or, sql, type SQL } from 'drizzle-orm';
import type { TaskStatus } from '../../../contract/tasks/task.ts';
import { endedStatuses, isEndedStatus } from '../../../contract/tasks/task-names.ts';
import { pageLimit, readCursor, toPage } from '../../database/cursor.ts';
import { canBeStored, isAnyOf, rowsOf, type Db } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import type { SearchAliases, TaskFilter } from '../../ports/tasks.ts';
import { holds, tasks } from '../../schema.ts';
import { clearLetters } from '../../sealed-columns.ts';
import { columnsToRead, readColumn } from '../../sealed-rows.ts';
import type { TaskRow, Tables } from '../../store.ts';
import { idsNamed, searchTerms } from '../holds/text-search.ts';

type TaskReads = Pick<
  Tables['tasks'],
  | 'get'
  | 'titles'
  | 'byA2aId'
  | 'ofA2aId'
  | 'ownersOfContext'
  | 'openInContext'
  | 'newest'
  | 'seen'
  | 'list'
  | 'listOpen'
  | 'openOf'
  | 'listStuck'
>;

const byId = statement(['taskId'], (db, { taskId }) =>
  db.select(columnsToRead(tasks)).from(tasks).where(eq(tasks.taskId, taskId)),
);

async function openInContext(db: Db, agent: string, contextId: string): Promise<TaskId[]> {
  if (!canBeStored(contextId)) return [];
  const rows = await db
    .select({ taskId: tasks.taskId })
    .from(tasks)
    .where(and(eq(tasks.agent, agent), eq(tasks.contextId, contextId), isOpen));
  return rows.map(({ taskId }) => taskId);
}

const isIn = (filter: TaskFilter): SQL | undefined =>
  and(
    filter.statuses?.length ? inArray(tasks.status, filter.statuses) : undefined,
    filter.idPrefix === undefined ? undefined : sql`starts_with(${tasks.taskId}, ${filter.idPrefix})`,
    filter.isStuck === true ? and(isOpen, isNotNull(tasks.stuck)) : undefined,
    filter.agent === undefined ? undefined : eq(tasks.agent, filter.agent),
    filter.owner === undefined || filter.owner === null ? undefined : eq(tasks.owner, filter.owner),
    ...searchTerms(filter.q ?? '').map((term) => hasWord(term, filter.aliases)),
  );

const isOlder = ([at, id]: readonly string[]): SQL =>
  sql`(${tasks.createdAt}, ${tasks.taskId}) < (${at}::timestamptz, ${id})`;

async function listNewest(db: Db, filter: TaskFilter): ReturnType<TaskReads['list']> {
  const limit = pageLimit(filter.limit);
  const rows = await db
    .select(columnsToRead(tasks))
    .from(tasks)
    .where(and(isIn(filter), filter.cursor === undefined ? undefined : isOlder(readCursor(filter.cursor))))
    .orderBy(desc(tasks.createdAt), desc(tasks.taskId))
    .limit(limit + 1);
  return toPage(rows, limit, (row) => [row.createdAt, row.taskId]);
}

/** Two statements: those that something is due of are as many as open questions at most, and the rest has an index. */
async function listByDeadline(db: Db, filter: TaskFilter): ReturnType<TaskReads['list']> {
  const limit = pageLimit(filter.limit);
  const [until, at = '', id = ''] = filter.cursor === undefined ? [] : readCursor(filter.cursor, 'deadline');
  const isDue = and(eq(holds.status, 'open'), isNotNull(holds.dueAt));
  const due = db
    .select({ taskId: holds.taskId, at: sql`min(${holds.dueAt})`.mapWith(holds.dueAt).as('first_due') })
    .from(holds)
    .where(isDue)
    .groupBy(holds.taskId)
    .as('due');
  const isLater = sql`(${due.at}, ${tasks.createdAt}, ${tasks.taskId}) > (${until}::timestamptz, ${at}::timestamptz, ${id})`;
  const first =
    until === 'infinity'
      ? []
      : await db
          .select({ ...columnsToRead(tasks), dueAt: due.at })
          .from(tasks)
          .innerJoin(due, eq(due.taskId, tasks.taskId))
          .where(and(isIn(filter), until === undefined ? undefined : isLater))
          .orderBy(asc(due.at), asc(tasks.createdAt), asc(tasks.taskId))
          .limit(limit + 1);
  const isOfTask = db
    .select({ one: sql`1` })
    .from(holds)
    .where(and(eq(holds.taskId, tasks.taskId), isDue));
  const rest =
    first.length > limit
      ? []
      : await db
          .select(columnsToRead(tasks))
          .from(tasks)
          .where(and(isIn(filter), notExists(isOfTask), until === 'infinity' ? isOlder([at, id]) : undefined))
          .orderBy(desc(tasks.createdAt), desc(tasks.taskId))
          .limit(limit + 1 - first.length);
  const rows = [
    ...first.map(({ dueAt, ...row }) => ({ row, until: dueAt ?? 'infinity' })),
    ...rest.map((row) => ({ row, until: 'infinity' })),
  ];
  const page = toPage(rows, limit, ({ row, until: to }) => [to, row.createdAt, row.taskId], 'deadline');
  return { ...page, items: page.items.map(({ row }) => row) };
}

export function createTaskReads(db: Db): TaskReads {
  async function ofA2aId(agent: string, a2aTaskId: A2aTaskId): Promise<TaskRow[]> {
    if (!canBeStored(a2aTaskId)) return [];
    return db
      .select(columnsToRead(tasks))
      .from(tasks)
      .where(and(eq(tasks.agent, agent), eq(tasks.a2aTaskId, a2aTaskId)))
      .orderBy(asc(inArray(tasks.status, endedStatuses)), desc(tasks.createdAt), desc(tasks.taskId));
  }

  return {
    async get(taskId) {
      if (!canBeStored(taskId)) return null;
      const [row] = await byId(db, { taskId });
      return row ?? null;
    },
    async titles(taskIds) {
      if (taskIds.length === 0) return new Map();
      const rows = await db
        .select({ taskId: tasks.taskId, title: readColumn(tasks.title) })
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
    openInContext: async (agent, contextId) => openInContext(db, agent, contextId),
    async newest(agent, threadId) {
      const [row] = await db
        .select(columnsToRead(tasks))
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
      // Safe: only this room writes the column.
      const status = row['status'] as TaskStatus;
      return { taskId: String(row['task_id']), n: Number(row['n']), isEnded: isEndedStatus(status) };
    },
    async list(filter) {
      if (!canBeStored(filter.agent) || !canBeStored(filter.q) || !canBeStored(filter.idPrefix))
        return { items: [], nextCursor: null };
      return filter.sort === 'deadline' ? listByDeadline(db, filter) : listNewest(db, filter);
    },
    async listOpen(afterTaskId, limit) {
      return db
        .select(columnsToRead(tasks))
        .from(tasks)
        .where(and(isOpen, afterTaskId === null ? undefined : gt(tasks.taskId, afterTaskId)))
        .orderBy(asc(tasks.taskId))
        .limit(limit);
    },
    async openOf(workflowIds) {
      const ids = workflowIds.filter(canBeStored);
      if (ids.length === 0) return [];
      return db
        .select(columnsToRead(tasks))
        .from(tasks)
        .where(and(isOpen, isAnyOf(tasks.workflowId, ids)));
    },
    async listStuck(cause, limit) {
      return db
        .select(columnsToRead(tasks))
        .from(tasks)
        .where(and(isOpen, isNotNull(tasks.stuck), sql`${tasks.stuck}::jsonb ->> 'cause' = ${cause}`))
        .orderBy(asc(tasks.taskId))
        .limit(limit);
    },
  };
}

const isOpen = notInArray(tasks.status, [...endedStatuses]);

function hasWord(term: string, aliases: SearchAliases | undefined): SQL | undefined {
  const pattern = `%${term}%`;
  const [agents, owners] = [idsNamed(term, aliases?.agents), idsNamed(term, aliases?.owners)];
  return or(
    sql`lower(${clearLetters(tasks.title)} || ' ' || ${tasks.agent} || ' ' || ${tasks.owner}) like ${pattern}`,
    agents.length === 0 ? undefined : inArray(tasks.agent, agents),
    owners.length === 0 ? undefined : inArray(tasks.owner, owners),
  );
}
