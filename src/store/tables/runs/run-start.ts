// The first read and the claim of a run's writer, each in one statement.
import type { TaskId } from '../../../contract/base/id-types.ts';
import { and, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { RunKey } from '../../../contract/tasks/run.ts';
import type { Db } from '../../database/database.ts';
import { handWritten, perForm, statement } from '../../database/statement.ts';
import { agents, attachments, intake, runs, tasks, threads, watches } from '../../schema.ts';
import { batchesOf, batchNames, insertBatches } from '../../log/batches.ts';
import { isSealing } from '../../sealed-columns.ts';
import { columnsToRead } from '../../sealed-rows.ts';
import type { RunBeginning, RunRow, Tables } from '../../store.ts';
import { statusUpdate } from '../tasks/task-status.ts';

const first = alias(intake, 'first');

const start = statement(['agent', 'threadId', 'runId', 'taskId'], (db, { agent, threadId, runId, taskId }) => {
  const opener = sql`(
    select run_id from ${runs} own
    where own.agent = ${agent} and own.thread_id = ${threadId} and own.task_id = ${taskId} and not own.is_control
    order by own.log_id limit 1
  )`;
  return db
    .select({
      hasRun: sql<boolean>`exists (
        select from ${runs} own where own.agent = ${agent} and own.thread_id = ${threadId} and own.run_id = ${runId}
      )`,
      hasAttachments: sql<boolean>`exists (select from ${attachments} own where own.task_id = ${taskId})`,
      task: columnsToRead(tasks),
      thread: columnsToRead(threads),
      intake: columnsToRead(intake),
      opening: columnsToRead(first),
      sendsWithout: agents.sendsWithout,
    })
    .from(sql`(select 1) as one`)
    .leftJoin(tasks, eq(tasks.taskId, taskId))
    .leftJoin(threads, and(eq(threads.agent, agent), eq(threads.threadId, threadId)))
    .leftJoin(intake, and(eq(intake.agent, agent), eq(intake.threadId, threadId), eq(intake.runId, runId)))
    .leftJoin(first, and(eq(first.agent, agent), eq(first.threadId, threadId), sql`${first.runId} = ${opener}`))
    .leftJoin(agents, eq(agents.agent, agent));
});

export async function readStart(db: Db, { agent, threadId, runId }: RunKey, taskId: TaskId): Promise<RunBeginning> {
  const [found] = await start(db, { agent, threadId, runId, taskId });
  if (found === undefined) throw new Error('one row was asked for');
  return found;
}

/** Parameters of a claim; events are written only with a new run, and nothing if the claim fails. */
export type Claim = Required<Parameters<Tables['runs']['claim']>[1]>;

interface ClaimForm {
  hasEvents: boolean;
  isReported: boolean;
  isUnwatched: boolean;
}

const nextId = statement([], (db) =>
  handWritten(db, sql`select nextval(pg_get_serial_sequence('runs', 'log_id')) as id`),
);

const claimNames = [
  'agent',
  'threadId',
  'runId',
  'taskId',
  'fence',
  'opener',
  'fingerprint',
  'isControl',
  'newLogId',
] as const;

const claiming = perForm(({ hasEvents, isReported, isUnwatched }: ClaimForm) =>
  statement([...claimNames, ...batchNames, 'count', 'status'], (db, given) => {
    const { agent, threadId, runId, taskId, fence, opener, fingerprint, isControl, count } = given;
    const id = sql`coalesce(${given.newLogId}::bigint, nextval(pg_get_serial_sequence('runs', 'log_id')))`;
    const own = { from: sql`(select log_id from claimed where is_new) own`, logId: sql`own.log_id`, after: sql`0` };
    const written = sql`, written as (${insertBatches(given, own)})`;
    const reported = sql`, reported as (${statusUpdate(given, sql`claimed`)})`;
    const unwatched = sql`, unwatched as (delete from ${watches} using claimed where ${watches.taskId} = ${taskId})`;
    return handWritten(
      db,
      sql`
        with claimed as (
          insert into ${runs} (log_id, agent, thread_id, run_id, task_id, fence, opener, fingerprint, is_control, last_seq)
          overriding system value
          values (${id}, ${agent}, ${threadId}, ${runId}, ${taskId}, ${fence}::bigint, ${opener}, ${fingerprint},
                  ${isControl}::boolean, ${count}::integer)
          on conflict (agent, thread_id, run_id) do update set fence = excluded.fence
          where ${runs.taskId} = excluded.task_id and ${runs.status} = 'open' and ${runs.fence} <= excluded.fence
          returning log_id, fingerprint, opener, is_control, last_seq, started_at, xmax = 0 as is_new
        )${hasEvents ? written : sql``}${isReported ? reported : sql``}${isUnwatched ? unwatched : sql``}
        select * from claimed`,
    );
  }),
);

/** Events are encrypted for the id of their log, which is then needed before it is claimed. */
async function nextLogId(db: Db): Promise<number> {
  const [row] = await nextId(db, {});
  return Number(row?.['id']);
}

export async function writeClaim(
  db: Db,
  { agent, threadId, runId }: RunKey,
  claim: Claim,
): Promise<{ run: RunRow; isNew: boolean; texts: string[] } | null> {
  const { taskId, fence, opener, fingerprint, isControl, status, unwatch } = claim;
  const texts = claim.first.map((event) => JSON.stringify(event));
  const write = claiming({ hasEvents: texts.length > 0, isReported: status !== null, isUnwatched: unwatch });
  const newLogId = isSealing() && texts.length > 0 ? await nextLogId(db) : null;
  const [row] = await write(db, {
    agent,
    threadId,
    runId,
    taskId,
    fence,
    opener,
    fingerprint,
    isControl,
    status,
    newLogId,
    ...batchesOf(newLogId ?? 0, 0, claim.first, texts),
    count: texts.length,
  });
  if (row === undefined) return null;
  const run: RunRow = {
    logId: Number(row['log_id']),
    agent,
    threadId,
    runId,
    taskId,
    fingerprint: String(row['fingerprint']),
    // Safe: only this file writes the column.
    opener: row['opener'] as RunRow['opener'],
    isControl: row['is_control'] === true,
    status: 'open',
    lastSeq: Number(row['last_seq']),
    startedAt: new Date(String(row['started_at'])).toISOString(),
    endedAt: null,
    outcome: null,
  };
  return { run, isNew: row['is_new'] === true, texts };
}
