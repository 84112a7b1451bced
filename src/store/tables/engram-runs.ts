import { and, eq, type SQL } from 'drizzle-orm';
import type { RunKey } from '../../contract/event.ts';
import { canBeStored, type Db } from '../database/database.ts';
import type { EngramRuns } from '../ports/engram.ts';
import { engramRuns } from '../engram-schema.ts';

const isRun = ({ agent, threadId, runId }: RunKey): SQL | undefined =>
  and(eq(engramRuns.agent, agent), eq(engramRuns.threadId, threadId), eq(engramRuns.runId, runId));

/** What runs follow of agents' records, and what they changed for whom. */
export function createEngramRuns(db: Db): EngramRuns {
  return {
    async begin(run) {
      const [written] = await db.insert(engramRuns).values(run).onConflictDoNothing().returning();
      const [kept] = written === undefined ? await db.select().from(engramRuns).where(isRun(run)) : [written];
      if (kept === undefined) throw new Error('an Engram run vanished while it was kept');
      const { createdAt: _createdAt, ...row } = kept;
      return row;
    },
    async savePosition(run, { a2aTaskId, floor, records }) {
      await db.update(engramRuns).set({ a2aTaskId, floor, records }).where(isRun(run));
    },
    async saveWrites(run, writes) {
      await db.update(engramRuns).set({ writes }).where(isRun(run));
    },
    async isSubscription(agent, a2aTaskId) {
      if (!canBeStored(a2aTaskId)) return false;
      const found = await db
        .select({ runId: engramRuns.runId })
        .from(engramRuns)
        .where(and(eq(engramRuns.agent, agent), eq(engramRuns.a2aTaskId, a2aTaskId)))
        .limit(1);
      return found.length > 0;
    },
  };
}
