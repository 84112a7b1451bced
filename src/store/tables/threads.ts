import { and, eq, type SQL } from 'drizzle-orm';
import type { Db } from '../database/database.ts';
import { threads } from '../schema.ts';
import type { Tables, ThreadRow } from '../store.ts';

const isThread = (agent: string, threadId: string): SQL | undefined =>
  and(eq(threads.agent, agent), eq(threads.threadId, threadId));

export function createThreads(db: Db): Tables['threads'] {
  async function get(agent: string, threadId: string): Promise<ThreadRow | null> {
    const [row] = await db.select().from(threads).where(isThread(agent, threadId));
    return row ?? null;
  }

  return {
    get,
    async claim(agent, threadId, owner) {
      const [created] = await db
        .insert(threads)
        .values({ agent, threadId, owner, state: {}, messages: [] })
        .onConflictDoNothing()
        .returning();
      const row = created ?? (await get(agent, threadId));
      if (!row) throw new Error(`thread ${threadId} vanished while it was claimed`);
      return row;
    },
    async bindContext(agent, threadId, contextId) {
      await db.update(threads).set({ contextId }).where(isThread(agent, threadId));
    },
    async saveSnapshot(agent, threadId, state, messages) {
      await db.update(threads).set({ state, messages }).where(isThread(agent, threadId));
    },
  };
}
