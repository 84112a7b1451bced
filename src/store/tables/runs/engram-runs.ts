import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { RunKey } from '../../../contract/tasks/run.ts';
import { canBeStored, type Db } from '../../database/database.ts';
import type { EngramRuns } from '../../ports/engram.ts';
import { engramRuns } from '../../engram-schema.ts';

const isRun = ({ agent, threadId, runId }: RunKey): SQL | undefined =>
  and(eq(engramRuns.agent, agent), eq(engramRuns.threadId, threadId), eq(engramRuns.runId, runId));

export function createEngramRuns(db: Db): EngramRuns {
  return {
    async begin(run) {
      const target = [engramRuns.agent, engramRuns.threadId, engramRuns.runId];
      const set = { usedAt: sql`now()` };
      const [kept] = await db.insert(engramRuns).values(run).onConflictDoUpdate({ target, set }).returning();
      if (kept === undefined) throw new Error('an Engram run vanished while it was kept');
      const { usedAt: _usedAt, ...row } = kept;
      return row;
    },
    async savePosition(run, { a2aTaskId, floor, records }) {
      await db
        .update(engramRuns)
        .set({ a2aTaskId, floor, records, usedAt: sql`now()` })
        .where(isRun(run));
    },
    async saveWrites(run, writes) {
      await db.update(engramRuns).set({ writes }).where(isRun(run));
    },
    async subscriberOf(agent, a2aTaskId) {
      if (!canBeStored(a2aTaskId)) return null;
      const [found] = await db
        .select({ principal: engramRuns.principal })
        .from(engramRuns)
        .where(and(eq(engramRuns.agent, agent), eq(engramRuns.a2aTaskId, a2aTaskId)))
        .limit(1);
      return found?.principal ?? null;
    },
  };
}
