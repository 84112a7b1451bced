// Reads by id, task and thread; `hold-list.ts` has the inbox lists.
import { and, asc, desc, eq, inArray, max, sql } from 'drizzle-orm';
import { canBeStored, type Db } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { holds, tasks } from '../../schema.ts';
import type { Tables } from '../../store.ts';
import { holdColumns } from './hold-columns.ts';

/** Maximum number of cards that a front end shows of one thread. */
const maxOfThread = 50;

type HoldReads = Pick<
  Tables['holds'],
  'get' | 'many' | 'byInterrupt' | 'ofTask' | 'openOf' | 'ofTasks' | 'lastN' | 'ofThread'
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
        sql`${holds.interruptId} = any(${interruptIds}::text[])`,
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

export function createHoldReads(db: Db): HoldReads {
  return {
    async get(holdId) {
      if (!canBeStored(holdId)) return null;
      const [row] = await byId(db, { holdId });
      return row ?? null;
    },
    async many(holdIds) {
      const ids = holdIds.filter(canBeStored);
      return ids.length === 0 ? [] : db.select(holdColumns).from(holds).where(inArray(holds.holdId, ids));
    },
    async byInterrupt(agent, threadId, interruptIds) {
      return byInterrupt(db, { agent, threadId, interruptIds: interruptIds.filter(canBeStored) });
    },
    ofTask: (taskId) => ofTask(db, { taskId }),
    async openOf(taskIds) {
      if (taskIds.length === 0) return [];
      return db
        .select(holdColumns)
        .from(holds)
        .where(and(inArray(holds.taskId, taskIds), eq(holds.status, 'open')))
        .orderBy(asc(holds.n));
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
      return newestFirst.toReversed();
    },
  };
}
