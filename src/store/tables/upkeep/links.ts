import { and, eq, isNull, sql } from 'drizzle-orm';
import { canBeStored, type Db } from '../../database/database.ts';
import type { Links } from '../../ports/access.ts';
import { links } from '../../schema.ts';

/** The links table; its rows do not suffice to open a link, since the signing key is stored elsewhere. */
export function createLinks(db: Db): Links {
  const get: Links['get'] = async (hash) => {
    if (!canBeStored(hash)) return null;
    const [row] = await db.select().from(links).where(eq(links.hash, hash));
    return row ?? null;
  };
  const now = sql`clock_timestamp()`;
  return {
    get,
    async issue(link) {
      await db.insert(links).values(link).onConflictDoNothing();
      const row = await get(link.hash);
      if (row === null) throw new Error('a link was not written');
      return row;
    },
    async use(hash) {
      const isFree = and(eq(links.hash, hash), isNull(links.usedAt), isNull(links.revokedAt));
      return (await db.update(links).set({ usedAt: now }).where(isFree).returning()).length > 0;
    },
    async release(hash) {
      await db.update(links).set({ usedAt: null }).where(eq(links.hash, hash));
    },
    async revoke(holdId, user) {
      if (!canBeStored(holdId) || !canBeStored(user ?? '')) return 0;
      const ofUser = user === null ? undefined : eq(links.user, user);
      const isOpen = and(eq(links.holdId, holdId), ofUser, isNull(links.usedAt), isNull(links.revokedAt));
      return (await db.update(links).set({ revokedAt: now }).where(isOpen).returning()).length;
    },
  };
}
