import { sql } from 'drizzle-orm';
import { endedList } from '../../columns.ts';
import { rowsOf, type Db } from '../../database/database.ts';
import { engramRuns } from '../../engram-schema.ts';
import { sessions } from '../../personal-schema.ts';
import { deliveries, drafts, holds, links, seals, tasks } from '../../schema.ts';
import type { Discarded } from '../../ports/upkeep.ts';

/**
 * Deletes expired rows, at most `limit` of each kind: drafts of holds ended this long ago (until then, a person whose
 * answer came too late finds their text), deliveries of these holds, links expired as long ago, seals that no turn
 * needs, and expired sessions.
 */
export async function discardOld(db: Db, draftsOlderThanMs: number, limit: number): Promise<Discarded> {
  const most = sql`limit ${limit}::integer for update skip locked`;
  const since = sql`now() - ${draftsOlderThanMs}::double precision * interval '1 millisecond'`;
  const oldDrafts = await rowsOf(
    db,
    sql`
      delete from ${drafts} where (hold_id, principal) in (
        select draft.hold_id, draft.principal from ${drafts} draft
        where draft.saved_at < ${since}
          and exists (select from ${holds} hold where hold.hold_id = draft.hold_id and hold.ended_at < ${since})
        ${most}
      ) returning hold_id`,
  );
  // The seals of a decided hold are needed until its task ends.
  const oldSeals = await rowsOf(
    db,
    sql`
      delete from ${seals} where seal_id in (
        select seal.seal_id from ${seals} seal
        where exists (
          select from ${holds} hold join ${tasks} task using (task_id)
          where hold.hold_id = seal.hold_id and hold.status <> 'open'
            and (hold.decision is null or task.status in ${endedList})
        )
        ${most}
      ) returning seal_id`,
  );
  const oldSessions = await rowsOf(
    db,
    sql`
      delete from ${sessions} where token_hash in (
        select token_hash from ${sessions} where expires_at < clock_timestamp() ${most}
      ) returning token_hash`,
  );
  // Includes subscriptions of a crashed api; a client that returns later reads the records again.
  await rowsOf(
    db,
    sql`delete from ${engramRuns} where (agent, thread_id, run_id) in (
      select agent, thread_id, run_id from ${engramRuns} where used_at < ${since} ${most}
    ) returning run_id`,
  );
  // Kept for a while, so that a late user learns that the link has expired.
  const oldLinks = await rowsOf(
    db,
    sql`delete from ${links} where hash in (select hash from ${links} where expires_at < ${since} ${most}) returning hash`,
  );
  // A message is named until its hold has ended for so long: until then it may be retried or updated.
  const oldDeliveries = await rowsOf(
    db,
    sql`
      delete from ${deliveries} where (hold_id, channel, recipient, message) in (
        select one.hold_id, one.channel, one.recipient, one.message from ${deliveries} one
        where one.begun_at < ${since}
          and not exists (
            select from ${holds} hold
            where hold.hold_id = one.hold_id and (hold.ended_at is null or hold.ended_at >= ${since})
          )
        ${most}
      ) returning hold_id`,
  );
  return {
    deliveries: oldDeliveries.length,
    drafts: oldDrafts.length,
    seals: oldSeals.length,
    sessions: oldSessions.length,
    links: oldLinks.length,
  };
}
