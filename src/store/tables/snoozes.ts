import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import { canBeStored, type Db } from '../database/database.ts';
import type { Snoozes } from '../ports/snoozes.ts';
import { snoozes } from '../schema.ts';

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
