import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../database/database.ts';
import type { Deliveries, DeliveryKey } from '../../ports/deliveries.ts';
import { waitsForDigest } from '../../columns.ts';
import { deliveries } from '../../schema.ts';

/** More than anybody reads in one list; the rest is listed by the next one. */
const maxOnDigest = 500;

const isKey = ({ holdId, channel, recipient, message }: DeliveryKey): ReturnType<typeof and> =>
  and(
    eq(deliveries.holdId, holdId),
    eq(deliveries.channel, channel),
    eq(deliveries.recipient, recipient),
    eq(deliveries.message, message),
  );

export function createDeliveries(db: Db): Deliveries {
  const get: Deliveries['get'] = async (key) => {
    const [row] = await db.select().from(deliveries).where(isKey(key));
    return row ?? null;
  };
  return {
    get,
    async begin(key, handle = null) {
      // The insert waits for a concurrent one of the same key, so the read after it finds that row.
      const { holdId, channel, recipient, message } = key;
      const row = { holdId, channel, recipient, message, state: 'sending' as const, handle };
      const [written] = await db.insert(deliveries).values(row).onConflictDoNothing().returning();
      const stored = written ?? (await get(key));
      if (stored === null) throw new Error('a delivery was deleted while it was begun');
      return { ...stored, isNew: written !== undefined };
    },
    async sent(key, handle = null) {
      const isNamed = handle === null ? undefined : isNull(deliveries.handle);
      if (handle !== null)
        await db
          .update(deliveries)
          .set({ handle })
          .where(and(isKey(key), isNamed));
      const isSending = eq(deliveries.state, 'sending');
      await db
        .update(deliveries)
        .set({ state: 'sent' })
        .where(and(isKey(key), isSending));
      return (await get(key))?.handle ?? null;
    },
    async ended(key) {
      await db.update(deliveries).set({ state: 'ended' }).where(isKey(key));
    },
    async onDigest(recipient) {
      return db
        .select()
        .from(deliveries)
        .where(and(eq(deliveries.recipient, recipient), waitsForDigest(deliveries)))
        .orderBy(deliveries.begunAt, deliveries.holdId, deliveries.message)
        .limit(maxOnDigest);
    },
    async ofChannel(holdId, channel) {
      const isOf = and(eq(deliveries.holdId, holdId), eq(deliveries.channel, channel));
      return db
        .select()
        .from(deliveries)
        .where(isOf)
        .orderBy(deliveries.begunAt, sql`${deliveries.message}`);
    },
  };
}
