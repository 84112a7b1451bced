// Writes of covered columns, each with its evidence record in the same transaction.
import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Vote } from '../../../contract/holds/decision.ts';
import { withEntry } from '../../columns.ts';
import { listParam, type Db } from '../../database/database.ts';
import { amendedEntries, closedEntry, openedEntry, stepEntry, type EvidenceEntry } from '../../evidence/record.ts';
import { holdTopic } from '../../feeds/hold-feed.ts';
import type { Topic } from '../../feeds/waiters.ts';
import { holds } from '../../schema.ts';
import { sealFreeText } from '../../sealed-columns.ts';
import type { Tables } from '../../store.ts';
import { columnsOf, endColumns, holdColumns, touch } from './hold-columns.ts';
import { createHoldReads } from './hold-reads.ts';

/** Reached only by reminders that repeat for months. */
const maxSteps = 500;
const maxMoves = 100;

/** Clears the reassignment requests if the audience changes. */
const asksAfter = (audience: string[]): { reassignAsks: SQL } => ({
  reassignAsks: sql`case when ${holds.audience} = ${listParam(audience, 'text')} then ${holds.reassignAsks} else '[]' end`,
});

/** A column's value before the update that returns it, since a subselect sees the statement's snapshot. */
const before = <T>(column: PgColumn, holdId: string): SQL<T> =>
  sql<T>`(select old.${sql.identifier(column.name)} from ${holds} old where old.hold_id = ${holdId})`.mapWith(
    column,
  ) as SQL<T>;

export type RecordedWrite = 'putOnce' | 'close' | 'amend' | 'step';

export function createRecordedWrites(
  db: Db,
  changed: (topic: Topic) => void,
  record: (entry: EvidenceEntry) => void,
): Pick<Tables['holds'], RecordedWrite> {
  const { get } = createHoldReads(db);

  return {
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
      const entry =
        moved &&
        sealFreeText({ at: moved.at, by: moved.by, to: moved.to, note: moved.note, credential: moved.credential });
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
      if (amended) for (const amendment of amendedEntries(amended, amended.votesBefore, moved)) record(amendment);
    },
    async step(holdId, { stepsTaken, audience, nextStep, plan, done }) {
      const entry = done === undefined ? null : JSON.stringify({ at: done.at, do: done.do, to: done.to });
      // A retry of the activity repeats a step that the list contains.
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
  };
}
