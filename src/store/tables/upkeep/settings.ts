import { eq } from 'drizzle-orm';
import type { Db } from '../../database/database.ts';
import { settings } from '../../schema.ts';
import type { Tables } from '../../store.ts';

export function createSettings(db: Db): Tables['settings'] {
  async function get(name: string): Promise<string | null> {
    const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, name));
    return row?.value ?? null;
  }

  return {
    get,
    async putOnce(name, value) {
      // Waits for whoever writes the same name, so that the second look finds it.
      const [written] = await db.insert(settings).values({ name, value }).onConflictDoNothing().returning();
      const stored = written?.value ?? (await get(name));
      if (stored === null) throw new Error(`fact ${name} vanished while it was put`);
      return stored;
    },
  };
}
