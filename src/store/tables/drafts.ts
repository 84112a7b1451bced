import { and, eq, sql, type SQL } from 'drizzle-orm';
import { canBeStored, type Db } from '../database/database.ts';
import type { Drafts } from '../ports/drafts.ts';
import { drafts } from '../schema.ts';

const isDraft = (holdId: string, principal: string): SQL | undefined =>
  and(eq(drafts.holdId, holdId), eq(drafts.principal, principal));

/** Unsent answers, one a person and hold. */
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
