import { and, asc, desc, eq, inArray, isNull, max, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Vote } from '../../contract/decision.ts';
import { withEntry } from '../columns.ts';
import { canBeStored, listParam, rowsOf, type Db } from '../database/database.ts';
import { createComments } from './comments.ts';
import { readMetrics } from './inbox-metrics.ts';
import { columnsOf, endColumns, holdColumns } from './hold-columns.ts';
import { holdTopic } from '../feeds/hold-feed.ts';
import { createHoldLists } from './hold-list.ts';
import { drafts, holds, snoozes, tasks } from '../schema.ts';
import { withSealedWords } from '../sealed-columns.ts';
import { amendedEntries, closedEntry, openedEntry, stepEntry, type EvidenceEntry } from '../evidence/record.ts';
import type { HoldRow, Tables } from '../store.ts';
import type { Topic } from '../feeds/waiters.ts';

/** Cards a front end may still show of one thread. */
const maxOfThread = 50;
/** Steps kept; more are reminders that repeat for months. */
const maxSteps = 500;
const maxMoves = 100;

/** Wishes for others that are kept; of more the oldest go. */
const maxAsks = 20;

/** What every change of a row changes. */
const touch = { updatedAt: sql`now()`, version: sql`${holds.version} + 1` };

/** Passed on to others, as was asked for: nobody waits for it any more. */
const asksAfter = (audience: string[]): { reassignAsks: SQL } => ({
  reassignAsks: sql`case when ${holds.audience} = ${listParam(audience, 'text')} then ${holds.reassignAsks} else '[]' end`,
});

/** As the row was before the update that returns it: what a statement selects is as it was when the statement began. */
const before = <T>(column: PgColumn, holdId: string): SQL<T> =>
  sql<T>`(select old.${sql.identifier(column.name)} from ${holds} old where old.hold_id = ${holdId})`.mapWith(
    column,
  ) as SQL<T>;

/** The writes that the evidence chain tells of: each with its record, in one transaction. */
export type RecordedWrite = 'putOnce' | 'close' | 'amend' | 'step';

/**
 * The holds; `changed` is told of every write, also of one that changed nothing: the attempt before it may have been
 * committed and died before it said so. `record` gets the records of what changed.
 */
