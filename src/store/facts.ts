import { eq } from 'drizzle-orm';
import type { Db } from './database.ts';
import { facts } from './schema.ts';
import type { Tables } from './store.ts';

export function createFacts(db: Db): Tables['facts'] {
  async function get(name: string): Promise<string | null> {
    const [row] = await db.select({ value: facts.value }).from(facts).where(eq(facts.name, name));
    return row?.value ?? null;
  }

  return {
    get,
    async putOnce(name, value) {
      // Waits for whoever writes the same name, so that the second look finds it.
      const [written] = await db.insert(facts).values({ name, value }).onConflictDoNothing().returning();
      const stored = written?.value ?? (await get(name));
      if (stored === null) throw new Error(`fact ${name} vanished while it was put`);
      return stored;
    },
  };
}
