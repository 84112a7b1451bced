import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runPostgres } from 'drizzle-orm/node-postgres/migrator';
import type { PgliteDatabase } from 'drizzle-orm/pglite';
import { migrate as runPglite } from 'drizzle-orm/pglite/migrator';
import { Client, type ClientConfig } from 'pg';
import { isOutage, startError, unreachable } from './plain-errors.ts';

export type StoreLog = (level: 'info' | 'warn' | 'error', message: string, details?: object) => void;

const migrations = {
  // The same from src/store and from dist/store.
  migrationsFolder: fileURLToPath(new URL('../../../drizzle', import.meta.url)),
  // A name of its own: drizzle compares only the newest row, so sharing the table would skip these migrations.
  migrationsTable: 'holdpoint_migrations',
};

/** Without the user and the password. */
export const addressOf = ({ host, port, database }: Pick<Client, 'host' | 'port' | 'database'>): string =>
  `${host}:${port}/${database ?? ''}`;

/** Any number that no other program locks in the same database. */
const lockKey = 7_301_554_120;
/** Another replica may be at work for so long; a database that says nothing for longer is away. */
const lockTimeoutS = 60;
const queryTimeoutMs = 90_000;

/** Brings the tables up to date over a connection of its own; replicas that start together take turns. */
export async function migratePostgres(connection: ClientConfig, log: StoreLog): Promise<void> {
  const client = new Client({ query_timeout: queryTimeoutMs, ...connection, application_name: 'holdpoint migrate' });
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
    await runPostgres(drizzle(client), migrations);
    log('info', 'the database is up to date', { place: address });
  } catch (error) {
    throw startError(address, error);
  } finally {
    // Ending the session gives the lock back, also after an error.
    await client.end().catch(() => undefined);
  }
}

/** Brings the tables of the embedded database up to date; only this process has it open. */
export async function migratePglite(db: PgliteDatabase, log: StoreLog): Promise<void> {
  await runPglite(db, migrations);
  log('info', 'the embedded database is up to date');
}
