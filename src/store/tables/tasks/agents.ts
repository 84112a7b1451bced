import { asc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Db } from '../../database/database.ts';
import { agents } from '../../schema.ts';
import type { CardRow } from '../../ports/agent-facts.ts';
import type { Tables } from '../../store.ts';

type AgentRow = typeof agents.$inferSelect;

const cardRows = (rows: AgentRow[]): CardRow[] =>
  rows.flatMap(({ agent, card, seenAt }) => (card === null || seenAt === null ? [] : [{ agent, card, seenAt }]));

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
    async sendsWithout(agent) {
      const [row] = await db.select().from(agents).where(eq(agents.agent, agent));
      return row?.sendsWithout ?? null;
    },
    async markSendsWithout(agent, which) {
      await db
        .insert(agents)
        .values({ agent, showsMessageIds: false, sendsWithout: which })
        .onConflictDoUpdate({
          target: agents.agent,
          set: { sendsWithout: sql`case when ${agents.sendsWithout} = 'all' then 'all' else ${which} end` },
        });
    },
    async saveCard(agent, card) {
      const seenAt = sql`now()`;
      await db
        .insert(agents)
        .values({ agent, showsMessageIds: false, card, seenAt })
        .onConflictDoUpdate({ target: agents.agent, set: { card, seenAt } });
    },
    async getCard(agent) {
      const [row] = cardRows(await db.select().from(agents).where(eq(agents.agent, agent)));
      return row ?? null;
    },
    async listCards() {
      return cardRows(await db.select().from(agents).where(isNotNull(agents.card)).orderBy(asc(agents.agent)));
    },
  };
}
