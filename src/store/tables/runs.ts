import { and, asc, desc, eq, lte, sql } from 'drizzle-orm';
import type { RunKey } from '../../contract/event.ts';
import type { Db } from '../database/database.ts';
import { runs } from '../schema.ts';
import { FencedError, type RunRow, type Tables } from '../store.ts';
import { logTopic, runTopic, threadTopic, type Topic } from '../feeds/waiters.ts';

export const runColumns = {
  logId: runs.logId,
  agent: runs.agent,
  threadId: runs.threadId,
  runId: runs.runId,
  taskId: runs.taskId,
  fingerprint: runs.fingerprint,
  opener: runs.opener,
  isControl: runs.isControl,
  status: runs.status,
  lastSeq: runs.lastSeq,
  startedAt: runs.startedAt,
  endedAt: runs.endedAt,
  outcome: runs.outcome,
};

/** Runs of one task that anybody reads at once. */
const maxOfTask = 500;

/** The runs; `changed` is told whose readers to wake. */
export function createRuns(db: Db, changed: (topic: Topic) => void): Tables['runs'] {
  async function get(key: RunKey): Promise<RunRow | null> {
    const [row] = await db
      .select(runColumns)
      .from(runs)
      .where(and(eq(runs.agent, key.agent), eq(runs.threadId, key.threadId), eq(runs.runId, key.runId)));
    return row ?? null;
  }

  return {
    get,
    async newest(agent, threadId) {
      const [row] = await db
        .select(runColumns)
        .from(runs)
        .where(and(eq(runs.agent, agent), eq(runs.threadId, threadId), eq(runs.isControl, false)))
        .orderBy(desc(runs.logId))
        .limit(1);
      return row ?? null;
    },
    async opening({ taskId, agent, threadId }) {
      const isOfTask = and(eq(runs.agent, agent), eq(runs.threadId, threadId), eq(runs.taskId, taskId));
      const [row] = await db
        .select(runColumns)
        .from(runs)
        .where(and(isOfTask, eq(runs.isControl, false)))
        .orderBy(asc(runs.logId))
        .limit(1);
      return row ?? null;
    },
    async ofTask({ taskId, agent, threadId }) {
      const isOfTask = and(eq(runs.agent, agent), eq(runs.threadId, threadId), eq(runs.taskId, taskId));
      const newestFirst = await db
        .select(runColumns)
        .from(runs)
        .where(isOfTask)
        .orderBy(desc(runs.logId))
        .limit(maxOfTask);
      return newestFirst.toReversed();
    },
    async claim(key, { taskId, fence, opener, fingerprint, isControl = false }) {
      const { agent, threadId, runId } = key;
      const [claimed] = await db
        .insert(runs)
        .values({ agent, threadId, runId, taskId, fence, opener, fingerprint, isControl })
        .onConflictDoUpdate({
          target: [runs.agent, runs.threadId, runs.runId],
          set: { fence },
          setWhere: sql`${and(eq(runs.taskId, taskId), eq(runs.status, 'open'), lte(runs.fence, fence))}`,
        })
        .returning(runColumns);
      if (claimed) {
        changed(runTopic(key));
        // Only a run without entries is new to its thread; a later attempt's claim wakes nobody there.
        if (claimed.lastSeq === 0 && !isControl) changed(threadTopic(key));
        return { result: 'claimed', run: claimed };
      }
      // Not ours for a reason that stays: a run keeps its task, an end is final, and fences only grow.
      const run = await get(key);
      if (!run) throw new Error(`run ${runId} vanished while it was claimed`);
      if (run.taskId !== taskId) return { result: 'other-task' };
      return run.status === 'open' ? { result: 'fenced' } : { result: 'ended', run };
    },
    async end(logId, fence, status, outcome = null) {
      const ended = await db
        .update(runs)
        .set({ status, endedAt: sql`now()`, ...(outcome === null ? {} : { outcome }) })
        .where(and(eq(runs.logId, logId), eq(runs.fence, fence), eq(runs.status, 'open')))
        .returning({ logId: runs.logId });
      if (ended.length > 0) {
        changed(logTopic(logId));
        return;
      }
      const [run] = await db.select({ status: runs.status }).from(runs).where(eq(runs.logId, logId));
      if (!run || run.status === 'open') throw new FencedError(`log ${logId} belongs to a later writer than ${fence}`);
    },
    async openOf(taskId) {
      return db
        .select(runColumns)
        .from(runs)
        .where(and(eq(runs.taskId, taskId), eq(runs.status, 'open')))
        .orderBy(runs.logId);
    },
  };
}
