import { and, desc, eq, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { RunKey } from '../../../contract/tasks/run.ts';
import { canBeStored, type Db } from '../../database/database.ts';
import { appendEvidence } from '../../evidence/append.ts';
import { engramEntry } from '../../evidence/record.ts';
import { unshownFloor, type EngramRuns } from '../../ports/engram.ts';
import { engramRuns } from '../../engram-schema.ts';
import { columnsToRead, readColumn, sealedFor, sealedRow } from '../../sealed-rows.ts';

const isRun = ({ agent, threadId, runId }: RunKey): SQL | undefined =>
  and(eq(engramRuns.agent, agent), eq(engramRuns.threadId, threadId), eq(engramRuns.runId, runId));

export function createEngramRuns(db: Db): EngramRuns {
  return {
    async begin(run) {
      const target = [engramRuns.agent, engramRuns.threadId, engramRuns.runId];
      const set = { usedAt: sql`now()` };
      const [kept] = await db
        .insert(engramRuns)
        .values(sealedRow(engramRuns, { writes: [], records: [], ...run }))
        .onConflictDoUpdate({ target, set })
        .returning(columnsToRead(engramRuns));
      if (kept === undefined) throw new Error('an Engram run vanished while it was kept');
      const { usedAt: _usedAt, ...row } = kept;
      return row;
    },
    async savePosition(run, { a2aTaskId, floor, records }) {
      await db
        .update(engramRuns)
        .set({ a2aTaskId, floor, ...sealedFor(engramRuns, run, { records }), usedAt: sql`now()` })
        .where(isRun(run));
    },
    async saveWrites(run, writes, by) {
      const newest = writes.at(-1);
      await db.transaction(async (tx) => {
        await tx
          .update(engramRuns)
          .set(sealedFor(engramRuns, run, { writes }))
          .where(isRun(run));
        if (newest !== undefined) await appendEvidence(tx, [engramEntry(run, newest, by)]);
      });
    },
    async lastShown({ agent, threadId, runId }) {
      const isOther = and(eq(engramRuns.agent, agent), eq(engramRuns.threadId, threadId), ne(engramRuns.runId, runId));
      const isShown = or(
        eq(engramRuns.mode, 'hydrate_stream'),
        and(isNotNull(engramRuns.floor), ne(engramRuns.floor, unshownFloor)),
      );
      const [newest] = await db
        .select({ records: readColumn(engramRuns.records) })
        .from(engramRuns)
        .where(and(isOther, isShown))
        .orderBy(desc(engramRuns.usedAt))
        .limit(1);
      return newest?.records ?? [];
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
