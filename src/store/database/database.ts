import { resolve } from 'node:path';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { Client, Pool, type ClientConfig, type PoolClient } from 'pg';
import { begin, holdBack } from './begin.ts';
import { openEmbedded } from './embedded.ts';
import { addressOf, migratePglite, migratePostgres, type StoreLog } from './migrate.ts';
import { createPgliteClient } from './pglite-client.ts';
import { plainError } from './plain-errors.ts';
import { StoreUnavailableError } from '../store.ts';

/** The common drizzle type of both drivers. */
export type Db = PgDatabase<PgQueryResultHKT>;

/** An open and migrated database. */
export interface Database {
  kind: 'postgres' | 'pglite';
  /** Host, port and database name for messages; null for PGlite. */
  address: string | null;
  db: Db;
  /** `last`: one statement whose locks others wait for; the commit is sent with it, not after its answer was read. */
  transaction<T>(work: (db: Db) => Promise<T>, last?: (db: Db) => Promise<unknown>): Promise<T>;
  /** Creates an unconnected client for LISTEN; null for PGlite, which has no other writers. */
  listenerClient: (() => Client) | null;
  close(): Promise<void>;
}

const statementTimeoutMs = 10_000;
const connectTimeoutMs = 3_000;
/** How long a statement waits for one of the pool's connections: while all are in use the database is not away. */
const turnTimeoutMs = statementTimeoutMs;

/** The pool has a single setting for connecting and for waiting. */
class QuickClient extends Client {
  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectTimeoutMs });
  }
}

/** Opens PostgreSQL and migrates it; throws StoreUnavailableError if it cannot be reached. */
export async function openPostgres(databaseUrl: string, log: StoreLog): Promise<Database> {
  const connection: ClientConfig = {
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  };
  await migratePostgres(connection, log);
  const pool = new Pool({
    ...connection,
    Client: QuickClient,
    connectionTimeoutMillis: turnTimeoutMs,
    application_name: 'standfast',
    max: 10,
    pipeline: true,
    statement_timeout: statementTimeoutMs,
    // Covers a lost connection, on which the server's own timeout never arrives.
    query_timeout: statementTimeoutMs + 2_000,
    idle_in_transaction_session_timeout: 3 * statementTimeoutMs,
  });
  // Both are needed: the pool reports idle clients only, and an unhandled 'error' event ends the process.
  pool.on('error', (error) => log('warn', 'an idle database connection was lost', { error: error.message }));
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    holdBack(client);
  });
  const dbOf = oneEach((client: PoolClient) => drizzlePg(client));
  return {
    kind: 'postgres',
    address: addressOf(new Client(connection)),
    db: drizzlePg(pool),
    transaction: (work, last) =>
      poolTransaction(
        pool,
        (client) => work(dbOf(client)),
        (client) => last?.(dbOf(client)),
      ),
    listenerClient: () => new Client({ ...connection, application_name: 'standfast listen' }),
    close: () => pool.end(),
  };
}

/** Caches one Db for each connection, to which prepared statements are bound (`statement.ts`). */
function oneEach<Client extends object>(create: (client: Client) => Db): (client: Client) => Db {
  const dbs = new WeakMap<Client, Db>();
  return (client) => {
    const db = dbs.get(client) ?? create(client);
    dbs.set(client, db);
    return db;
  };
}

/**
 * Replaces drizzle's transaction, which returns a broken connection to the pool and hides the first error behind that
 * of the rollback.
 */
async function poolTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  last: (client: PoolClient) => Promise<unknown> | undefined,
): Promise<T> {
  const client = await pool.connect();
  let isClean = false;
  // Not waited for: it is sent with the first statement, which is not run where it fails.
  const begun = begin(client);
  try {
    const result = await work(client);
    // PostgreSQL rolls back where the last statement failed.
    const [, end] = await Promise.all([last(client), client.query('commit')]);
    await begun.answered;
    isClean = true;
    if (end.command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement in it had failed');
    return result;
  } catch (given) {
    // What came of the begin comes before what came of statements without it.
    const error: unknown = begun.refusal() ?? given;
    // No rollback on an outage, since it would only wait for the timeout again.
    if (!isClean && begun.refusal() === null && !(plainError(error) instanceof StoreUnavailableError)) {
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

/** Opens PGlite in a directory, created if missing, or in memory; throws an Error that names the directory. */
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

/** Takes ownership of an open PGlite and migrates it; closes it on failure. */
export async function usePglite(pglite: PGlite, log: StoreLog): Promise<Database> {
  try {
    await migratePglite(drizzlePglite(pglite), log);
    const { client, close } = createPgliteClient(pglite);
    const db = drizzlePglite(client);
    // Safe: drizzle's session calls only `query` of its client.
    const dbOf = oneEach((inside: Transaction) => drizzlePglite(inside as unknown as PGlite));
    return {
      kind: 'pglite',
      address: null,
      db,
      transaction: (work, last) =>
        client.transaction(async (inside) => {
          const result = await work(dbOf(inside));
          await last?.(dbOf(inside));
          return result;
        }),
      listenerClient: null,
      close,
    };
  } catch (error) {
    await pglite.close();
    throw error;
  }
}

/** Runs hand-written SQL; both drivers return `{ rows }`, which drizzle's common type lacks. */
export async function rowsOf(db: Db, query: SQL): Promise<Record<string, unknown>[]> {
  const result = (await db.execute(query)) as object as { rows: Record<string, unknown>[] };
  return result.rows;
}

/** Binds a list as one array parameter, which drizzle would otherwise expand into several. */
export function listParam(values: readonly (string | number)[], type: 'text' | 'bigint'): SQL {
  return sql`${sql.param(values)}::${sql.raw(type)}[]`;
}

/** Whether a column has one of these values, as one parameter. */
export const isAnyOf = (column: SQLWrapper, values: readonly string[]): SQL =>
  sql`${column} = any(${listParam(values, 'text')})`;

/** Whether PostgreSQL accepts a text as a parameter; it rejects NUL, even in a comparison. */
export function canBeStored(text: string | undefined): boolean {
  return text === undefined || !text.includes('\0');
}

export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  // PGlite's file system throws plain objects with only a WASI errno.
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
