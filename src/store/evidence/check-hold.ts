import type { HoldId } from '../../contract/base/id-types.ts';
import { eq, sql } from 'drizzle-orm';
import type { Db } from '../database/database.ts';
import { rowsOf } from '../database/database.ts';
import { evidence, holds } from '../schema.ts';
import { appendEvidence, recordedHashes } from './append.ts';
import { rowHash } from './covered.ts';
import { alteredEntry } from './record.ts';

/** Compares a hold's row with its last record, and records a difference; in a transaction. */
export async function checkHold(db: Db, holdId: HoldId): Promise<'intact' | 'altered'> {
  // Locked, so that no change commits between the row and its record.
  const [row] = await db
    .select({ hash: sql<string>`${rowHash}` })
    .from(holds)
    .where(eq(holds.holdId, holdId))
    .for('update');
  const recorded = await recordedHashes(db, [holdId]);
  const [known] = await rowsOf(
    db,
    sql`select 1 from ${evidence} where hold_id = ${holdId} and strpos(record, '"kind":"altered"') > 0 limit 1`,
  );
  if (row !== undefined && recorded.get(holdId) !== row.hash) {
    await appendEvidence(db, [alteredEntry(holdId, { recorded: recorded.get(holdId) ?? null, found: row.hash })]);
    return 'altered';
  }
  return known === undefined ? 'intact' : 'altered';
}
