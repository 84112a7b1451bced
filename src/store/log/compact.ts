import { sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../database/database.ts';
import { events, runs } from '../schema.ts';

/**
 * Deletes the events of runs ended this long ago that their snapshots contain; returns the number of runs.
 * RUN_STARTED, activities, the last snapshots of state and of messages, later changes (a failed run may have no closing
 * snapshots), and the terminal event stay, with their sequence numbers.
 */
export async function compactRuns(db: Db, olderThanMs: number, limit: number): Promise<number> {
  const rows = await rowsOf(
    db,
    sql`
      with due as (
        select log_id from ${runs}
        where not is_compacted and status <> 'open'
          and ended_at < now() - ${olderThanMs}::double precision * interval '1 millisecond'
        order by ended_at limit ${limit}::integer for update skip locked
      ), snapshot as (
        select event.log_id,
               max(event.seq) filter (where event.type = 'STATE_SNAPSHOT') as state_seq,
               max(event.seq) filter (where event.type = 'MESSAGES_SNAPSHOT') as messages_seq
        from ${events} event join due using (log_id) group by event.log_id
      ), gone as (
        delete from ${events} event using snapshot
        where event.log_id = snapshot.log_id and case
          when event.type like 'RUN\\_%' or event.type like 'ACTIVITY\\_%' then false
          when event.type like 'STATE\\_%' then event.seq < snapshot.state_seq
          when event.type like any (array['TEXT\\_%', 'MESSAGES\\_%', 'TOOL\\_%', 'REASONING\\_%'])
            then event.seq < snapshot.messages_seq
          else true
        end
      )
      update ${runs} run set is_compacted = true from due where run.log_id = due.log_id returning run.log_id`,
  );
  return rows.length;
}
