import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { withEntry } from '../../columns.ts';
import { canBeStored, type Db } from '../../database/database.ts';
import type { EvidenceEntry } from '../../evidence/record.ts';
import { holdTopic } from '../../feeds/hold-feed.ts';
import type { Topic } from '../../feeds/waiters.ts';
import { holds } from '../../schema.ts';
import { rowKey, sealFreeText } from '../../sealed-columns.ts';
import { sealedFor } from '../../sealed-rows.ts';
import type { Tables } from '../../store.ts';
import { holdColumns, touch } from './hold-columns.ts';
import { createHoldLists } from './hold-list.ts';
import { createHoldReads } from './hold-reads.ts';
import { createInheritance } from './inherit.ts';
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
    ...createInheritance(db, changed),
    async touch(holdIds) {
      if (holdIds.length === 0) return;
      await db.update(holds).set(touch).where(inArray(holds.holdId, holdIds));
      for (const holdId of holdIds) changed(holdTopic(holdId));
    },
    async askReassign(holdId, { at, by, note }) {
      if (!canBeStored(holdId)) return null;
      const entry = sql`${sealFreeText({ at, by, note }, 'holds.reassign_asks', rowKey(holdId))}::text`;
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
    async markUndecidable(holdIds, isSo) {
      if (holdIds.length === 0) return [];
      const isOther = isSo ? isNull(holds.noDeciderAt) : isNotNull(holds.noDeciderAt);
      const marked = await db
        .update(holds)
        .set({ noDeciderAt: isSo ? sql`now()` : null, ...touch })
        .where(and(inArray(holds.holdId, holdIds), eq(holds.status, 'open'), isOther))
        .returning({ holdId: holds.holdId });
      for (const { holdId } of marked) changed(holdTopic(holdId));
      return marked.map(({ holdId }) => holdId);
    },
    async linkSuperseded(holdId, supersededBy) {
      await db
        .update(holds)
        .set({ supersededBy, ...touch })
        .where(and(eq(holds.holdId, holdId), isNull(holds.supersededBy)));
      changed(holdTopic(holdId));
    },
    async setCard(holdId, card) {
      await db
        .update(holds)
        .set({ ...sealedFor(holds, { holdId }, { card }), ...touch })
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
