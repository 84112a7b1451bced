// Named prepared statements for the path of every run: drizzle builds the text, and PostgreSQL parses it, once for each
// connection.
import { sql, type Placeholder, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Db } from './database.ts';

interface Prepared<T> {
  execute(values: Record<string, unknown>): Promise<T>;
}

interface Preparable<T> {
  prepare(name: string): Prepared<T>;
}

let count = 0;

/**
 * Defines a prepared statement with a placeholder for each of `names`. drizzle would encode a null like any value of
 * its column, so nullable values belong in hand-written SQL, encoded by the caller.
 */
export function statement<Name extends string, T>(
  names: readonly Name[],
  build: (db: Db, values: Record<Name, Placeholder>) => Preparable<T>,
): (db: Db, values: Readonly<Record<Name, unknown>>) => Promise<T> {
  const name = `standfast_${(count += 1)}`;
  // Safe: the entries have exactly these names.
  const placeholders = Object.fromEntries<Placeholder>(names.map((one) => [one, sql.placeholder(one)])) as Record<
    Name,
    Placeholder
  >;
  const built = new WeakMap<Db, Prepared<T>>();
  return (db, values) => {
    let prepared = built.get(db);
    if (prepared === undefined) {
      prepared = build(db, placeholders).prepare(name);
      built.set(db, prepared);
    }
    return prepared.execute(values);
  };
}

const dialect = new PgDialect();

/** Makes hand-written SQL preparable; executing it returns its rows. */
export function handWritten(db: Db, query: SQL): Preparable<Record<string, unknown>[]> {
  return {
    prepare(name) {
      const prepared = db._.session.prepareQuery(dialect.sqlToQuery(query), undefined, name, false);
      return {
        // Safe: as in `rowsOf`.
        execute: async (values) => ((await prepared.execute(values)) as { rows: Record<string, unknown>[] }).rows,
      };
    },
  };
}

/**
 * An array whose length the planner cannot see, so that it keeps one plan for all: knowing the length, it would judge a
 * plan made for this one call cheaper each time, and plan each time.
 */
export const textArray = (values: Placeholder): SQL => sql`(select ${values}::text[])`;

/** Defines a family of statements, one for each form of its text, each made once. */
export function perForm<Form extends object, S>(make: (form: Form) => S): (form: Form) => S {
  const made = new Map<string, S>();
  return (form) => {
    const key = JSON.stringify(form);
    const known = made.get(key) ?? make(form);
    made.set(key, known);
    return known;
  };
}
