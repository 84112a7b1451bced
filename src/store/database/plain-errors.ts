import { DrizzleQueryError } from 'drizzle-orm';
import { StoreUnavailableError, type Tables } from '../store.ts';

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
/** SQLSTATE: connection exceptions, insufficient resources, shutdown and start of the server, a statement that took too long. */
const outageStates = /^(08...|53...|57P0[1-3]|57014|25P03)$/;
/** What the driver and its pool say without a code. */
const outageMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout|timeout expired)/;

/** By its words, not its class: errors of node's core come from another realm where modules are loaded in a VM. */
export function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return networkCodes.includes(code) || outageStates.test(code);
  return typeof message === 'string' && outageMessages.test(message);
}

/**
 * The driver's own error, or the one that it causes where the database cannot be reached. drizzle puts statement and
 * values into its message and PGlite adds them as properties, and those hold people's answers: they must not come into a
 * log.
 */
export function plainError(error: unknown): unknown {
  const plain = error instanceof DrizzleQueryError ? (error.cause ?? new Error('a statement failed')) : error;
  if (plain instanceof Error)
    for (const name of ['query', 'params', 'queryOptions']) Reflect.deleteProperty(plain, name);
  return isOutage(plain) ? new StoreUnavailableError('the database cannot be reached', { cause: plain }) : plain;
}

/** An outage while the program starts, as people read it: there is nothing else yet that says which database it is. */
export function unreachable(address: string, error: unknown): StoreUnavailableError {
  const causes: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return new StoreUnavailableError(
    `the database at ${address} cannot be reached: ${causes.join(', ')}\n` +
      'Check that PostgreSQL runs there and lets this machine in (DATABASE_URL), and start this again.',
    { cause: error },
  );
}

/** The same of whatever went wrong at the start. */
export function startError(address: string | null, error: unknown): unknown {
  const plain = plainError(error);
  return plain instanceof StoreUnavailableError && address !== null ? unreachable(address, plain.cause) : plain;
}

type Call = (...args: unknown[]) => Promise<unknown>;

/** The same tables, with every call passed through `around`. */
export function wrapTables(tables: Tables, around: (call: () => Promise<unknown>) => Promise<unknown>): Tables {
  const groups = Object.entries(tables).map(([name, group]: [string, Record<string, Call>]) => [
    name,
    Object.fromEntries(
      Object.entries(group).map(([verb, call]) => [verb, (...args: unknown[]) => around(() => call(...args))]),
    ),
  ]);
  // Safe: same names, same arguments, same results; mapped types over overloaded groups cannot say so.
  return Object.fromEntries(groups) as Tables;
}
