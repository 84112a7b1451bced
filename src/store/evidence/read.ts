import type { HoldId } from '../../contract/base/id-types.ts';
import { and, asc, eq, gt, gte, lte, max, min, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../database/database.ts';
import type { EvidenceRange } from '../ports/evidence.ts';
import { evidence, holds } from '../schema.ts';
import { firstHash, type StoredRecord } from './chain.ts';
import { coveredNames, coveredValues, rowHash } from './covered.ts';

const pageRecords = 2_000;
const pageHolds = 500;

/** Returns the first and last `seq` of a time range; null if it has no records. */
export async function boundsOf(
  db: Db,
  { from, to }: EvidenceRange,
): Promise<{ first: number; last: number; firstAt: string } | null> {
  const [found] = await db
    .select({ first: min(evidence.seq), last: max(evidence.seq), firstAt: min(evidence.at) })
    .from(evidence)
    .where(
      and(from === undefined ? undefined : gte(evidence.at, from), to === undefined ? undefined : lte(evidence.at, to)),
    );
  const { first, last, firstAt } = found ?? { first: null, last: null, firstAt: null };
  return first === null || last === null || firstAt === null ? null : { first, last, firstAt };
}

export async function* recordsFrom(
  db: Db,
  first: number,
  last: number,
  only?: SQL,
): AsyncGenerator<StoredRecord, void> {
  for (let next = first; next <= last;) {
    const rows = await db
      .select()
      .from(evidence)
      .where(and(gte(evidence.seq, next), lte(evidence.seq, last), only))
      .orderBy(asc(evidence.seq))
      .limit(pageRecords);
    for (const { at, ...row } of rows) yield { ...row, atMs: Date.parse(at) };
    if (rows.length < pageRecords) return;
    next = (rows.at(-1)?.seq ?? last) + 1;
  }
}

/** Returns the hash of a record; null if there is none. */
export async function hashOf(db: Db, seq: number): Promise<string | null> {
  const [row] = await db.select({ hash: evidence.hash }).from(evidence).where(eq(evidence.seq, seq));
  return row?.hash ?? null;
}

/** Returns the hash of the record before `seq`. */
export const hashBefore = async (db: Db, seq: number): Promise<string> => (await hashOf(db, seq - 1)) ?? firstHash;

/** Yields the current row hash of every hold, by id. */
export async function* rowHashes(db: Db): AsyncGenerator<{ holdId: HoldId; hash: string }, void> {
  for (let after = ''; ;) {
    const rows = await db
      .select({ holdId: holds.holdId, hash: sql<string>`${rowHash}` })
      .from(holds)
      .where(gt(holds.holdId, after))
      .orderBy(asc(holds.holdId))
      .limit(pageHolds);
    yield* rows;
    if (rows.length < pageHolds) return;
    after = rows.at(-1)?.holdId ?? after;
  }
}

/** Returns the covered columns of a hold as text; null if the hold does not exist. */
export async function columnsOfHold(db: Db, holdId: HoldId): Promise<Record<string, string | null> | null> {
  const [row] = await db
    .select({
      values: sql<(string | null)[]>`${coveredValues}::text`.mapWith(
        (text: string) => JSON.parse(text) as (string | null)[],
      ),
    })
    .from(holds)
    .where(eq(holds.holdId, holdId));
  return row === undefined
    ? null
    : Object.fromEntries(coveredNames.map((name, index) => [name, row.values[index] ?? null]));
}
