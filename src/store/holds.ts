import { and, asc, desc, eq, inArray, max, or, sql, type SQL } from 'drizzle-orm';
import { pageLimit, readCursor, toPage } from './cursor.ts';
import { canBeStored, listParam, type Db } from './database.ts';
import { holds, tasks } from './schema.ts';
import type { HoldFilter, HoldRow, Tables } from './store.ts';

/** Cards a front end may still show of one thread. */
const maxOfThread = 50;

export function createHolds(db: Db): Tables['holds'] {
  async function get(holdId: string): Promise<HoldRow | null> {
    if (!canBeStored(holdId)) return null;
    const [row] = await db.select().from(holds).where(eq(holds.holdId, holdId));
    return row ?? null;
  }

  return {
    get,
    async byInterrupt(agent, threadId, interruptIds) {
      return db
        .select()
        .from(holds)
        .where(
          and(
            eq(holds.agent, agent),
            eq(holds.threadId, threadId),
            inArray(holds.interruptId, interruptIds.filter(canBeStored)),
          ),
        )
        .orderBy(asc(holds.openedAt), asc(holds.n));
    },
    async putOnce(rows) {
      if (rows.length === 0) return [];
      await db.insert(holds).values(rows).onConflictDoNothing({ target: holds.holdId });
      const ids = rows.map((row) => row.holdId);
      return db.select().from(holds).where(inArray(holds.holdId, ids)).orderBy(asc(holds.n));
    },
    async close(holdId, { status, decision, answerPrint }) {
      const [closed] = await db
        .update(holds)
        .set({ status, decision, answerPrint, nextStep: null, updatedAt: sql`now()` })
        .where(and(eq(holds.holdId, holdId), eq(holds.status, 'open')))
        .returning();
      return closed ?? get(holdId);
    },
    async step(holdId, { stepsTaken, audience, nextStep }) {
      await db
        .update(holds)
        .set({ stepsTaken, audience, nextStep, updatedAt: sql`now()` })
        .where(and(eq(holds.holdId, holdId), eq(holds.status, 'open')));
    },
    async setCard(holdId, card) {
      await db
        .update(holds)
        .set({ card, updatedAt: sql`now()` })
        .where(eq(holds.holdId, holdId));
    },
    async setCarrier(holdId, runId) {
      await db
        .update(holds)
        .set({ carriedByRun: runId, updatedAt: sql`now()` })
        .where(eq(holds.holdId, holdId));
    },
    async ofTask(taskId) {
      return db.select().from(holds).where(eq(holds.taskId, taskId)).orderBy(asc(holds.n));
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
      const newestFirst = await db
        .select()
        .from(holds)
        .where(and(eq(holds.agent, agent), eq(holds.threadId, threadId)))
        .orderBy(desc(holds.openedAt), desc(holds.n))
        .limit(maxOfThread);
      return newestFirst.toReversed();
    },
    async list(filter) {
      const limit = pageLimit(filter.limit);
      const place = filter.cursor === undefined ? null : readCursor(filter.cursor);
      if (![filter.agent, filter.taskId, filter.threadId].every(canBeStored)) return { items: [], nextCursor: null };
      const rows = await db
        .select()
        .from(holds)
        .where(
          and(
            ...matches(filter),
            place ? sql`(${holds.openedAt}, ${holds.holdId}) < (${place.at}::timestamptz, ${place.id})` : undefined,
          ),
        )
        .orderBy(desc(holds.openedAt), desc(holds.holdId))
        .limit(limit + 1);
      return toPage(rows, limit, (row) => ({ at: row.openedAt, id: row.holdId }));
    },
  };
}

function matches(filter: HoldFilter): (SQL | undefined)[] {
  return [
    filter.statuses?.length ? inArray(holds.status, filter.statuses) : undefined,
    filter.agent === undefined ? undefined : eq(holds.agent, filter.agent),
    filter.taskId === undefined ? undefined : eq(holds.taskId, filter.taskId),
    filter.threadId === undefined ? undefined : eq(holds.threadId, filter.threadId),
    filter.visibleTo ? isVisible(filter.visibleTo) : undefined,
  ];
}

function isVisible(caller: { owner: string; entries: string[] }): SQL | undefined {
  // `owner` in an audience means this thread's owner, so as an entry of the caller's it would match everyone's holds.
  const entries = caller.entries.filter((entry) => entry !== 'owner');
  return or(eq(holds.owner, caller.owner), sql`${holds.audience} && ${listParam(entries, 'text')}`);
}
