// Numbers of the whole installation for metrics, each by an index.
import { sql } from 'drizzle-orm';
import type { OperationFigures } from '../ports/upkeep.ts';
import { rowsOf, type Db } from './database.ts';

const ageMs = (column: string): ReturnType<typeof sql.raw> =>
  sql.raw(`extract(epoch from clock_timestamp() - ${column}) * 1000`);

export async function operationFigures(db: Db): Promise<OperationFigures> {
  const [row] = await rowsOf(
    db,
    sql`
      select backlog.runs, backlog.oldest_ms, signed.age_ms as signed_age_ms, written.age_ms as written_age_ms
      from (
        select count(*) as runs, max(${ageMs('received_at')}) as oldest_ms
        from intake where admitted_at is null and refused_code is null
      ) as backlog,
      (
        select (select ${ageMs('at')} from evidence where hold_id is null order by seq desc limit 1) as age_ms
      ) as signed,
      (select (select ${ageMs('at')} from evidence order by seq desc limit 1) as age_ms) as written`,
  );
  const number = (name: string): number | null => (row?.[name] == null ? null : Math.max(0, Number(row[name])));
  const signedMs = number('signed_age_ms');
  const writtenMs = number('written_age_ms');
  return {
    unadmittedRuns: number('runs') ?? 0,
    oldestUnadmittedMs: number('oldest_ms') ?? 0,
    // A chain whose newest record is a signature is signed to its end, however old that is.
    unsignedEvidenceMs:
      writtenMs === null || (signedMs !== null && signedMs <= writtenMs) ? 0 : (signedMs ?? writtenMs),
  };
}
