import { eq } from 'drizzle-orm';
import type { Db } from './database.ts';
import { agents } from './schema.ts';
import type { Tables } from './store.ts';

export function createAgents(db: Db): Tables['agents'] {
  return {
    async showsMessageIds(agent) {
      const [row] = await db.select().from(agents).where(eq(agents.agent, agent));
      return row?.showsMessageIds ?? false;
    },
    async markShowsMessageIds(agent) {
      await db
        .insert(agents)
        .values({ agent, showsMessageIds: true })
        .onConflictDoUpdate({ target: agents.agent, set: { showsMessageIds: true } });
    },
  };
}
