// How the tables of a database compare with those of this version.
import { sql } from 'drizzle-orm';
import { readMigrationFiles, type MigrationConfig } from 'drizzle-orm/migrator';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** `missing`: migrations to do. `newer`: a later version has migrated it. `other`: it was made by an unreleased version. */
export type SchemaState =
  | { kind: 'current' }
  | { kind: 'missing'; count: number }
  | { kind: 'newer' }
  | { kind: 'other' };

/** The tables of the database cannot be brought to those of this version. */
export class SchemaError extends Error {
  override name = 'SchemaError';
}

/** Compares the migrations that the database has with those of this version; writes nothing. */
export async function schemaStateOf(
  db: PgDatabase<PgQueryResultHKT>,
  config: MigrationConfig & { migrationsTable: string },
): Promise<SchemaState> {
  const own = readMigrationFiles(config).map(({ hash }) => hash);
  const table = sql`drizzle.${sql.identifier(config.migrationsTable)}`;
  // Safe: as in `rowsOf`.
  const rows = async (query: ReturnType<typeof sql>): Promise<Record<string, unknown>[]> =>
    ((await db.execute(query)) as object as { rows: Record<string, unknown>[] }).rows;
  const [known] = await rows(sql`select to_regclass(${`drizzle.${config.migrationsTable}`}) is not null as is_there`);
  if (known?.['is_there'] !== true) return { kind: 'missing', count: own.length };
  const done = (await rows(sql`select hash from ${table} order by id`)).map((row) => String(row['hash']));
  const isCommon = own.every((hash, index) => done[index] === undefined || done[index] === hash);
  if (!isCommon) return { kind: 'other' };
  if (done.length > own.length) return { kind: 'newer' };
  return done.length === own.length ? { kind: 'current' } : { kind: 'missing', count: own.length - done.length };
}

/** Throws SchemaError for a database that an unreleased version made, which no migration leads away from. */
export function refuseOther(state: SchemaState, place: string): void {
  if (state.kind !== 'other') return;
  throw new SchemaError(
    `the tables of ${place} were made by an unreleased version of Standfast and cannot be upgraded. Let that version ` +
      'export what is to be kept (standfast export), then start this one with an empty database.',
  );
}
