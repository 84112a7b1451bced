import { asc, eq, and, sql, type SQL, gt, inArray, lte } from 'drizzle-orm';
import { maxComments } from '../../../contract/holds/hold.ts';
import { canBeStored, type Db } from '../../database/database.ts';
import type { Comments, Drafts, Snoozes } from '../../ports/hold-notes.ts';
import { comments, drafts, snoozes } from '../../schema.ts';

export function createComments(db: Db): Comments {
  return {
    async add(comment) {
      const [row] = await db.insert(comments).values(comment).returning();
      if (!row) throw new Error('a comment was not written');
      return row;
    },
    async ofHold(holdId) {
      if (!canBeStored(holdId)) return [];
      return db
        .select()
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

const isDraft = (holdId: string, principal: string): SQL | undefined =>
  and(eq(drafts.holdId, holdId), eq(drafts.principal, principal));

export function createDrafts(db: Db): Drafts {
  return {
    async get(holdId, principal) {
      if (!canBeStored(holdId)) return null;
      const [row] = await db.select().from(drafts).where(isDraft(holdId, principal));
      return row ?? null;
    },
    async put({ holdId, principal, values }) {
      const savedAt = sql`clock_timestamp()`;
      const [row] = await db
        .insert(drafts)
        .values({ holdId, principal, values, savedAt })
        .onConflictDoUpdate({ target: [drafts.holdId, drafts.principal], set: { values, savedAt } })
        .returning();
      if (!row) throw new Error('a draft was not written');
      return row;
    },
    async remove(holdId, principal) {
      if (canBeStored(holdId)) await db.delete(drafts).where(isDraft(holdId, principal));
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
