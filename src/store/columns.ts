import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';

/**
 * JSON kept as `text`: what agents write may hold `\u0000` and lone surrogates, which jsonb refuses. JSON.stringify
 * escapes both, so the stored text is always valid.
 */
export const json = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (text) => JSON.parse(text) as unknown,
});

/** A point in time, ISO 8601 in UTC with milliseconds on our side. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: (text) => new Date(text).toISOString(),
});

/**
 * A JSON list column with one more entry, the oldest dropped when there are more than `max`: appended in the update that
 * it tells of, without reading it first. Every entry is an object that begins with `at`.
 */
export function withEntry(list: SQLWrapper, entry: SQL, max: number): SQL {
  // A quote inside a string is escaped in JSON, so this is found between entries only.
  const between = sql.raw(`'},{"at":'`);
  const gaps = sql`(length(${list}) - length(replace(${list}, ${between}, ''))) / length(${between})`;
  const kept = sql`case when ${gaps} >= ${max - 1}::integer then '[' || substr(${list}, strpos(${list}, ${between}) + 2) else ${list} end`;
  return sql`case when ${list} = '[]' then '[' || ${entry} || ']' else left(${kept}, -1) || ',' || ${entry} || ']' end`;
}

/** Text as a column can keep it: PostgreSQL refuses NUL. */
export function storable(text: string): string {
  return text.replaceAll('\0', '');
}
