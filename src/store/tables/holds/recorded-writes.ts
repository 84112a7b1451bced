// Writes of covered columns, each with its evidence record in the same transaction.
import type { HoldId } from '../../../contract/base/id-types.ts';
import { and, asc, eq, inArray, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { dueAtOf } from '../../../core/policy/ladder.ts';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { LadderPlan } from '../../../contract/configuration/policy.ts';
import type { Outgoing, Vote } from '../../../contract/holds/decision.ts';
import { withEntry } from '../../columns.ts';
import { listParam, type Db } from '../../database/database.ts';
import { insertNew } from '../../database/new-rows.ts';
import { statement } from '../../database/statement.ts';
import { rowHash } from '../../evidence/covered.ts';
import { amendedEntries, closedEntry, openedEntry, stepEntry, type EvidenceEntry } from '../../evidence/record.ts';
import { holdTopic } from '../../feeds/hold-feed.ts';
import type { Topic } from '../../feeds/waiters.ts';
import { holds } from '../../schema.ts';
import { orUnreadable, rowKey, sealFreeText } from '../../sealed-columns.ts';
import { driverValues, sealedFor, sealingOfColumn } from '../../sealed-rows.ts';
import type { HoldRow, Tables } from '../../store.ts';
import { columnsOf, endValues, holdColumns, planColumns, touch } from './hold-columns.ts';
import { Unreadable } from '../../unreadable.ts';
import { readableHold } from './readable-hold.ts';
import { createHoldReads } from './hold-reads.ts';

/** Reached only by reminders that repeat for months. */
const maxSteps = 500;
const maxMoves = 100;

/** Clears what was of the audience before: the reassignment requests, and that no one of it can decide. */
function asksAfter(audience: string[]): { reassignAsks: SQL; noDeciderAt: SQL } {
  const isSame = sql`${holds.audience} = ${listParam(audience, 'text')}`;
  return {
    reassignAsks: sql`case when ${isSame} then ${holds.reassignAsks} else '[]' end`,
    noDeciderAt: sql`case when ${isSame} then ${holds.noDeciderAt} else null end`,
  };
}

const locked = 'locked';

/**
 * The open row as it is before the update that begins with this. Locked, so that a change that commits meanwhile is seen: the
 * update itself would wait for it, but a subselect of it would read what its snapshot has.
 */
function lockedRow(db: Db, holdId: HoldId | Placeholder) {
  const { votes, plan, outgoing, stepsTaken } = holds;
  const row = db
    .select({ holdId: holds.holdId, votes, plan, outgoing, stepsTaken, hash: rowHash.as('row_hash') })
    .from(holds)
    .where(and(eq(holds.holdId, holdId), eq(holds.status, 'open')))
    .for('update');
  return db.$with(locked).as(row);
}

/** The row that was locked; names it by that, so that it is locked first. */
const isLockedRow = eq(holds.holdId, sql`(select hold_id from ${sql.identifier(locked)})`);

/** A column's value in the row that was locked. */
function before<T>(column: PgColumn, holdId: HoldId): SQL<T> {
  const kept = sql<T>`(select ${sql.identifier(column.name)} from ${sql.identifier(locked)})`;
  const sealing = sealingOfColumn(column);
  if (sealing === undefined) return kept.mapWith(column) as SQL<T>;
  return kept.mapWith((given: string) => orUnreadable(() => sealing.open(given, rowKey(holdId)))) as SQL<T>;
}

const hashBefore = sql<string>`(select row_hash from ${sql.identifier(locked)})`;

/** With when it ends by that plan. */
const columnsOfPlan = (
  plan: LadderPlan,
): ReturnType<typeof planColumns> & { expiresAt: string | null; dueAt: string | null } => ({
  ...planColumns(plan),
  expiresAt: plan.expiresAt,
  dueAt: dueAtOf({ expiresAt: plan.expiresAt, plan }),
});

const closing = statement(
  [
    ...(['holdId', 'status', 'decision', 'answerFingerprint', 'votes', 'supersededBy', 'ended'] as const),
    ...(['endedAt', 'endedWhy', 'endedBy', 'edited', 'carriedByRun'] as const),
  ],
  (db, given) => {
    const edited = sql`${given.edited}::text`;
    return db
      .with(lockedRow(db, given.holdId))
      .update(holds)
      .set({
        status: sql`${given.status}`,
        decision: sql`${given.decision}`,
        answerFingerprint: sql`${given.answerFingerprint}`,
        votes: sql`${given.votes}`,
        supersededBy: sql`${given.supersededBy}`,
        ended: sql`${given.ended}`,
        endedAt: sql`coalesce(${given.endedAt}::timestamptz, now())`,
        endedWhy: sql`${given.endedWhy}`,
        endedBy: sql`${given.endedBy}`,
        // Front ends return the arguments also when they were not edited.
        isEdited: sql`${edited} is not null and ${edited} is distinct from ${holds.proposedFingerprint}`,
        carriedByRun: sql`coalesce(${given.carriedByRun}::text, ${holds.carriedByRun})`,
        asking: false,
        outgoing: null,
        nextStep: null,
        ...touch,
      })
      .where(isLockedRow)
      .returning({ ...holdColumns, rowBefore: hashBefore });
  },
);

/** Keeps the proofs of votes that are there no more, and of a decision that waited: rarely, so that it is a write of its own. */
async function keepTakenBack(
  db: Db,
  { holdId, votes }: Pick<HoldRow, 'holdId' | 'votes'>,
  was: { votes: Vote[]; outgoing: Outgoing | null },
  isUndone: boolean,
): Promise<void> {
  const kept = new Set(votes.map(({ proof }) => proof?.mac));
  const gone = was.votes.filter(({ proof }) => !kept.has(proof?.mac));
  const all = [...gone, ...(isUndone && was.outgoing !== null ? [was.outgoing.decision] : [])];
  const macs = all.flatMap(({ proof }) => (proof === undefined ? [] : [proof.mac]));
  if (macs.length === 0) return;
  const takenBack = sql`${holds.takenBack} || ${listParam(macs, 'text')}`;
  await db.update(holds).set({ takenBack }).where(eq(holds.holdId, holdId));
}

const insert = insertNew(holds, holdColumns, holds.holdId);

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
      const inserted = await insert(db, rows.map(columnsOf));
      for (const { holdId } of rows) changed(holdTopic(holdId));
      const ids = rows.map((row) => row.holdId);
      const isNew = new Set(inserted.map(({ holdId }) => holdId));
      for (const row of rows) if (isNew.has(row.holdId)) record(openedEntry(row));
      if (inserted.length === rows.length) return inserted.toSorted((a, b) => a.n - b.n).map(readableHold);
      const stored = await db.select(holdColumns).from(holds).where(inArray(holds.holdId, ids)).orderBy(asc(holds.n));
      return stored.map(readableHold);
    },
    async close(holdId, end, carriedByRun = null) {
      const { status, decision, answerFingerprint, votes, supersededBy, ended } = end;
      const fields = { holdId, status, decision, answerFingerprint, votes, supersededBy, ended };
      const values = { ...driverValues(holds, fields), ...endValues(end), carriedByRun };
      const [written] = await closing(db, values);
      const { rowBefore = null, ...columns } = written ?? {};
      const closed = written && readableHold(columns as HoldRow);
      changed(holdTopic(holdId));
      if (closed) record({ ...closedEntry(closed), rowBefore });
      return closed ?? get(holdId);
    },
    async amend(holdId, { moved, undone, ...change }) {
      const entry =
        moved &&
        sealFreeText(
          {
            at: moved.at,
            by: moved.by,
            ...(moved.from && { from: moved.from }),
            to: moved.to,
            ...(moved.isBack && { isBack: true }),
            note: moved.note,
            credential: moved.credential,
          },
          'holds.moves',
          rowKey(holdId),
        );
      const [amended] = await db
        .with(lockedRow(db, holdId))
        .update(holds)
        .set({
          ...sealedFor(holds, { holdId }, change),
          ...(entry === undefined ? {} : { moves: withEntry(holds.moves, sql`${entry}::text`, maxMoves) }),
          ...(change.audience === undefined ? {} : asksAfter(change.audience)),
          ...(change.plan === undefined ? {} : columnsOfPlan(change.plan)),
          ...touch,
        })
        .where(isLockedRow)
        .returning({
          ...holdColumns,
          votesBefore: before<Vote[]>(holds.votes, holdId),
          planBefore: before<LadderPlan>(holds.plan, holdId),
          outgoingBefore: before<Outgoing | null>(holds.outgoing, holdId),
          rowBefore: hashBefore,
        });
      changed(holdTopic(holdId));
      if (amended === undefined) return;
      const { votesBefore, planBefore, outgoingBefore, rowBefore } = amended;
      // What cannot be read before the change is treated as nothing.
      const was = {
        votes: votesBefore instanceof Unreadable ? [] : votesBefore,
        extensions: planBefore instanceof Unreadable ? [] : planBefore.extensions,
        reapplied: planBefore instanceof Unreadable ? [] : planBefore.reapplied,
        outgoing: outgoingBefore instanceof Unreadable ? null : outgoingBefore,
      };
      const row = readableHold(amended);
      await keepTakenBack(db, row, was, undone !== undefined);
      for (const amendment of amendedEntries(row, was, { moved, undone })) record({ ...amendment, rowBefore });
    },
    async step(holdId, { stepsTaken, audience, nextStep, plan, done }) {
      const entry = done === undefined ? null : JSON.stringify({ at: done.at, do: done.do, to: done.to });
      // A retry of the activity repeats a step that the list contains.
      const isNew = sql`${holds.stepsTaken} < ${stepsTaken}::integer`;
      const withStep = sql`case when ${isNew} then ${withEntry(holds.stepsDone, sql`${entry}::text`, maxSteps)} else ${holds.stepsDone} end`;
      const [taken] = await db
        .with(lockedRow(db, holdId))
        .update(holds)
        .set({
          stepsTaken,
          audience,
          nextStep,
          ...(plan === undefined ? {} : { ...sealedFor(holds, { holdId }, { plan }), ...columnsOfPlan(plan) }),
          ...(entry === null ? {} : { stepsDone: withStep }),
          ...(done?.do === 'escalate' ? { isEscalated: true } : {}),
          ...touch,
        })
        .where(isLockedRow)
        .returning({
          ...holdColumns,
          stepsBefore: before<number>(holds.stepsTaken, holdId),
          rowBefore: hashBefore,
        });
      changed(holdTopic(holdId));
      if (taken === undefined) return;
      const { stepsBefore, rowBefore } = taken;
      record({ ...stepEntry(readableHold(taken), stepsBefore < stepsTaken ? done : undefined), rowBefore });
    },
  };
}
