import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import type { GrantRow, GrantUsed } from '../../../contract/base/grant.ts';
import { grantedEntry, grantEndedEntry, type EvidenceEntry } from '../../evidence/record.ts';
import { canBeStored, type Db } from '../../database/database.ts';
import { grants, grantUses } from '../../personal-schema.ts';
import type { Grants } from '../../ports/grants.ts';
import { columnsToRead, sealedRow } from '../../sealed-rows.ts';

/** More than an installation has. */
const maxListed = 500;

const rowOf = ({ id, holdId, terms, given, ended, createdAt }: typeof grants.$inferSelect): GrantRow => ({
  id,
  hold: holdId,
  terms,
  given,
  ended,
  createdAt,
});

/** `note`: the evidence of who gave and who ended one, in the transaction of its change. */
export function createGrants(db: Db, note: (entry: EvidenceEntry) => void): Grants {
  const columns = columnsToRead(grants);

  async function get(id: string): Promise<GrantRow | null> {
    if (!canBeStored(id)) return null;
    const [row] = await db.select(columns).from(grants).where(eq(grants.id, id));
    return row === undefined ? null : rowOf(row);
  }

  async function used(id: string, on: Db = db): Promise<GrantUsed> {
    const [row] = await on
      .select({
        times: sql`count(*) filter (where not ${grantUses.isAsked})`.mapWith(Number),
        sum: sql`coalesce(sum(${grantUses.amount}) filter (where not ${grantUses.isAsked}), 0)`.mapWith(Number),
        seen: sql`count(*)`.mapWith(Number),
      })
      .from(grantUses)
      .where(eq(grantUses.grantId, id));
    return row ?? { times: 0, sum: 0, seen: 0 };
  }

  return {
    get,
    used: (id) => used(id),
    async put({ id, hold, terms, given }) {
      const { agent, tool } = terms;
      const written = await db
        .insert(grants)
        .values(sealedRow(grants, { id, agent, tool, holdId: hold, terms, given }))
        .onConflictDoNothing()
        .returning({ id: grants.id });
      if (written.length > 0) for (const one of given) note(grantedEntry({ id, hold, terms }, one));
      const row = await get(id);
      if (row === null) throw new Error('a grant was not written');
      return row;
    },
    async list() {
      const rows = await db.select(columns).from(grants).orderBy(desc(grants.createdAt)).limit(maxListed);
      return Promise.all(rows.map(async (row) => ({ grant: rowOf(row), used: await used(row.id) })));
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
    use: (id, holdId, judge) =>
      db.transaction(async (tx) => {
        // Locked, so that no two calls take what is left of it, and none passes an end of it.
        const [row] = await tx.select(columns).from(grants).where(eq(grants.id, id)).for('update');
        if (row === undefined || row.ended !== null) return null;
        const [known] = await tx
          .select()
          .from(grantUses)
          .where(and(eq(grantUses.grantId, id), eq(grantUses.holdId, holdId)));
        if (known !== undefined) return { isAsked: known.isAsked, amount: known.amount };
        const use = judge(rowOf(row), await used(id, tx));
        if (use !== null) await tx.insert(grantUses).values({ grantId: id, holdId, ...use });
        return use;
      }),
    async unuse(holdId) {
      await db.delete(grantUses).where(and(eq(grantUses.holdId, holdId), eq(grantUses.isAsked, false)));
    },
    async end(id, ended) {
      const written = await db
        .update(grants)
        .set({ ended })
        .where(and(eq(grants.id, id), isNull(grants.ended)))
        .returning({ id: grants.id });
      if (written.length > 0) note(grantEndedEntry(id, ended));
      return get(id);
    },
  };
}
