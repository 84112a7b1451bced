// Reads by id, task and thread; `hold-list.ts` has the inbox lists.
import { and, asc, desc, eq, inArray, max, ne, sql } from 'drizzle-orm';
import { canBeStored, isAnyOf, type Db } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { holds, tasks } from '../../schema.ts';
import type { Tables } from '../../store.ts';
import { holdColumns } from './hold-columns.ts';
import { readableHold } from './readable-hold.ts';

/** Maximum number of cards that a front end shows of one thread. */
const maxOfThread = 50;
/** As many of a person's decisions as are read for a question of the same agent. */
const maxOfDecider = 50;

type HoldReads = Pick<
  Tables['holds'],
  | 'get'
  | 'many'
  | 'byInterrupt'
  | 'ofTask'
  | 'openOf'
  | 'ofTasks'
  | 'lastN'
  | 'ofThread'
  | 'newestOf'
  | 'endedOf'
  | 'endedBy'
>;

const byId = statement(['holdId'], (db, { holdId }) =>
  db.select(holdColumns).from(holds).where(eq(holds.holdId, holdId)),
);

const byInterrupt = statement(['agent', 'threadId', 'interruptIds'], (db, { agent, threadId, interruptIds }) =>
  db
    .select(holdColumns)
    .from(holds)
    .where(
      and(
        eq(holds.agent, agent),
        eq(holds.threadId, threadId),
        sql`(${holds.interruptId} = any(${interruptIds}::text[]) or ${holds.holdId} = any(${interruptIds}::text[]))`,
      ),
    )
    .orderBy(asc(holds.openedAt), asc(holds.n)),
);

const ofTask = statement(['taskId'], (db, { taskId }) =>
  db.select(holdColumns).from(holds).where(eq(holds.taskId, taskId)).orderBy(asc(holds.n)),
);

const ofThread = statement(['agent', 'threadId'], (db, { agent, threadId }) =>
  db
    .select(holdColumns)
    .from(holds)
    .where(and(eq(holds.agent, agent), eq(holds.threadId, threadId)))
    .orderBy(desc(holds.openedAt), desc(holds.n))
    .limit(maxOfThread),
);

const ofDecider = statement(['agent', 'by'], (db, { agent, by }) =>
  db
    .select(holdColumns)
    .from(holds)
    .where(and(eq(holds.agent, agent), eq(holds.endedBy, by)))
    .orderBy(desc(holds.endedAt))
    .limit(maxOfDecider),
);

const newestColumns = {
  threadId: holds.threadId,
  holdId: holds.holdId,
  taskId: holds.taskId,
  openedInRun: holds.openedInRun,
  status: holds.status,
  expiresAt: holds.expiresAt,
};

export function createHoldReads(db: Db): HoldReads {
  return {
    async get(holdId) {
      if (!canBeStored(holdId)) return null;
      const [row] = await byId(db, { holdId });
      return row === undefined ? null : readableHold(row);
    },
    async many(holdIds) {
      const ids = holdIds.filter(canBeStored);
      if (ids.length === 0) return [];
      const isOne = isAnyOf(holds.holdId, ids);
      const rows = await db.select(holdColumns).from(holds).where(isOne);
      return rows.map(readableHold);
    },
    async byInterrupt(agent, threadId, interruptIds) {
      const rows = await byInterrupt(db, { agent, threadId, interruptIds: interruptIds.filter(canBeStored) });
      return rows.map(readableHold);
    },
    ofTask: async (taskId) => (await ofTask(db, { taskId })).map(readableHold),
    async openOf(taskIds) {
      if (taskIds.length === 0) return [];
      const rows = await db
        .select(holdColumns)
        .from(holds)
        .where(and(inArray(holds.taskId, taskIds), eq(holds.status, 'open')))
        .orderBy(asc(holds.n));
      return rows.map(readableHold);
    },
    async ofTasks(taskIds) {
      if (taskIds.length === 0) return [];
      return db
        .select({ taskId: holds.taskId, holdId: holds.holdId })
        .from(holds)
        .where(inArray(holds.taskId, taskIds))
        .orderBy(asc(holds.n));
    },
    async lastN(agent, a2aTaskId) {
      if (!canBeStored(a2aTaskId)) return 0;
      const [row] = await db
        .select({ n: max(holds.n) })
        .from(holds)
        .innerJoin(tasks, eq(tasks.taskId, holds.taskId))
        .where(and(eq(tasks.agent, agent), eq(tasks.a2aTaskId, a2aTaskId)));
      return row?.n ?? 0;
    },
    async ofThread(agent, threadId) {
      const newestFirst = await ofThread(db, { agent, threadId });
      return newestFirst.toReversed().map(readableHold);
    },
    async newestOf(agent, threadIds) {
      if (threadIds.length === 0) return [];
      return db
        .selectDistinctOn([holds.threadId], newestColumns)
        .from(holds)
        .where(and(eq(holds.agent, agent), isAnyOf(holds.threadId, threadIds)))
        .orderBy(holds.threadId, desc(holds.openedAt), desc(holds.n));
    },
    async endedOf(holdIds) {
      if (holdIds.length === 0) return [];
      const isOne = isAnyOf(holds.holdId, holdIds);
      return db
        .select(newestColumns)
        .from(holds)
        .where(and(isOne, ne(holds.status, 'open')));
    },
    async endedBy(agent, by) {
      if (!canBeStored(by)) return [];
      return (await ofDecider(db, { agent, by })).map(readableHold);
    },
  };
}
