// The statements that every run needs: drizzle builds the text of each once for a connection, and PostgreSQL parses and plans it
// there once, by its name.
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
 * A statement with a placeholder for each of these values, whose text is always the same. drizzle encodes a value of a column, a
 * null too: what may be null goes into hand-written SQL, encoded by who writes it.
 */
export function statement<Name extends string, T>(
  names: readonly Name[],
  build: (db: Db, values: Record<Name, Placeholder>) => Preparable<T>,
): (db: Db, values: Readonly<Record<Name, unknown>>) => Promise<T> {
  const name = `holdpoint_${(count += 1)}`;
  // Safe: one of each name.
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

/** Hand-written SQL as such a statement; its rows. */
export function handWritten(db: Db, query: SQL): Preparable<Record<string, unknown>[]> {
  return {
    prepare(name) {
      const prepared = db._.session.prepareQuery(dialect.sqlToQuery(query), undefined, name, false);
      return {
        // Both drivers answer `{ rows }`, as `rowsOf` says.
        execute: async (values) => ((await prepared.execute(values)) as { rows: Record<string, unknown>[] }).rows,
      };
    },
  };
}

/** Statements whose text takes one of a few forms: each form is built once. */
export function perForm<Form extends object, S>(make: (form: Form) => S): (form: Form) => S {
  const made = new Map<string, S>();
  return (form) => {
    const key = JSON.stringify(form);
    const known = made.get(key) ?? make(form);
    made.set(key, known);
    return known;
  };
}
