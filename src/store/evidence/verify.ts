import { eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../database/database.ts';
import type { EvidenceFault, EvidenceRange, SignedHead, VerifiedEvidence } from '../ports/evidence.ts';
import { chainHead, evidence } from '../schema.ts';
import { firstHash } from './chain.ts';
import { boundsOf, hashBefore, recordsFrom, rowHashes } from './read.ts';
import { isGivenUp, restoresIn } from './restored.ts';
import { createWalk, type Walk } from './walk.ts';

/** Returns the end of the chain, as stored in the row that writers lock. */
export async function readHead(db: Db): Promise<{ seq: number; hash: string }> {
  const [row] = await db.select().from(chainHead).where(eq(chainHead.id, 1));
  return { seq: row?.seq ?? 0, hash: row?.hashes.at(-1) ?? firstHash };
}

/** What is wrong in each row alone, whatever the chain tells of it. */
export type FaultsOfRows = (db: Db) => AsyncIterable<EvidenceFault>;

/** Verifies the chain, signed heads stored elsewhere, and hold rows; `db` must read from one snapshot. */
export async function verifyEvidence(
  db: Db,
  range: EvidenceRange,
  heads: SignedHead[],
  faultsOfRows: FaultsOfRows = async function* () {},
): Promise<VerifiedEvidence> {
  const head = await readHead(db);
  const bounds = await boundsOf(db, range);
  const first = range.from === undefined ? 1 : (bounds?.first ?? head.seq + 1);
  const restores = await restoresIn(db);
  const counted = heads.filter((one) => !isGivenUp(one, restores));
  const walk = createWalk(first, await hashBefore(db, first), counted);
  if (bounds !== null) for await (const record of recordsFrom(db, first, bounds.last)) walk.take(record);
  if (range.to === undefined) walk.end(head);
  await compareRows(db, walk, range, bounds?.last ?? 0);
  for await (const fault of faultsOfRows(db)) walk.faults.push(fault);
  const { faults, keys, recorded, lost } = walk;
  const signers = [...keys].map(([key, seq]) => ({ key, seq }));
  const { firstAt } = bounds ?? { firstAt: null };
  return { firstAt, records: walk.count(), holds: recorded.size, head, keys: signers, faults, lost, restores };
}

async function compareRows(db: Db, { recorded, faults }: Walk, range: EvidenceRange, last: number): Promise<void> {
  const left = new Map(recorded);
  if (range.to !== undefined) for (const holdId of await changedAfter(db, last)) left.delete(holdId);
  const isWhole = range.from === undefined && range.to === undefined;
  for await (const { holdId, hash } of rowHashes(db)) {
    const record = left.get(holdId);
    left.delete(holdId);
    if (record === undefined) {
      if (isWhole) faults.push({ holdId, seq: null, what: 'no record tells of the question' });
    } else if (record.rowHash !== hash) {
      const what =
        record.rowHash === null
          ? 'the question is there again after it was removed'
          : 'the question is not as its last record left it';
      faults.push({ holdId, seq: record.seq, what });
    }
  }
  for (const [holdId, { seq, rowHash }] of left)
    if (rowHash !== null) faults.push({ holdId, seq, what: 'the question is missing' });
}

/** Returns holds with records after `seq`, whose earlier row hashes are outdated. */
export async function changedAfter(db: Db, seq: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ holdId: evidence.holdId })
    .from(evidence)
    .where(gt(evidence.seq, sql`${seq}::bigint`));
  return rows.flatMap(({ holdId }) => (holdId === null ? [] : [holdId]));
}
