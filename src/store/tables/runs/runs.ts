import type { ThreadId } from '../../../contract/base/id-types.ts';
import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { RunKey } from '../../../contract/tasks/run.ts';
import type { Db } from '../../database/database.ts';
import { runs, threads } from '../../schema.ts';
import { columnsToRead, readColumns, sealedRow } from '../../sealed-rows.ts';
import { statement } from '../../database/statement.ts';
import type { LogEnds } from '../../log/log-ends.ts';
import { readStart, writeClaim } from './run-start.ts';
import type { RunRow, Tables, ThreadRow } from '../../store.ts';
import { logTopic, runTopic, threadTopic, type News, type Topic } from '../../feeds/waiters.ts';

export const runColumns = readColumns({
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
});

const maxOfTask = 500;

const byKey = statement(['agent', 'threadId', 'runId'], (db, { agent, threadId, runId }) =>
  db
    .select(runColumns)
    .from(runs)
    .where(and(eq(runs.agent, agent), eq(runs.threadId, threadId), eq(runs.runId, runId))),
);

const lock = statement(['logId', 'fence'], (db, { logId, fence }) =>
  db
    .select({
      lastSeq: runs.lastSeq,
      others: sql<string>`(
        select count(*) from ${runs} other
        where other.task_id = ${runs}.task_id and other.status = 'open' and other.log_id <> ${runs}.log_id
      )`,
    })
    .from(runs)
    .where(and(eq(runs.logId, logId), eq(runs.fence, fence), eq(runs.status, 'open')))
    .for('update'),
);

const threadBy = statement(['agent', 'threadId'], (db, { agent, threadId }) =>
  db
    .select(columnsToRead(threads))
    .from(threads)
    .where(and(eq(threads.agent, agent), eq(threads.threadId, threadId))),
);

/** The runs table; `changed` is called with the topics to wake. */
export function createRuns(db: Db, ends: LogEnds, changed: (topic: Topic, news?: News) => void): Tables['runs'] {
  async function get(key: RunKey): Promise<RunRow | null> {
    const [row] = await byKey(db, key);
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
    async claim(key, { isControl = false, first = [], status = null, unwatch = false, ...claim }) {
      const { taskId } = claim;
      const claimed = await writeClaim(db, key, { ...claim, isControl, first, status, unwatch });
      if (claimed) {
        const { run, isNew, texts } = claimed;
        ends.set(run.logId, run.lastSeq);
        changed(runTopic(key), { run, isNew });
        // A claim by a later attempt is not a new run of the thread.
        if (isNew && !isControl) changed(threadTopic(key));
        if (isNew && texts.length > 0) changed(logTopic(run.logId), { firstSeq: 1, texts });
        return { result: 'claimed', run, isNew };
      }
      // Safe to read afterwards: a run keeps its task, an end is final, and fences only grow.
      const run = await get(key);
      if (!run) throw new Error(`run ${key.runId} vanished while it was claimed`);
      if (run.taskId !== taskId) return { result: 'other-task' };
      return run.status === 'open' ? { result: 'fenced' } : { result: 'ended', run };
    },
    start: (key, taskId) => readStart(db, key, taskId),
    async lock(logId, fence) {
      const [row] = await lock(db, { logId, fence });
      if (row === undefined) return null;
      ends.set(logId, row.lastSeq);
      return { lastSeq: row.lastSeq, others: Number(row.others) };
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

export function createThreads(db: Db): Tables['threads'] {
  async function get(agent: string, threadId: ThreadId): Promise<ThreadRow | null> {
    const [row] = await threadBy(db, { agent, threadId });
    return row ?? null;
  }

  return {
    get,
    async claim(agent, threadId, owner) {
      const [created] = await db
        .insert(threads)
        .values(sealedRow(threads, { agent, threadId, owner, state: {}, messages: [] }))
        .onConflictDoNothing()
        .returning(columnsToRead(threads));
      const row = created ?? (await get(agent, threadId));
      if (!row) throw new Error(`thread ${threadId} vanished while it was claimed`);
      return row;
    },
  };
}
