import { and, asc, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { AguiEvent, LogEntry } from '../../contract/tasks/run.ts';
import { listParam, rowsOf, type Db } from '../database/database.ts';
import { handWritten, statement, textArray } from '../database/statement.ts';
import { events, runs } from '../schema.ts';
import { openText, orUnreadable, sealedText } from '../sealed-columns.ts';
import { readable } from '../unreadable.ts';
import type { Written } from '../feeds/fresh-entries.ts';
import { FencedError, type Tables } from '../store.ts';
import { logTopic, type Topic } from '../feeds/waiters.ts';

const defaultLimit = 500;
const maxOfType = 2_000;
/** A page ends with the entry that exceeds this, so that large artifacts do not accumulate in memory. */
const maxPageBytes = 1024 * 1024;

const appending = (isFenced: boolean) =>
  statement(['logId', 'fence', 'count', 'types', 'texts'], (db, { logId, fence, count, types, texts }) => {
    const isHeld = isFenced ? sql`fence = ${fence}::bigint` : sql`true`;
    // The row lock serialises the writers of a log, so sequence numbers have no gaps and become visible in order.
    return handWritten(
      db,
      sql`
        with taken as (
          update ${runs} set last_seq = last_seq + ${count}::integer
          where log_id = ${logId}::bigint and ${isHeld} and status = 'open'
          returning last_seq
        ), written as (
          insert into ${events} (log_id, seq, type, event)
          select ${logId}::bigint, taken.last_seq - ${count}::integer + entry.n, entry.type, entry.event
          from taken, unnest(${textArray(types)}, ${textArray(texts)}) with ordinality as entry (type, event, n)
        )
        select last_seq from taken`,
    );
  });
const [appendFenced, appendAlongside] = [appending(true), appending(false)];

/** The event log without `end`; `changed` is called with the topic to wake and the entries written. */
export function createEventLog(db: Db, changed: (topic: Topic, written: Written) => void): Omit<Tables['log'], 'end'> {
  /** Returns the last seq; null if the run has ended or has another fence than the given one. */
  async function write(logId: number, fence: number | null, added: AguiEvent[]): Promise<number | null> {
    const types = added.map((event) => event.type);
    const texts = added.map((event) => JSON.stringify(event));
    const values = {
      logId,
      fence,
      count: added.length,
      types,
      texts: texts.map((text) => sealedText(text, 'events.event')),
    };
    const [row] = await (fence === null ? appendAlongside : appendFenced)(db, values);
    if (!row) return null;
    const lastSeq = Number(row['last_seq']);
    changed(logTopic(logId), { firstSeq: lastSeq - texts.length + 1, texts });
    return lastSeq;
  }

  const fencedAt = (logId: number, fence: number): FencedError =>
    new FencedError(`log ${logId} is ended, or belongs to a later writer than ${fence}`);

  return {
    async append(logId, fence, added) {
      if (added.length === 0) {
        const isHeld = and(eq(runs.logId, logId), eq(runs.fence, fence), eq(runs.status, 'open'));
        const [run] = await db.select({ lastSeq: runs.lastSeq }).from(runs).where(isHeld);
        if (!run) throw fencedAt(logId, fence);
        return run.lastSeq;
      }
      const lastSeq = await write(logId, fence, added);
      if (lastSeq === null) throw fencedAt(logId, fence);
      return lastSeq;
    },
    async ofType(logIds, type) {
      if (logIds.length === 0) return [];
      const newestFirst = await db
        .select({ logId: events.logId, event: events.event })
        .from(events)
        .where(and(inArray(events.logId, logIds), eq(events.type, type)))
        .orderBy(desc(events.logId), desc(events.seq))
        .limit(maxOfType);
      return newestFirst.toReversed();
    },
    async appendAlongside(logId, added) {
      return added.length === 0 || (await write(logId, null, added)) !== null;
    },
    async read(logId, afterSeq, limit = defaultLimit) {
      return db
        .select({ seq: events.seq, event: events.event })
        .from(events)
        .where(and(eq(events.logId, logId), gt(events.seq, afterSeq)))
        .orderBy(asc(events.seq))
        .limit(limit);
    },
  };
}

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
      select run.status, page.seq, page.event, page.total
      from ${runs} run
      left join (
        select seq, event, count(*) over () as total,
               sum(octet_length(event)) over (order by seq) - octet_length(event) as bytes_before
        from (
          select seq, event from ${events} where log_id = ${logId}::bigint and seq > ${afterSeq}::integer
          order by seq limit ${defaultLimit}::integer
        ) entry
      ) page on page.bytes_before <= ${maxPageBytes}::bigint
      where run.log_id = ${logId}::bigint
      order by page.seq`,
  ),
);

/** Reads one page for a tail, run and entries in one statement, so that the end is not seen before the last entry. */
export async function readPage(db: Db, logId: number, afterSeq: number): Promise<LogPage> {
  const rows = await pageAfter(db, { logId, afterSeq });
  const entries: LogEntry[] = [];
  for (const row of rows) {
    if (row['seq'] !== null) {
      const event = orUnreadable(() => JSON.parse(openText(String(row['event']), 'events.event')) as AguiEvent);
      // Safe: `readable` keeps the members.
      entries.push(readable('events', { seq: Number(row['seq']), event }) as LogEntry);
    }
  }
  const total = Number(rows[0]?.['total'] ?? 0);
  const hasMore = entries.length < total || total === defaultLimit;
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
