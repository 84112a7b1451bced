import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';
import { endedStatuses } from '../contract/tasks/task-names.ts';

/** JSON stored as `text`, since jsonb rejects the `\u0000` and lone surrogates that agents may send. */
export const json = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (text) => JSON.parse(text) as unknown,
});

/** A `timestamptz(3)`; in TypeScript ISO 8601 in UTC, with milliseconds. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: (text) => new Date(text).toISOString(),
});

/**
 * The database's clock as an `instant` keeps it, to compare with what is due: a time is rounded as it is written, up to half a
 * millisecond ahead, and by the clock itself what is due now would not be due yet for the next statement.
 */
export const clock = sql`clock_timestamp()::timestamp(3) with time zone`;

/** When the row was written, by the database's clock. */
export const writtenAt = (name: string) =>
  instant(name)
    .notNull()
    .default(sql`clock_timestamp()`);

/**
 * SQL that appends an entry to a JSON list column and drops the oldest entry beyond `max`, without reading the list
 * first. Every entry must be an object whose first member is `at`.
 */
export function withEntry(list: SQLWrapper, entry: SQL, max: number): SQL {
  // JSON escapes quotes inside strings, so this matches between entries only.
  const between = sql.raw(`'},{"at":'`);
  const gaps = sql`(length(${list}) - length(replace(${list}, ${between}, ''))) / length(${between})`;
  const kept = sql`case when ${gaps} >= ${max - 1}::integer then '[' || substr(${list}, strpos(${list}, ${between}) + 2) else ${list} end`;
  return sql`case when ${list} = '[]' then '[' || ${entry} || ']' else left(${kept}, -1) || ',' || ${entry} || ']' end`;
}

/** Removes NUL characters, which PostgreSQL rejects. */
export function storable(text: string): string {
  return text.replaceAll('\0', '');
}

/** What waits to be listed in a person's next digest. */
export const waitsForDigest = ({ message, state }: { message: SQLWrapper; state: SQLWrapper }): SQL =>
  sql`${message} like 'digest.%' and ${state} = 'sending'`;

/** The ended statuses as a list in SQL: literals, since a partial index serves no query with parameters in their place. */
export const endedList = sql.raw(`(${endedStatuses.map((status) => `'${status}'`).join(', ')})`);