export function createHolds(
  db: Db,
  changed: (topic: Topic) => void,
  record: (entry: EvidenceEntry) => void,
): Tables['holds'] {
  async function get(holdId: string): Promise<HoldRow | null> {
    if (!canBeStored(holdId)) return null;
    const [row] = await db.select(holdColumns).from(holds).where(eq(holds.holdId, holdId));
    return row ?? null;
  }

  return {
    ...createHoldLists(db),
    metrics: (sinceMs) => readMetrics(db, sinceMs),
    get,
    async many(holdIds) {
      const ids = holdIds.filter(canBeStored);
      return ids.length === 0 ? [] : db.select(holdColumns).from(holds).where(inArray(holds.holdId, ids));
    },
    async byInterrupt(agent, threadId, interruptIds) {
      return db
        .select(holdColumns)
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
      const inserted = await db
        .insert(holds)
        .values(rows.map(columnsOf))
        .onConflictDoNothing({ target: holds.holdId })
        .returning(holdColumns);
      for (const { holdId } of rows) changed(holdTopic(holdId));
      const ids = rows.map((row) => row.holdId);
      const isNew = new Set(inserted.map(({ holdId }) => holdId));
      for (const row of rows) if (isNew.has(row.holdId)) record(openedEntry(row));
      if (inserted.length === rows.length) return inserted.toSorted((a, b) => a.n - b.n);
      return db.select(holdColumns).from(holds).where(inArray(holds.holdId, ids)).orderBy(asc(holds.n));
    },
    async close(holdId, end, carriedByRun = null) {
      const { status, decision, answerFingerprint, votes, supersededBy, ended } = end;
      const fields = {
        status,
        decision,
        answerFingerprint,
        votes,
        supersededBy,
        ended,
        asking: false,
        outgoing: null,
        nextStep: null,
      };
      const [closed] = await db
        .update(holds)
        .set({ ...fields, ...endColumns(end), ...(carriedByRun === null ? {} : { carriedByRun }), ...touch })
        .where(and(eq(holds.holdId, holdId), eq(holds.status, 'open')))
        .returning(holdColumns);
      changed(holdTopic(holdId));
      if (closed) record(closedEntry(closed));
      return closed ?? get(holdId);
    },
    async amend(holdId, { moved, ...change }) {
      const entry = moved && withSealedWords({ at: moved.at, by: moved.by, to: moved.to, note: moved.note });
      const [amended] = await db
        .update(holds)
        .set({
          ...change,
          ...(entry === undefined ? {} : { moves: withEntry(holds.moves, sql`${entry}::text`, maxMoves) }),
          ...(change.audience === undefined ? {} : asksAfter(change.audience)),
          ...(change.plan === undefined ? {} : { requesters: change.plan.requesters ?? [] }),
          ...touch,
        })
        .where(and(eq(holds.holdId, holdId), eq(holds.status, 'open')))
        .returning({ ...holdColumns, votesBefore: before<Vote[]>(holds.votes, holdId) });
      changed(holdTopic(holdId));
      if (amended) for (const told of amendedEntries(amended, amended.votesBefore, moved)) record(told);
    },
    async touch(holdIds) {
      if (holdIds.length === 0) return;
      await db.update(holds).set(touch).where(inArray(holds.holdId, holdIds));
      for (const holdId of holdIds) changed(holdTopic(holdId));
    },
    async askReassign(holdId, { at, by, note }) {
      if (!canBeStored(holdId)) return null;
      const entry = sql`${withSealedWords({ at, by, note })}::text`;
      // A quote inside a string is escaped in JSON: only a whole name is found.
      const isHere = sql`strpos(${holds.reassignAsks}, ${`"by":${JSON.stringify(by)},`}) > 0`;
      const [asked] = await db
        .update(holds)
        .set({ reassignAsks: withEntry(holds.reassignAsks, entry, maxAsks), ...touch })
        .where(and(eq(holds.holdId, holdId), eq(holds.status, 'open'), sql`not ${isHere}`))
        .returning(holdColumns);
      if (asked) changed(holdTopic(holdId));
      return asked ?? get(holdId);
    },
    async claim(holdId, claim, only) {
      if (!canBeStored(holdId)) return null;
      const by = claim?.by ?? null;
      const [claimed] = await db
        .update(holds)
        .set({ claim, claimedBy: by, ...touch })
        .where(
          and(
            eq(holds.holdId, holdId),
            eq(holds.status, 'open'),
            sql`${holds.claimedBy} is distinct from ${by}::text`,
            only === undefined ? undefined : eq(holds.claimedBy, only),
          ),
        )
        .returning(holdColumns);
      if (claimed) changed(holdTopic(holdId));
      return claimed ?? get(holdId);
    },
    async linkSuperseded(holdId, supersededBy) {
      await db
        .update(holds)
        .set({ supersededBy, ...touch })
        .where(and(eq(holds.holdId, holdId), isNull(holds.supersededBy)));
      changed(holdTopic(holdId));
    },
    async inherit(holdId, fromHoldId) {
      // What a person typed or claimed at the new hold already is not replaced.
      await rowsOf(
        db,
        sql`
          with gone as (
            delete from ${drafts} where hold_id = ${fromHoldId} returning principal, "values", saved_at
          ), moved as (
            insert into ${drafts} (hold_id, principal, "values", saved_at)
            select ${holdId}, principal, "values", saved_at from gone on conflict do nothing
          ), asleep as (
            update ${snoozes} set hold_id = ${holdId} where hold_id = ${fromHoldId}
          )
          update ${holds} heir set
            claim = case when heir.claimed_by is null then source.claim else heir.claim end,
            claimed_by = coalesce(heir.claimed_by, source.claimed_by),
            reassign_asks = case when heir.reassign_asks = '[]' then source.reassign_asks else heir.reassign_asks end,
            updated_at = now(), version = heir.version + 1
          from ${holds} source
          where heir.hold_id = ${holdId} and source.hold_id = ${fromHoldId}
            and (heir.claimed_by is null and source.claimed_by is not null
              or heir.reassign_asks = '[]' and source.reassign_asks <> '[]')`,
      );
      await createComments(db).move(fromHoldId, holdId);
      changed(holdTopic(holdId));
    },
    async step(holdId, { stepsTaken, audience, nextStep, plan, done }) {
      const entry = done === undefined ? null : JSON.stringify({ at: done.at, do: done.do, to: done.to });
      // The same step again, by a later attempt, is in the list already.
      const isNew = sql`${holds.stepsTaken} < ${stepsTaken}::integer`;
      const withStep = sql`case when ${isNew} then ${withEntry(holds.stepsDone, sql`${entry}::text`, maxSteps)} else ${holds.stepsDone} end`;
      const [taken] = await db
        .update(holds)
        .set({
          stepsTaken,
          audience,
          nextStep,
          ...(plan === undefined ? {} : { plan }),
          ...(entry === null ? {} : { stepsDone: withStep }),
          ...(done?.do === 'escalate' ? { isEscalated: true } : {}),
          ...touch,
        })
        .where(and(eq(holds.holdId, holdId), eq(holds.status, 'open')))
        .returning({ ...holdColumns, stepsBefore: before<number>(holds.stepsTaken, holdId) });
      changed(holdTopic(holdId));
      if (taken) record(stepEntry(taken, taken.stepsBefore < stepsTaken ? done : undefined));
    },
    async setCard(holdId, card) {
      await db
        .update(holds)
        .set({ card, ...touch })
        .where(eq(holds.holdId, holdId));
      changed(holdTopic(holdId));
    },
    async setCarrier(holdId, runId) {
      await db
        .update(holds)
        .set({ carriedByRun: runId, ...touch })
        .where(eq(holds.holdId, holdId));
      changed(holdTopic(holdId));
    },
    async ofTask(taskId) {
      return db.select(holdColumns).from(holds).where(eq(holds.taskId, taskId)).orderBy(asc(holds.n));
    },
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
      const newestFirst = await db
        .select(holdColumns)
        .from(holds)
        .where(and(eq(holds.agent, agent), eq(holds.threadId, threadId)))
        .orderBy(desc(holds.openedAt), desc(holds.n))
        .limit(maxOfThread);
      return newestFirst.toReversed();
    },
  };
}
