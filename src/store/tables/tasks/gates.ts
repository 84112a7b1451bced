// Tools behind gates as they were approved and are listed, and the calls that gates hold.
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../database/database.ts';
import { gateCalls, gateTools } from '../../gate-schema.ts';
import { columnsToRead, sealedFor } from '../../sealed-rows.ts';
import type { Tables } from '../../store.ts';

const now = sql`clock_timestamp()`;

export function createGateTools(db: Db): Tables['gateTools'] {
  const of: Tables['gateTools']['of'] = (gate) =>
    db.select().from(gateTools).where(eq(gateTools.gate, gate)).orderBy(asc(gateTools.tool));
  return {
    of,
    async list(gate, listed, approvalOf) {
      const known = await of(gate);
      const firstOf = known.length === 0 ? approvalOf : null;
      const changed = listed.filter(
        ({ tool, digest }) => known.find((row) => row.tool === tool)?.listedDigest !== digest,
      );
      if (changed.length === 0) return known;
      for (const one of changed) {
        const { tool, digest: listedDigest, definition } = one;
        const approved = { approvedDigest: listedDigest, approved: definition, approvedAt: now };
        const first = firstOf === null ? {} : { ...approved, approvedMac: firstOf(one) };
        await db
          .insert(gateTools)
          .values({ gate, tool, listedDigest, listed: definition, ...first })
          .onConflictDoUpdate({
            target: [gateTools.gate, gateTools.tool],
            set: { listedDigest, listed: definition, listedAt: now },
          });
      }
      return of(gate);
    },
    async approve(gate, tool, digest, { by: approvedBy, mac: approvedMac }) {
      const shown = and(eq(gateTools.gate, gate), eq(gateTools.tool, tool), eq(gateTools.listedDigest, digest));
      const approved = sql`${gateTools.listed}`;
      const [row] = await db
        .update(gateTools)
        .set({ approvedDigest: digest, approved, approvedBy, approvedMac, approvedAt: now })
        .where(shown)
        .returning();
      return row ?? null;
    },
  };
}

export function createGateCalls(db: Db): Tables['gateCalls'] {
  const columns = columnsToRead(gateCalls);
  const get: Tables['gateCalls']['get'] = async (callId) => {
    const [row] = await db.select(columns).from(gateCalls).where(eq(gateCalls.callId, callId));
    return row ?? null;
  };
  return {
    get,
    async hold(call) {
      const [written] = await db
        .insert(gateCalls)
        .values(call)
        .onConflictDoNothing()
        .returning({ id: gateCalls.callId });
      const waiting = and(
        eq(gateCalls.owner, call.owner),
        eq(gateCalls.gate, call.gate),
        eq(gateCalls.fingerprint, call.fingerprint),
        isNull(gateCalls.takenAt),
      );
      const [found] =
        written === undefined ? await db.select(columns).from(gateCalls).where(waiting) : [await get(call.callId)];
      if (found === undefined || found === null) throw new Error(`the call ${call.callId} vanished while it was kept`);
      return found;
    },
    async finish(callId, { outcome, mac: outcomeMac }, before) {
      const isBefore = before === null ? isNull(gateCalls.outcomeMac) : eq(gateCalls.outcomeMac, before);
      await db
        .update(gateCalls)
        .set({ ...sealedFor(gateCalls, { callId }, { outcome }), outcomeMac })
        .where(and(eq(gateCalls.callId, callId), isBefore));
    },
    async take(callId) {
      await db
        .update(gateCalls)
        .set({ takenAt: now })
        .where(and(eq(gateCalls.callId, callId), isNull(gateCalls.takenAt)));
    },
  };
}
