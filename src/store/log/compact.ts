import { and, eq, sql } from 'drizzle-orm';
import type { LogEntry } from '../../contract/tasks/run.ts';
import { rowsOf, type Database, type Db } from '../database/database.ts';
import { events, runs } from '../schema.ts';
import { Unreadable } from '../unreadable.ts';
import { allEntries, hasType, replaceEntries } from './batches.ts';

/**
 * Deletes the events of runs ended this long ago that their snapshots contain; returns the number of runs. RUN_STARTED,
 * activities, the last snapshots of state and of messages, later changes (a failed run may have no closing snapshots),
 * and the terminal event stay, with their sequence numbers. Each run has a transaction of its own.
 */
export async function compactRuns(database: Database, olderThanMs: number, limit: number): Promise<number> {
  let count = 0;
  while (count < limit && (await database.transaction((inTx) => compactRun(inTx, olderThanMs)))) count += 1;
  return count;
}

/** False: no run is due. */
async function compactRun(db: Db, olderThanMs: number): Promise<boolean> {
  const [due] = await rowsOf(
    db,
    sql`
      update ${runs} set is_compacted = true where log_id = (
        select log_id from ${runs}
        where not is_compacted and status <> 'open'
          and ended_at < now() - ${olderThanMs}::double precision * interval '1 millisecond'
        order by ended_at limit 1 for update skip locked
      ) returning log_id`,
  );
  if (due === undefined) return false;
  const logId = Number(due['log_id']);
  await withoutTokens(db, logId);
  const entries = await allEntries(db, logId);
  // A log that cannot be read stays as it is.
  if (!entries.some(({ event }) => event instanceof Unreadable)) await replaceEntries(db, logId, keptOf(entries));
  return true;
}

/** Rows with nothing to keep need not be read: a long answer has thousands of them. */
async function withoutTokens(db: Db, logId: number): Promise<void> {
  const isKept = sql`${events.types} ~ '(^| )(RUN|ACTIVITY|STATE)_'`;
  const snapshot = sql`select max(seq) from ${events} where log_id = ${logId} and ${hasType(['MESSAGES_SNAPSHOT'])}`;
  await db.delete(events).where(and(eq(events.logId, logId), sql`not ${isKept}`, sql`${events.seq} < (${snapshot})`));
}

/** What no later snapshot repeats. */
function keptOf(entries: readonly LogEntry[]): LogEntry[] {
  const last = (wanted: string): number => entries.findLast(({ event }) => event.type === wanted)?.seq ?? 0;
  const [stateSeq, messagesSeq] = [last('STATE_SNAPSHOT'), last('MESSAGES_SNAPSHOT')];
  return entries.filter(({ seq, event: { type } }) => {
    if (/^(RUN|ACTIVITY)_/.test(type)) return true;
    if (type.startsWith('STATE_')) return seq >= stateSeq;
    return /^(TEXT|MESSAGES|TOOL|REASONING)_/.test(type) && seq >= messagesSeq;
  });
}
