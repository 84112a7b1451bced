import { DrizzleQueryError } from 'drizzle-orm';
import { StoreUnavailableError, type Tables } from '../store.ts';
import { readable } from '../unreadable.ts';

const networkCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
];
/** SQLSTATEs of lost connections, exhausted resources, server shutdown and start, time-outs, and a standby that takes no writes. */
const outageStates = /^(08...|53...|57P0[1-3]|57014|25P03|25006)$/;
/** Messages of the driver's and its pool's errors that have no code. */
const outageMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|timeout exceeded when trying to connect|Query read timeout|timeout expired)/;

/** Whether an error is an outage, by code and message, since `instanceof` fails for errors of another VM realm. */
export function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return networkCodes.includes(code) || outageStates.test(code);
  return typeof message === 'string' && outageMessages.test(message);
}

/**
 * Returns the driver's error, or StoreUnavailableError for an outage, without the statement and its values: drizzle and
 * PGlite add them, and people's answers must not reach a log.
 */
export function plainError(error: unknown): unknown {
  const plain = error instanceof DrizzleQueryError ? (error.cause ?? new Error('a statement failed')) : error;
  if (plain instanceof Error)
    for (const name of ['query', 'params', 'queryOptions']) Reflect.deleteProperty(plain, name);
  return isOutage(plain) ? new StoreUnavailableError('the database cannot be reached', { cause: plain }) : plain;
}

/** Error for an outage at start, with the database's address and advice. */
export function unreachable(address: string, error: unknown): StoreUnavailableError {
  const causes: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return new StoreUnavailableError(
    `the database at ${address} cannot be reached: ${causes.join(', ')}\n` +
      'Check that PostgreSQL runs there and lets this machine in (DATABASE_URL), and start this again.',
    { cause: error },
  );
}

/** Returns `unreachable` for an outage, and the plain error for anything else. */
export function startError(address: string | null, error: unknown): unknown {
  const plain = plainError(error);
  return plain instanceof StoreUnavailableError && address !== null ? unreachable(address, plain.cause) : plain;
}

type Call = (...args: unknown[]) => Promise<unknown>;

/** Wraps every call of the tables in `around`, and replaces what cannot be read in its result. */
export function wrapTables(tables: Tables, around: (call: () => Promise<unknown>) => Promise<unknown>): Tables {
  const groups = Object.entries(tables).map(([name, group]: [string, Record<string, Call>]) => [
    name,
    Object.fromEntries(
      Object.entries(group).map(([verb, call]) => [
        verb,
        (...args: unknown[]) => around(async () => readable(name, await call(...args))),
      ]),
    ),
  ]);
  // Safe: names, arguments and results are unchanged, which mapped types cannot express here.
  return Object.fromEntries(groups) as Tables;
}
