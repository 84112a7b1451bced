// Real operations by which readiness is judged: what lists read, and what a full disk refuses.
import { sql } from 'drizzle-orm';
import type { ProbedPart } from '../ports/upkeep.ts';
import { rowsOf, type Db } from './database.ts';

/** Rejects if the database cannot do this now; `write` in a transaction. */
export async function probe(db: Db, part: ProbedPart): Promise<void> {
  if (part === 'write') await writeSome(db);
  else
    await rowsOf(
      db,
      sql`
        select count(*) from (
          select question from holds order by opened_at desc, (-n), hold_id limit 1
        ) as newest`,
    );
}

/**
 * Two kinds of writing: a changed row, which a standby or a read-only database refuses, and half a megabyte of a
 * temporary file, which a full disk refuses. A small change alone finds room in pages that were allocated before.
 */
async function writeSome(db: Db): Promise<void> {
  await rowsOf(
    db,
    sql`
      insert into settings (name, value) values ('readiness', '1')
      on conflict (name) do update set value = case settings.value when '1' then '2' else '1' end`,
  );
  await rowsOf(db, sql`set local work_mem = '64kB'`);
  await rowsOf(
    db,
    sql`
      select count(*) from (
        select n, repeat(md5(n::text), 8) from generate_series(1, 2000) n order by 2 offset 1
      ) as sorted`,
  );
}
