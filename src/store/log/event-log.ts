import { and, desc, eq, inArray, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { ThreadId } from '../../contract/base/id-types.ts';
import type { AguiEvent, LogEntry } from '../../contract/tasks/run.ts';
import { listParam, rowsOf, type Db } from '../database/database.ts';
import { handWritten, statement } from '../database/statement.ts';
import { events, runs } from '../schema.ts';
import { readColumn } from '../sealed-rows.ts';
import { readable, Unreadable } from '../unreadable.ts';
import type { Written } from '../feeds/fresh-entries.ts';
import { FencedError, type Tables } from '../store.ts';
import { logTopic, threadTopic, type Topic } from '../feeds/waiters.ts';
import { afterTaken, batchesOf, batchNames, entriesOf, hasType, insertBatches, openBatch } from './batches.ts';
import { writeAtEnd, type LogEnds } from './log-ends.ts';

const defaultLimit = 500;
const maxOfType = 2_000;
/** A page ends with the row that exceeds this, so that large artifacts do not accumulate in memory. */
const maxPageBytes = 1024 * 1024;

/** SQL condition on a run whose log ends there; anywhere, for null. */
export const isAfter = (after: Placeholder): SQL => sql`(${after}::integer is null or last_seq = ${after}::integer)`;

const appending = (isFenced: boolean) =>
  statement(['logId', 'fence', 'after', 'count', ...batchNames], (db, given) => {
    const { logId, fence, after, count } = given;
    const isHeld = isFenced ? sql`fence = ${fence}::bigint` : sql`true`;
    // The row lock serialises the writers of a log, so sequence numbers have no gaps and become visible in order.
    return handWritten(
      db,
      sql`
        with taken as (
          update ${runs} set last_seq = last_seq + ${count}::integer
          where log_id = ${logId}::bigint and ${isHeld} and status = 'open' and ${isAfter(after)}
          returning log_id, last_seq
        ), written as (${insertBatches(given, afterTaken(count))})
        select last_seq from taken`,
    );
  });
const [appendFenced, appendAlongside] = [appending(true), appending(false)];

/** The last number of an open run's log; null if it has ended, or has another fence than the given one. */
export async function lastSeqOf(db: Db, logId: number, fence: number | null): Promise<number | null> {
  const isHeld = fence === null ? undefined : eq(runs.fence, fence);
  const [run] = await db
    .select({ lastSeq: runs.lastSeq })
    .from(runs)
    .where(and(eq(runs.logId, logId), isHeld, eq(runs.status, 'open')));
  return run?.lastSeq ?? null;
}

/** The event log without `end`; `changed` is called with the topic to wake and the entries written. */
export function createEventLog(
  db: Db,
  ends: LogEnds,
  changed: (topic: Topic, written: Written) => void,
): Omit<Tables['log'], 'end'> {
  /** Returns the last seq; null if the run has ended or has another fence than the given one. */
  async function write(logId: number, fence: number | null, added: AguiEvent[]): Promise<number | null> {
    const texts = added.map((event) => JSON.stringify(event));
    const append = fence === null ? appendAlongside : appendFenced;
    const row = await writeAtEnd({
      log: logId,
      ends,
      find: () => lastSeqOf(db, logId, fence),
      async write(after) {
        const values = { logId, fence, after, count: added.length, ...batchesOf(logId, after ?? 0, added, texts) };
        return (await append(db, values))[0];
      },
    });
    if (row === null) return null;
    const lastSeq = Number(row['last_seq']);
    ends.set(logId, lastSeq);
    changed(logTopic(logId), { firstSeq: lastSeq - texts.length + 1, texts });
    return lastSeq;
  }

  const fencedAt = (logId: number, fence: number): FencedError =>
    new FencedError(`log ${logId} is ended, or belongs to a later writer than ${fence}`);

  return {
    async append(logId, fence, added) {
      if (added.length === 0) {
        const last = await lastSeqOf(db, logId, fence);
        if (last === null) throw fencedAt(logId, fence);
        return last;
      }
      const lastSeq = await write(logId, fence, added);
      if (lastSeq === null) throw fencedAt(logId, fence);
      return lastSeq;
    },
    async ofType(logIds, type) {
      if (logIds.length === 0) return [];
      const newestFirst = await db
        .select({ logId: events.logId, seq: events.seq, size: events.size, batch: readColumn(events.batch) })
        .from(events)
        .where(and(inArray(events.logId, logIds), hasType([type])))
        .orderBy(desc(events.logId), desc(events.seq))
        .limit(maxOfType);
      return newestFirst
        .toReversed()
        .flatMap((row) => entriesOf(row).map(({ event }) => ({ logId: row.logId, event })))
        .filter(({ event }) => event instanceof Unreadable || event.type === type)
        .slice(-maxOfType);
    },
    async appendAlongside(logId, added) {
      return added.length === 0 || (await write(logId, null, added)) !== null;
    },
    async read(logId, afterSeq, limit = defaultLimit) {
      // Of the first row there may be any number after `afterSeq`.
      const rows = await rowsOf(
        db,
        sql`
          select seq, size, batch from (
            select seq, size, batch, sum(size) over (order by seq) - size - first_value(size) over (order by seq) as before
            from (
              select seq, size, batch from ${events} where log_id = ${logId}::bigint and seq > ${afterSeq}::integer
              order by seq limit ${limit}::integer + 1
            ) later
          ) row where before < ${limit}::integer order by seq`,
      );
      return rows.flatMap((row) => entriesAfter(afterSeq, logId, row)).slice(0, limit);
    },
  };
}

const entriesAfter = (afterSeq: number, logId: number, row: Record<string, unknown>): LogEntry[] =>
  entriesOf(openBatch(logId, row)).filter(({ seq }) => seq > afterSeq);

export interface LogPage {
  entries: LogEntry[];
  hasMore: boolean;
  /** The run has ended or was deleted, and no entries follow. */
  isLast: boolean;
}

const pageAfter = statement(['logId', 'afterSeq'], (db, { logId, afterSeq }) =>
  handWritten(
    db,
    sql`
      select run.status, page.seq, page.size, page.batch, page.total
      from ${runs} run
      left join (
        select seq, size, batch, count(*) over () as total, sum(size) over (order by seq) - size as entries_before,
               sum(octet_length(batch)) over (order by seq) - octet_length(batch) as bytes_before
        from (
          select seq, size, batch from ${events} where log_id = ${logId}::bigint and seq > ${afterSeq}::integer
          order by seq limit ${defaultLimit}::integer
        ) later
      ) page on page.bytes_before <= ${maxPageBytes}::bigint and page.entries_before < ${defaultLimit}::integer
      where run.log_id = ${logId}::bigint
      order by page.seq`,
  ),
);

/** Reads one page for a tail, run and entries in one statement, so that the end is not seen before the last entry. */
export async function readPage(db: Db, logId: number, afterSeq: number): Promise<LogPage> {
  const rows = await pageAfter(db, { logId, afterSeq });
  const found = rows.filter((row) => row['seq'] !== null);
  // Safe: `readable` keeps the members.
  const entries = readable(
    'events',
    found.flatMap((row) => entriesAfter(afterSeq, logId, row)),
  ) as LogEntry[];
  const total = Number(rows[0]?.['total'] ?? 0);
  const hasMore = found.length < total || total === defaultLimit;
  return { entries, hasMore, isLast: !hasMore && rows[0]?.['status'] !== 'open' };
}

/** Returns the last seq of each of these logs, and whether its run has ended; deleted logs are missing. */
export async function readHeads(db: Db, logIds: number[]): Promise<Map<number, { lastSeq: number; isEnded: boolean }>> {
  const rows = await rowsOf(
    db,
    sql`select log_id, last_seq, status from ${runs} where log_id = any(${listParam(logIds, 'bigint')})`,
  );
  return new Map(
    rows.map((row) => [Number(row['log_id']), { lastSeq: Number(row['last_seq']), isEnded: row['status'] !== 'open' }]),
  );
}

/** The newest run of each of these threads, by the name of its topic. */
export async function readNewest(
  db: Db,
  threads: { agent: string; threadId: ThreadId }[],
): Promise<Map<string, number>> {
  const distinct = [...new Map(threads.map((thread) => [threadTopic(thread), thread])).values()];
  const agents = listParam(
    distinct.map(({ agent }) => agent),
    'text',
  );
  const threadIds = listParam(
    distinct.map(({ threadId }) => threadId),
    'text',
  );
  const rows = await rowsOf(
    db,
    sql`select agent, thread_id, (
          select log_id from ${runs}
          where agent = asked.agent and thread_id = asked.thread_id and not is_control
          order by log_id desc limit 1
        ) as log_id
        from unnest(${agents}, ${threadIds}) as asked(agent, thread_id)`,
  );
  return new Map(
    rows.map((row) => {
      const [agent, threadId] = [String(row['agent']), String(row['thread_id'])];
      return [threadTopic({ agent, threadId }), Number(row['log_id'] ?? 0)];
    }),
  );
}
