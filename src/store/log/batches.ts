// How a log's entries lie in rows: what was written together is one row, under the number of its last entry. So a row's and an
// index's own bytes come once for many entries, and PostgreSQL compresses what is alike in them.
import { eq, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { AguiEvent, LogEntry } from '../../contract/tasks/run.ts';
import { listParam, type Db } from '../database/database.ts';
import { textArray } from '../database/statement.ts';
import { events } from '../schema.ts';
import { openText, orUnreadable, rowKey, sealedText } from '../sealed-columns.ts';
import { readColumn } from '../sealed-rows.ts';

/** A row ends with the entry that exceeds this, so that no reader gets many large ones at once. */
const maxChars = 256 * 1024;
const maxEntries = 100;
/** Beyond so many numbers left out a row begins, since each of them takes a few bytes. */
const maxGap = 50;

/** Rows to be written, as arrays of parameters. */
export interface Batches {
  /** How many entries come up to the end of each row. */
  upTo: number[];
  sizes: number[];
  types: string[];
  texts: string[];
}

export const batchNames = ['upTo', 'sizes', 'types', 'texts'] as const;

/** Consecutive entries as rows, encrypted for the numbers after this one; null: nothing has that number any more. */
export function batchesOf(
  logId: number,
  after: number,
  entries: readonly (AguiEvent | null)[],
  texts = entries.map((event) => JSON.stringify(event)),
): Batches {
  const rows: Batches = { upTo: [], sizes: [], types: [], texts: [] };
  let [first, chars] = [0, 0];
  for (const [index, text] of texts.entries()) {
    const end = index + 1;
    chars += text.length;
    if (chars <= maxChars && end - first < maxEntries && end < texts.length) continue;
    const types = entries.slice(first, end).flatMap((event) => event?.type ?? []);
    const batch = `[${texts.slice(first, end).join(',')}]`;
    rows.upTo.push(end);
    rows.sizes.push(types.length);
    rows.types.push([...new Set(types)].join(' '));
    rows.texts.push(sealedText(batch, 'events.batch', rowKey(logId, after + end)));
    [first, chars] = [end, 0];
  }
  return rows;
}

/** SQL that inserts rows of the log `logId` of `from`, after the number `after` in it. */
export const insertBatches = (
  { upTo, sizes, types, texts }: Record<(typeof batchNames)[number], Placeholder>,
  { from, logId, after }: Record<'from' | 'logId' | 'after', SQL>,
): SQL => sql`
  insert into ${events} (log_id, seq, size, types, batch)
  select ${logId}, ${after} + entry.up_to, entry.size, entry.types, entry.batch
  from ${from}, unnest(
    (select ${upTo}::integer[]), (select ${sizes}::integer[]), ${textArray(types)}, ${textArray(texts)}
  ) as entry (up_to, size, types, batch)`;

/** Where entries go of which a row `taken` has counted this many. */
export const afterTaken = (count: Placeholder): Parameters<typeof insertBatches>[1] => ({
  from: sql`taken`,
  logId: sql`taken.log_id`,
  after: sql`taken.last_seq - ${count}::integer`,
});

/** Condition on rows with an entry of one of these types. */
export const hasType = (types: string[]): SQL =>
  sql`string_to_array(${events.types}, ' ') && ${listParam(types, 'text')}`;

/** A row as it is read; `batch` is Unreadable where it cannot be. */
interface BatchRow {
  seq: number;
  size: number;
  batch: (AguiEvent | null)[];
}

/** A row of hand-written SQL with `seq`, `size` and `batch`. */
export function openBatch(logId: number, row: Record<string, unknown>): BatchRow {
  const seq = Number(row['seq']);
  const open = (): string => openText(String(row['batch']), 'events.batch', rowKey(logId, seq));
  return { seq, size: Number(row['size']), batch: orUnreadable(() => JSON.parse(open()) as AguiEvent[]) };
}

/** The entries of a row; all of them Unreadable where it is. */
export function entriesOf({ seq, size, batch }: BatchRow): LogEntry[] {
  // Safe: `readable` replaces what is Unreadable.
  const all = Array.isArray(batch) ? batch : Array.from({ length: size }, () => batch as AguiEvent);
  return all.flatMap((event, index) => (event === null ? [] : [{ seq: seq - all.length + 1 + index, event }]));
}

/** All entries of a log. */
export async function allEntries(db: Db, logId: number): Promise<LogEntry[]> {
  const rows = await db
    .select({ seq: events.seq, size: events.size, batch: readColumn(events.batch) })
    .from(events)
    .where(eq(events.logId, logId))
    .orderBy(events.seq);
  return rows.flatMap(entriesOf);
}

/** Writes these entries in place of all that a log has; each keeps its number. */
export async function replaceEntries(db: Db, logId: number, kept: readonly LogEntry[]): Promise<void> {
  await db.delete(events).where(eq(events.logId, logId));
  const rows = stretches(kept).flatMap(({ after, entries }) => {
    const { upTo, sizes, types, texts } = batchesOf(logId, after, entries);
    return upTo.map((end, index) => ({
      logId,
      seq: after + end,
      size: sizes[index] ?? 0,
      types: types[index] ?? '',
      batch: sql`${texts[index]}`,
    }));
  });
  if (rows.length > 0) await db.insert(events).values(rows);
}

/** Entries with few numbers left out between them, together. */
function stretches(kept: readonly LogEntry[]): { after: number; entries: (AguiEvent | null)[] }[] {
  const found: { after: number; entries: (AguiEvent | null)[] }[] = [];
  for (const { seq, event } of kept) {
    const last = found.at(-1);
    const gap = last === undefined ? Infinity : seq - last.after - last.entries.length - 1;
    if (last !== undefined && gap <= maxGap) last.entries.push(...Array.from({ length: gap }, () => null), event);
    else found.push({ after: seq - 1, entries: [event] });
  }
  return found;
}
