import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { sendIntents } from './schema.ts';
import type { SendIntent, Tables } from './store.ts';

// clock_timestamp, not now: in a transaction that waited, now() lies in the past.
const columns = {
  messageId: sendIntents.messageId,
  taskId: sendIntents.taskId,
  attempt: sendIntents.attempt,
  sendUntil: sendIntents.sendUntil,
  deliveredAt: sendIntents.deliveredAt,
  msLeft: sql`extract(epoch from ${sendIntents.sendUntil} - clock_timestamp()) * 1000`.mapWith((ms) =>
    Math.ceil(Number(ms)),
  ),
};

/** Intents to send; one that is delivered never changes again, whatever a late attempt believes. */
export function createIntents(db: Db): Tables['intents'] {
  async function get(messageId: string): Promise<SendIntent | null> {
    const [row] = await db.select(columns).from(sendIntents).where(eq(sendIntents.messageId, messageId));
    return row ?? null;
  }

  return {
    get,
    async put({ messageId, taskId, attempt, sendForMs }) {
      const sendUntil = sql`clock_timestamp() + ${sendForMs}::double precision * interval '1 millisecond'`;
      const [written] = await db
        .insert(sendIntents)
        .values({ messageId, taskId, attempt, sendUntil })
        .onConflictDoUpdate({
          target: sendIntents.messageId,
          set: { taskId, attempt, sendUntil },
          setWhere: isNull(sendIntents.deliveredAt),
        })
        .returning(columns);
      const row = written ?? (await get(messageId));
      if (!row) throw new Error(`intent ${messageId} vanished while it was put`);
      return row;
    },
    async settle(messageId, result) {
      const undelivered = and(eq(sendIntents.messageId, messageId), isNull(sendIntents.deliveredAt));
      if (result === 'void') await db.delete(sendIntents).where(undelivered);
      else
        await db
          .update(sendIntents)
          .set({ deliveredAt: sql`clock_timestamp()` })
          .where(undelivered);
    },
  };
}
