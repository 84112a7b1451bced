import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { withEntry } from '../../columns.ts';
import { canBeStored, rowsOf, type Db } from '../../database/database.ts';
import type { EvidenceEntry } from '../../evidence/record.ts';
import { holdTopic } from '../../feeds/hold-feed.ts';
import type { Topic } from '../../feeds/waiters.ts';
import { drafts, holds, snoozes } from '../../schema.ts';
import { sealFreeText } from '../../sealed-columns.ts';
import type { Tables } from '../../store.ts';
import { holdColumns, touch } from './hold-columns.ts';
import { createHoldLists } from './hold-list.ts';
import { createComments } from './hold-notes.ts';
import { createHoldReads } from './hold-reads.ts';
import { readableHold } from './readable-hold.ts';
import { createRecordedWrites } from './recorded-writes.ts';

/** Beyond this number of reassignment requests the oldest are dropped. */
const maxAsks = 20;
/** Weeks of a nudge an hour. */
const maxNudges = 500;

/**
 * The holds table; `record` is called with the evidence of each change. Recorded writes call `changed` even if they
 * changed nothing, since an attempt before may have committed and crashed before it did.
 */
export function createHolds(
  db: Db,
  changed: (topic: Topic) => void,
  record: (entry: EvidenceEntry) => void,
): Tables['holds'] {
  const reads = createHoldReads(db);
  const { get } = reads;

  return {
    ...reads,
    ...createHoldLists(db),
    ...createRecordedWrites(db, changed, record),
    async touch(holdIds) {
      if (holdIds.length === 0) return;
      await db.update(holds).set(touch).where(inArray(holds.holdId, holdIds));
      for (const holdId of holdIds) changed(holdTopic(holdId));
    },
    async askReassign(holdId, { at, by, note }) {
      if (!canBeStored(holdId)) return null;
      const entry = sql`${sealFreeText({ at, by, note }, 'holds.reassign_asks')}::text`;
      // JSON escapes quotes inside strings, so this matches a whole name only.
      const isHere = sql`strpos(${holds.reassignAsks}, ${`"by":${JSON.stringify(by)},`}) > 0`;
      const [asked] = await db
        .update(holds)
        .set({ reassignAsks: withEntry(holds.reassignAsks, entry, maxAsks), ...touch })
        .where(and(eq(holds.holdId, holdId), eq(holds.status, 'open'), sql`not ${isHere}`))
        .returning(holdColumns);
      if (asked) changed(holdTopic(holdId));
      return asked === undefined ? get(holdId) : readableHold(asked);
    },
    async nudge(holdId, k, { at, by }) {
      if (!canBeStored(holdId)) return null;
      const [nudged] = await db
        .update(holds)
        .set({ nudges: withEntry(holds.nudges, sql`${JSON.stringify({ at, by })}::text`, maxNudges), ...touch })
        .where(
          and(
            eq(holds.holdId, holdId),
            eq(holds.status, 'open'),
            sql`json_array_length(${holds.nudges}::json) = ${k}::integer`,
          ),
        )
        .returning(holdColumns);
      if (nudged) changed(holdTopic(holdId));
      return nudged === undefined ? get(holdId) : readableHold(nudged);
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
      return claimed === undefined ? get(holdId) : readableHold(claimed);
    },
    async linkSuperseded(holdId, supersededBy) {
      await db
        .update(holds)
        .set({ supersededBy, ...touch })
        .where(and(eq(holds.holdId, holdId), isNull(holds.supersededBy)));
      changed(holdTopic(holdId));
    },
    async inherit(holdId, fromHoldId) {
      // Drafts and claims made at the new hold are not replaced.
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
            nudges = case when heir.nudges = '[]' then source.nudges else heir.nudges end,
            updated_at = now(), version = heir.version + 1
          from ${holds} source
          where heir.hold_id = ${holdId} and source.hold_id = ${fromHoldId}
            and (heir.claimed_by is null and source.claimed_by is not null
              or heir.reassign_asks = '[]' and source.reassign_asks <> '[]'
              or heir.nudges = '[]' and source.nudges <> '[]')`,
      );
      await createComments(db).move(fromHoldId, holdId);
      changed(holdTopic(holdId));
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
  };
}
