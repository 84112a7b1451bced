import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { canBeStored, type Db } from '../../database/database.ts';
import { handWritten, statement } from '../../database/statement.ts';
import { runs, sendIntents } from '../../schema.ts';
import type { SendIntent } from '../../ports/intents.ts';
import { FencedError, type Tables } from '../../store.ts';

// clock_timestamp(), since now() is the start of the transaction.
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

/** `for share` serialises with a later claim, which finds this intent unless this statement finds its fence. */
const begin = statement(['messageId', 'taskId', 'attempt', 'sendForMs', 'logId', 'fence'], (db, given) =>
  handWritten(
    db,
    sql`
      with own as (
        select from ${runs}
        where log_id = ${given.logId}::bigint and fence = ${given.fence}::bigint and status = 'open' for share
      ), written as (
        insert into ${sendIntents} (message_id, task_id, attempt, send_until)
        select ${given.messageId}, ${given.taskId}, ${given.attempt}::integer,
               clock_timestamp() + ${given.sendForMs}::double precision * interval '1 millisecond'
        from own on conflict do nothing
        returning send_until
      )
      select exists (select from own) as is_own, (select send_until from written) as send_until`,
  ),
);

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
          setWhere: sql`${sendIntents.deliveredAt} is null and ${sendIntents.attempt} <= ${attempt}`,
        })
        .returning(columns);
      const row = written ?? (await get(messageId));
      if (!row) throw new Error(`intent ${messageId} vanished while it was put`);
      return row;
    },
    async begin({ messageId, taskId, attempt, sendForMs }, fence) {
      const [row] = await begin(db, { messageId, taskId, attempt, sendForMs, logId: fence.logId, fence: fence.fence });
      if (row?.['is_own'] !== true) throw new FencedError(`a later writer has log ${fence.logId}`);
      if (row['send_until'] === null) return null;
      const sendUntil = new Date(String(row['send_until'])).toISOString();
      return { messageId, taskId, attempt, sendUntil, deliveredAt: null, msLeft: sendForMs };
    },
    async extend({ messageId, attempt, sendForMs }) {
      const extended = await db
        .update(sendIntents)
        .set({ sendUntil: sql`clock_timestamp() + ${sendForMs}::double precision * interval '1 millisecond'` })
        .where(
          and(
            eq(sendIntents.messageId, messageId),
            eq(sendIntents.attempt, attempt),
            isNull(sendIntents.deliveredAt),
            // After expiry another attempt may have begun to probe the agent.
            sql`${sendIntents.sendUntil} > clock_timestamp()`,
          ),
        )
        .returning({ messageId: sendIntents.messageId });
      return extended.length > 0;
    },
    async delivered(messageId) {
      await db
        .update(sendIntents)
        .set({ deliveredAt: sql`clock_timestamp()` })
        .where(and(eq(sendIntents.messageId, messageId), isNull(sendIntents.deliveredAt)));
    },
    async forget(messageId, attempt) {
      const own = and(eq(sendIntents.messageId, messageId), eq(sendIntents.attempt, attempt));
      await db.delete(sendIntents).where(and(own, isNull(sendIntents.deliveredAt)));
    },
    async senders(messageIds) {
      const asked = messageIds.filter(canBeStored);
      if (asked.length === 0) return new Map();
      const { messageId, taskId } = sendIntents;
      const rows = await db.select({ messageId, taskId }).from(sendIntents).where(inArray(messageId, asked));
      return new Map(rows.map((row) => [row.messageId, row.taskId]));
    },
  };
}
