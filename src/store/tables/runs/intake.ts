import { and, asc, desc, eq, isNull, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { RunKey } from '../../../contract/tasks/run.ts';
import { isAnyOf, type Db } from '../../database/database.ts';
import { insertNew } from '../../database/new-rows.ts';
import { handWritten, statement, textArray } from '../../database/statement.ts';
import { intake, runs, sentMessages, tasks, threads } from '../../schema.ts';
import { rowKey, sealedText } from '../../sealed-columns.ts';
import { columnsToRead } from '../../sealed-rows.ts';
import { runColumns } from './runs.ts';
import { messageKeyOf } from './sent-messages.ts';
import type { IntakeRow, Tables } from '../../store.ts';

const isKey = (key: Record<keyof RunKey, string | Placeholder>): SQL | undefined =>
  and(eq(intake.agent, key.agent), eq(intake.threadId, key.threadId), eq(intake.runId, key.runId));
const isUnsettled = and(isNull(intake.admittedAt), isNull(intake.refusedCode));

/** Not waiting for a run that goes on: such a row would keep a place in each pass of the sweeper. */
const isNotWaiting = sql`not exists (
  select from ${runs} before
  where before.agent = ${intake.agent} and before.thread_id = ${intake.threadId}
    and before.run_id = ${intake.afterRun} and before.status = 'open'
)`;

/** Without the lease, which is the sweeper's alone. */
export const intakeColumns = (({ heldUntil: _lease, ...columns }) => columns)(columnsToRead(intake));
const longestLeaseMs = 120_000;

const byKey = statement(['agent', 'threadId', 'runId'], (db, key) =>
  db.select(intakeColumns).from(intake).where(isKey(key)),
);

/** Reads each by its key for each thread; as plain joins the planner would scan whole tables while they are small. */
const runsOf = statement(['agent', 'runId', 'threadIds'], (db, { agent, runId, threadIds }) => {
  const asked = sql`unnest(${textArray(threadIds)}) with ordinality as asked(thread_id, n)`;
  const isOf = (table: { agent: PgColumn; threadId: PgColumn }): SQL | undefined =>
    and(eq(table.agent, agent), sql`${table.threadId} = asked.thread_id`);
  const thread = db.select().from(threads).where(isOf(threads)).limit(1).as('thread');
  const newest = db
    .select()
    .from(tasks)
    .where(isOf(tasks))
    .orderBy(desc(tasks.createdAt), desc(tasks.taskId))
    .limit(1)
    .as('newest');
  const run = db
    .select(runColumns)
    .from(runs)
    .where(and(isOf(runs), eq(runs.runId, runId)))
    .limit(1)
    .as('run');
  const kept = db
    .select(intakeColumns)
    .from(intake)
    .where(and(isOf(intake), eq(intake.runId, runId)))
    .limit(1)
    .as('kept');
  const { taskId, workflowId, firstExecutionRunId } = newest;
  return db
    .select({
      thread: { owner: thread.owner, contextId: thread.contextId },
      newest: { taskId, workflowId, firstExecutionRunId },
      run: run._.selectedFields,
      kept: kept._.selectedFields,
    })
    .from(asked)
    .leftJoinLateral(thread, sql`true`)
    .leftJoinLateral(newest, sql`true`)
    .leftJoinLateral(run, sql`true`)
    .leftJoinLateral(kept, sql`true`)
    .orderBy(sql`asked.n`);
});

const putFirst = statement(
  [
    'agent',
    'threadId',
    'owner',
    'state',
    'messages',
    'runId',
    'fingerprint',
    'principal',
    'receivedAt',
    'body',
    'chosen',
    'plan',
    'mac',
  ],
  (db, row) =>
    handWritten(
      db,
      sql`
        with opened as (
          insert into ${threads} (agent, thread_id, owner, state, messages)
          values (${row.agent}, ${row.threadId}, ${row.owner}, ${row.state}, ${row.messages}) on conflict do nothing
          returning agent, thread_id
        )
        insert into ${intake} (agent, thread_id, run_id, fingerprint, principal, received_at, body, message_ids, plan, mac)
        select agent, thread_id, ${row.runId}, ${row.fingerprint}, ${row.principal}, ${row.receivedAt}::timestamptz,
               ${row.body}, ${row.chosen}::text, ${row.plan}, ${row.mac}
        from opened on conflict do nothing returning run_id`,
    ),
);

const insert = insertNew(intake, intakeColumns);

const admit = statement(['agent', 'threadId', 'runId', 'keys'], (db, { keys, ...key }) =>
  handWritten(
    db,
    sql`
      with settled as (update ${intake} set admitted_at = now() where ${and(isKey(key), isUnsettled)})
      insert into ${sentMessages} (agent, thread_id, message_key, run_id)
      select ${key.agent}, ${key.threadId}, message_key, ${key.runId}
      from (select distinct unnest(${textArray(keys)}) as message_key) listed
      on conflict do nothing`,
  ),
);

export function createIntake(db: Db): Tables['intake'] {
  async function get(key: RunKey): Promise<IntakeRow | null> {
    const [row] = await byKey(db, key);
    return row ?? null;
  }

  return {
    get,
    async namesOf(agent, threadIds) {
      if (threadIds.length === 0) return [];
      return db
        .select({ threadId: intake.threadId, runId: intake.runId })
        .from(intake)
        .where(and(eq(intake.agent, agent), isAnyOf(intake.threadId, threadIds)));
    },
    findRuns: ({ agent, runId }, threadIds) => runsOf(db, { agent, runId, threadIds }),
    async putFirst(row, owner) {
      const { agent, threadId, runId, fingerprint, receivedAt, mac, messageIds = null } = row;
      const [ofThread, ofRun] = [rowKey(agent, threadId), rowKey(agent, threadId, runId)];
      const rows = await putFirst(db, {
        agent,
        threadId,
        runId,
        fingerprint,
        receivedAt,
        mac,
        owner,
        state: sealedText('{}', 'threads.state', ofThread),
        messages: sealedText('[]', 'threads.messages', ofThread),
        principal: JSON.stringify(row.principal),
        body: sealedText(JSON.stringify(row.body), 'intake.body', ofRun),
        chosen: messageIds === null ? null : JSON.stringify(messageIds),
        plan: sealedText(JSON.stringify(row.plan), 'intake.plan', ofRun),
      });
      return rows.length === 0 ? null : { ...row, messageIds, afterRun: null, admittedAt: null, refusedCode: null };
    },
    async put(row) {
      const [created] = await insert(db, [row]);
      const stored = created ?? (await get(row));
      if (!stored) throw new Error(`intake of run ${row.runId} vanished while it was put`);
      return stored;
    },
    async settle(key, result) {
      // Only the first settlement counts, since the client has received its result.
      await db
        .update(intake)
        .set('admitted' in result ? { admittedAt: sql`now()` } : { refusedCode: result.refused })
        .where(and(isKey(key), isUnsettled));
    },
    async admitted(row) {
      const { agent, threadId, runId, messageIds } = row;
      await admit(db, { agent, threadId, runId, keys: (messageIds ?? []).map(messageKeyOf) });
    },
    async takeUnsettled({ olderThanMs, leaseMs, limit }) {
      const ms = (value: number): SQL => sql`${value}::double precision * interval '1 millisecond'`;
      const isFree = sql`(${intake.heldUntil} is null or ${intake.heldUntil} < now())`;
      const key = [intake.agent, intake.threadId, intake.runId] as const;
      const free = db
        .select({ agent: intake.agent, threadId: intake.threadId, runId: intake.runId })
        .from(intake)
        .where(and(isUnsettled, sql`${intake.receivedAt} < now() - ${ms(olderThanMs)}`, isFree, isNotWaiting))
        .orderBy(asc(intake.receivedAt))
        .limit(limit)
        .for('update', { skipLocked: true });
      const rows = await db
        .update(intake)
        // The older it is, the longer nothing came of it.
        .set({
          heldUntil: sql`now() + least(greatest(${ms(leaseMs)}, (now() - ${intake.receivedAt}) / 2), ${ms(longestLeaseMs)})`,
        })
        .where(sql`(${key[0]}, ${key[1]}, ${key[2]}) in ${free}`)
        .returning(intakeColumns);
      return rows.toSorted((a, b) => a.receivedAt.localeCompare(b.receivedAt));
    },
    async release(keys) {
      for (const key of keys) await db.update(intake).set({ heldUntil: null }).where(isKey(key));
    },
  };
}
