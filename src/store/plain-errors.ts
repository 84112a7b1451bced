import { DrizzleQueryError } from 'drizzle-orm';
import type { Tables } from './store.ts';

/**
 * The driver's own error. drizzle puts statement and values into its message and PGlite adds them as properties, and
 * those hold people's answers: they must not come into a log.
 */
export function plainError(error: unknown): unknown {
  const plain = error instanceof DrizzleQueryError ? (error.cause ?? new Error('a statement failed')) : error;
  if (plain instanceof Error)
    for (const name of ['query', 'params', 'queryOptions']) Reflect.deleteProperty(plain, name);
  return plain;
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
