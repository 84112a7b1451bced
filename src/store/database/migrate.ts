import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runPostgres } from 'drizzle-orm/node-postgres/migrator';
import type { PgliteDatabase } from 'drizzle-orm/pglite';
import { migrate as runPglite } from 'drizzle-orm/pglite/migrator';
import { Client, type ClientConfig } from 'pg';
import { isOutage, startError, unreachable } from './plain-errors.ts';
import { refuseOther, schemaStateOf } from './schema-state.ts';

export type StoreLog = (level: 'info' | 'warn' | 'error', message: string, details?: object) => void;

export const migrations = {
  // The path is the same from src/store and from dist/store.
  migrationsFolder: fileURLToPath(new URL('../../../drizzle', import.meta.url)),
  // Not drizzle's default table, which another program may use: drizzle compares only its newest row.
  migrationsTable: 'standfast_migrations',
};

/** Formats a database's address without user and password. */
export const addressOf = ({ host, port, database }: Pick<Client, 'host' | 'port' | 'database'>): string =>
  `${host}:${port}/${database ?? ''}`;

/** Key of the advisory lock, arbitrary but unlikely to be used by another program. */
const lockKey = 7_301_554_120;
/** Maximum wait for a replica that is migrating. */
const lockTimeoutS = 60;
const queryTimeoutMs = 90_000;

/** Migrates PostgreSQL under an advisory lock; throws StoreUnavailableError if it cannot be reached. */
export async function migratePostgres(connection: ClientConfig, log: StoreLog): Promise<void> {
  const client = new Client({ query_timeout: queryTimeoutMs, ...connection, application_name: 'standfast migrate' });
  client.on('error', () => undefined);
  const address = addressOf(client);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    const causes: unknown[] = error instanceof AggregateError ? error.errors : [error];
    throw causes.some(isOutage)
      ? unreachable(address, error)
      : new Error(`the database at ${address} cannot be used: ${causes.join(', ')}`, { cause: error });
  }
  try {
    await client.query(`set lock_timeout = '${lockTimeoutS}s'`);
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    const db = drizzle(client);
    const state = await schemaStateOf(db, migrations);
    refuseOther(state, `the database at ${address}`);
    // The migrator wants to create its schema even where nothing is to be done; a role that owns no tables may not.
    if (state.kind !== 'current') await runPostgres(db, migrations);
    log('info', 'the database is up to date', { place: address });
  } catch (error) {
    throw startError(address, error);
  } finally {
    // Ending the session releases the lock.
    await client.end().catch(() => undefined);
  }
}

/** Migrates the embedded database, without a lock since only this process has it open. */
export async function migratePglite(db: PgliteDatabase, log: StoreLog): Promise<void> {
  refuseOther(await schemaStateOf(db, migrations), 'the embedded database');
  await runPglite(db, migrations);
  log('info', 'the embedded database is up to date');
}
