import type { HoldId } from '../../../contract/base/id-types.ts';
import { asc, eq, and, sql, type SQL, gt, inArray, lte } from 'drizzle-orm';
import { maxComments } from '../../../contract/holds/hold.ts';
import { canBeStored, rowsOf, type Db } from '../../database/database.ts';
import type { Comments, Drafts, Snoozes } from '../../ports/hold-notes.ts';
import { comments, drafts, snoozes } from '../../schema.ts';
import { columnsToRead, sealedRow } from '../../sealed-rows.ts';

export function createComments(db: Db): Comments {
  return {
    async add(comment) {
      // Its key must be known before its text can be encrypted for it.
      const [next] = await rowsOf(db, sql`select nextval(pg_get_serial_sequence('comments', 'comment_id')) as id`);
      const [row] = await db
        .insert(comments)
        .overridingSystemValue()
        .values(sealedRow(comments, { ...comment, commentId: Number(next?.['id']) }))
        .returning(columnsToRead(comments));
      if (!row) throw new Error('a comment was not written');
      return row;
    },
    async ofHold(holdId) {
      if (!canBeStored(holdId)) return [];
      return db
        .select(columnsToRead(comments))
        .from(comments)
        .where(eq(comments.holdId, holdId))
        .orderBy(asc(comments.commentId))
        .limit(maxComments);
    },
    async move(fromHoldId, toHoldId) {
      await db.update(comments).set({ holdId: toHoldId }).where(eq(comments.holdId, fromHoldId));
    },
  };
}

const isDraft = (holdId: HoldId, principal: string): SQL | undefined =>
  and(eq(drafts.holdId, holdId), eq(drafts.principal, principal));

export function createDrafts(db: Db): Drafts {
  return {
    async get(holdId, principal) {
      if (!canBeStored(holdId)) return null;
      const [row] = await db.select(columnsToRead(drafts)).from(drafts).where(isDraft(holdId, principal));
      return row ?? null;
    },
    async put({ holdId, principal, values }) {
      const savedAt = sql`clock_timestamp()`;
      const row = sealedRow(drafts, { holdId, principal, values, savedAt });
      const [kept] = await db
        .insert(drafts)
        .values(row)
        .onConflictDoUpdate({ target: [drafts.holdId, drafts.principal], set: { values: row.values, savedAt } })
        .returning(columnsToRead(drafts));
      if (!kept) throw new Error('a draft was not written');
      return kept;
    },
    async remove(holdId, principal, savedBefore) {
      if (!canBeStored(holdId)) return;
      const isOld = savedBefore === undefined ? undefined : lte(drafts.savedAt, savedBefore);
      await db.delete(drafts).where(and(isDraft(holdId, principal), isOld));
    },
  };
}

export function createSnoozes(db: Db): Snoozes {
  return {
    async put(snooze) {
      const { holdId, principal, until } = snooze;
      await db
        .insert(snoozes)
        .values({ holdId, principal, until })
        .onConflictDoUpdate({ target: [snoozes.holdId, snoozes.principal], set: { until } });
    },
    async remove(holdId, principal) {
      await db.delete(snoozes).where(and(eq(snoozes.holdId, holdId), eq(snoozes.principal, principal)));
    },
    async of(principal, holdIds) {
      const ids = holdIds.filter(canBeStored);
      if (ids.length === 0) return new Map();
      const rows = await db
        .select()
        .from(snoozes)
        .where(
          and(
            eq(snoozes.principal, principal),
            inArray(snoozes.holdId, ids),
            gt(snoozes.until, sql`clock_timestamp()`),
          ),
        );
      return new Map(rows.map(({ holdId, until }) => [holdId, until]));
    },
    async takeDue() {
      const due = await db
        .delete(snoozes)
        .where(lte(snoozes.until, sql`clock_timestamp()`))
        .returning({ holdId: snoozes.holdId });
      return [...new Set(due.map(({ holdId }) => holdId))];
    },
  };
}
