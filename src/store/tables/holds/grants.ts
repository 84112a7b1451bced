import { and, asc, desc, eq, isNull, type SQL } from 'drizzle-orm';
import type { GrantRow, GrantUsed } from '../../../contract/base/grant.ts';
import type { HoldId } from '../../../contract/base/id-types.ts';
import { counted, countsOf, isStanding, unused, withOneOwed } from '../../../core/consent/grants.ts';
import { isProvedRow, type RowMacs, rowMac } from '../../../core/base/proved-row.ts';
import { grantedEntry, grantEndedEntry, type EvidenceEntry } from '../../evidence/record.ts';
import { canBeStored, type Db } from '../../database/database.ts';
import { grants, grantUses } from '../../personal-schema.ts';
import type { Grants } from '../../ports/grants.ts';
import { columnsToRead, sealedRow } from '../../sealed-rows.ts';

/** More than an installation has. */
const maxListed = 500;

const rowOf = ({ agent: _agent, tool: _tool, holdId: hold, ...row }: typeof grants.$inferSelect): GrantRow => ({
  ...row,
  hold,
});

const isUse = (id: string, holdId: HoldId): SQL | undefined =>
  and(eq(grantUses.grantId, id), eq(grantUses.holdId, holdId));

interface Uncounted {
  id: string;
  holdId: HoldId;
  isAsked: boolean;
}

/** A call that was counted is not any more, where it was; `then`: what the grant has come to. In a transaction. */
async function uncount(
  tx: Pick<Db, 'select' | 'delete' | 'update'>,
  { id, holdId, isAsked }: Uncounted,
  macs: RowMacs,
  then: (used: GrantUsed, use: { isAsked: boolean; amount: number }) => GrantUsed,
): Promise<void> {
  const [row] = await tx.select(columnsToRead(grants)).from(grants).where(eq(grants.id, id)).for('update');
  if (row === undefined || !isStanding(macs, row)) return;
  const [use] = await tx
    .delete(grantUses)
    .where(and(isUse(id, holdId), eq(grantUses.isAsked, isAsked)))
    .returning();
  if (use === undefined) return;
  await tx
    .update(grants)
    .set(countsOf(macs, id, then(row.used, use)))
    .where(eq(grants.id, id));
}

/** `note`: the evidence of who gave and who ended one, in the transaction of its change. */
export function createGrants(db: Db, note: (entry: EvidenceEntry) => void): Grants {
  const columns = columnsToRead(grants);

  async function get(id: string): Promise<GrantRow | null> {
    if (!canBeStored(id)) return null;
    const [row] = await db.select(columns).from(grants).where(eq(grants.id, id));
    return row === undefined ? null : rowOf(row);
  }

  return {
    get,
    async put({ id, hold, terms, given }, macs) {
      const { agent, tool } = terms;
      const row = { id, agent, tool, holdId: hold, terms, given, ...countsOf(macs, id, unused) };
      const written = await db
        .insert(grants)
        .values(sealedRow(grants, row))
        .onConflictDoNothing()
        .returning({ id: grants.id });
      if (written.length > 0) for (const one of given) note(grantedEntry({ id, hold, terms }, one));
      const kept = await get(id);
      if (kept === null) throw new Error('a grant was not written');
      return kept;
    },
    async list() {
      const rows = await db.select(columns).from(grants).orderBy(desc(grants.createdAt)).limit(maxListed);
      return rows.map(rowOf);
    },
    async ofCall(agent, tool) {
      const rows = await db
        .select(columns)
        .from(grants)
        .where(and(eq(grants.agent, agent), eq(grants.tool, tool), isNull(grants.ended)))
        .orderBy(asc(grants.createdAt));
      return rows.map(rowOf);
    },
    async give(id, one) {
      const [row] = await db.select(columns).from(grants).where(eq(grants.id, id)).for('update');
      if (row === undefined) return null;
      if (row.given.some(({ by }) => by === one.by)) return rowOf(row);
      const given = [...row.given, one];
      await db.update(grants).set({ given }).where(eq(grants.id, id));
      note(grantedEntry({ id, hold: row.holdId, terms: row.terms }, one));
      return rowOf({ ...row, given });
    },
    use: (id, holdId, macs, judge) =>
      db.transaction(async (tx) => {
        // Locked, so that no two calls take what is left of it, and none passes an end of it.
        const [row] = await tx.select(columns).from(grants).where(eq(grants.id, id)).for('update');
        if (row === undefined || !isStanding(macs, row)) return null;
        const [known] = await tx.select().from(grantUses).where(isUse(id, holdId));
        if (known !== undefined) {
          const { isAsked, amount, mac } = known;
          const isProved = isProvedRow(macs, 'call under a grant', { grant: id, hold: holdId, isAsked, amount }, mac);
          return isProved ? { isAsked, amount } : null;
        }
        const use = judge(rowOf(row));
        if (use === null) return null;
        const mac = rowMac(macs, 'call under a grant', { grant: id, hold: holdId, ...use });
        await tx.insert(grantUses).values({ grantId: id, holdId, ...use, mac });
        await tx
          .update(grants)
          .set(countsOf(macs, id, counted(row.used, use)))
          .where(eq(grants.id, id));
        return use;
      }),
    owe: (id, holdId, macs) => uncount(db, { id, holdId, isAsked: true }, macs, withOneOwed),
    unuse: (id, holdId, macs) =>
      db.transaction((tx) => uncount(tx, { id, holdId, isAsked: false }, macs, (used, use) => counted(used, use, -1))),
    async end(id, ended) {
      const written = await db
        .update(grants)
        .set({ ended, usedMac: null })
        .where(and(eq(grants.id, id), isNull(grants.ended)))
        .returning({ id: grants.id });
      if (written.length > 0) note(grantEndedEntry(id, ended));
      return get(id);
    },
  };
}
