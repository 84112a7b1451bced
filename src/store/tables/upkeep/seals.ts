import { eq } from 'drizzle-orm';
import { canBeStored, type Db } from '../../database/database.ts';
import { seals } from '../../schema.ts';
import type { Tables } from '../../store.ts';

export function createSeals(db: Db): Tables['seals'] {
  return {
    async put(seal) {
      await db.insert(seals).values(seal).onConflictDoNothing();
    },
    async get(sealId) {
      if (!canBeStored(sealId)) return null;
      const [row] = await db.select({ box: seals.box }).from(seals).where(eq(seals.sealId, sealId));
      return row?.box ?? null;
    },
    async destroy(holdId) {
      await db.delete(seals).where(eq(seals.holdId, holdId));
    },
  };
}
