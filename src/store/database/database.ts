import { resolve } from 'node:path';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { sql, type SQL } from 'drizzle-orm';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { Client, Pool, type ClientConfig, type PoolClient } from 'pg';
import { openEmbedded } from './embedded.ts';
import { addressOf, migratePglite, migratePostgres, type StoreLog } from './migrate.ts';
import { createPgliteClient } from './pglite-client.ts';
import { plainError } from './plain-errors.ts';
import { StoreUnavailableError } from '../store.ts';

/** One drizzle type for both drivers. */
export type Db = PgDatabase<PgQueryResultHKT>;

/** An open and migrated database. */
export interface Database {
  kind: 'postgres' | 'pglite';
  /** Where it is, for people; null: in this process. */
  address: string | null;
  db: Db;
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** A fresh unconnected client for LISTEN; null where no other process can write. */
  listenerClient: (() => Client) | null;
  close(): Promise<void>;
}

const statementTimeoutMs = 10_000;
const connectTimeoutMs = 3_000;

/** Opens PostgreSQL by address, and brings its tables up to date. */
export async function openPostgres(databaseUrl: string, log: StoreLog): Promise<Database> {
  const connection: ClientConfig = {
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  };
  await migratePostgres(connection, log);
  const pool = new Pool({
    ...connection,
    application_name: 'holdpoint',
    max: 10,
    statement_timeout: statementTimeoutMs,
    // The server cannot tell us about a statement whose network is gone; give up a little later than it would.
    query_timeout: statementTimeoutMs + 2_000,
    idle_in_transaction_session_timeout: 3 * statementTimeoutMs,
  });
  // Both are needed: the pool reports idle clients only, and an 'error' nobody listens to ends the process.
  pool.on('error', (error) => log('warn', 'an idle database connection was lost', { error: error.message }));
  pool.on('connect', (client) => client.on('error', () => undefined));
  const dbOf = oneEach((client: PoolClient) => drizzlePg(client));
  return {
    kind: 'postgres',
    address: addressOf(new Client(connection)),
    db: drizzlePg(pool),
    transaction: (work) => poolTransaction(pool, (client) => work(dbOf(client))),
    listenerClient: () => new Client({ ...connection, application_name: 'holdpoint listen' }),
    close: () => pool.end(),
  };
}

/** One for each connection as long as it lasts: statements are built once for it (`statement.ts`). */
function oneEach<Client extends object>(create: (client: Client) => Db): (client: Client) => Db {
  const dbs = new WeakMap<Client, Db>();
  return (client) => {
    const db = dbs.get(client) ?? create(client);
    dbs.set(client, db);
    return db;
  };
}

/**
 * Own begin/commit instead of drizzle's: a connection whose transaction did not end cleanly must leave the pool, and
 * the first error must not be hidden by the one of a rollback on a dead connection.
 */
async function poolTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isClean = false;
  try {
    await client.query('begin');
    const result = await work(client);
    const end = await client.query('commit');
    isClean = true;
    if (end.command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement in it had failed');
    return result;
  } catch (error) {
    // A database that does not answer would not answer this either.
    if (!isClean && !(plainError(error) instanceof StoreUnavailableError)) {
      isClean = await client.query('rollback').then(
        () => true,
        () => false,
      );
    }
    throw error;
  } finally {
    client.release(!isClean);
  }
}

/** Opens PGlite in a directory (created when missing), or in memory. */
export async function openPglite(dataDir: string | undefined): Promise<PGlite> {
  try {
    return await openEmbedded(dataDir);
  } catch (error) {
    throw new Error(
      `the embedded database cannot be opened in ${dataDir === undefined ? 'memory' : resolve(dataDir)}: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}

/** Takes an open PGlite over, and brings its tables up to date. */
export async function usePglite(pglite: PGlite, log: StoreLog): Promise<Database> {
  try {
    await migratePglite(drizzlePglite(pglite), log);
    const { client, close } = createPgliteClient(pglite);
    const db = drizzlePglite(client);
    // Safe: drizzle's session calls `query`, and nothing else, of what it is given.
    const dbOf = oneEach((inside: Transaction) => drizzlePglite(inside as unknown as PGlite));
    return {
      kind: 'pglite',
      address: null,
      db,
      transaction: (work) => client.transaction((inside) => work(dbOf(inside))),
      listenerClient: null,
      close,
    };
  } catch (error) {
    await pglite.close();
    throw error;
  }
}

/** Runs hand-written SQL; both drivers answer `{ rows }`, which drizzle's common type does not say. */
export async function rowsOf(db: Db, query: SQL): Promise<Record<string, unknown>[]> {
  const result = (await db.execute(query)) as object as { rows: Record<string, unknown>[] };
  return result.rows;
}

/** A list as one parameter: drizzle would otherwise spread it into several. */
export function listParam(values: readonly (string | number)[], type: 'text' | 'bigint'): SQL {
  return sql`${sql.param(values)}::${sql.raw(type)}[]`;
}

/** False for a text no row can hold: PostgreSQL refuses NUL, even in a comparison. */
export function canBeStored(text: string | undefined): boolean {
  return text === undefined || !text.includes('\0');
}

export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  // PGlite's file system throws plain objects with WASI's number alone.
  const isNumbered = typeof error === 'object' && error !== null && 'errno' in error;
  return isNumbered ? (wasiMessages[Number(error.errno)] ?? `file error ${String(error.errno)}`) : String(error);
}

const wasiMessages: Record<number, string> = {
  2: 'permission denied',
  19: 'the disk quota is used up',
  29: 'the disk cannot be read or written',
  51: 'no space left on the disk',
  69: 'the file system is read-only',
};
