// Inserts of whole rows on the path of every run: the statement is made once for the columns that are filled.
import { getTableColumns, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { driverValues } from '../sealed-rows.ts';
import type { Db } from './database.ts';
import { perForm, statement } from './statement.ts';

/** Inserts rows that are not there yet, and returns those. `target`: the key by which a row may be there; missing: any. */
export function insertNew<T extends PgTable, C extends Record<string, PgColumn>>(
  table: T,
  columns: C,
  target?: PgColumn,
) {
  const conflict = target === undefined ? {} : { target };
  const inserting = perForm(({ names, count }: { names: string[]; count: number }) => {
    const spot = (name: string, n: number): string => `${name}${n}`;
    const each = Array.from({ length: count }, (_, n) => n);
    const insert = statement(
      each.flatMap((n) => names.map((name) => spot(name, n))),
      (db, given) => {
        const rows = each.map((n) => Object.fromEntries(names.map((name) => [name, sql`${given[spot(name, n)]}`])));
        // Safe: the names are those of columns.
        return db
          .insert(table)
          .values(rows as T['$inferInsert'][])
          .onConflictDoNothing(conflict)
          .returning(columns);
      },
    );
    return (db: Db, rows: Record<string, unknown>[]) => {
      const values = rows.flatMap((row, n) => names.map((name) => [spot(name, n), row[name] ?? null]));
      return insert(db, Object.fromEntries(values));
    };
  });
  const all = Object.keys(getTableColumns(table));
  return (db: Db, rows: T['$inferInsert'][]) => {
    const values = rows.map((row) => driverValues(table, row));
    const names = all.filter((name) => values.some((row) => name in row));
    return inserting({ names, count: rows.length })(db, values);
  };
}
