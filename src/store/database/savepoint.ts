import { DrizzleQueryError, sql } from 'drizzle-orm';
import type { Db } from './database.ts';

const uniqueViolation = '23505';

/**
 * Runs one write that may break a unique index; `duplicate` when it did. In a transaction it gets a savepoint, for
 * PostgreSQL refuses everything after an error otherwise.
 */
export async function guardedAgainstDuplicates(
  db: Db,
  isInTransaction: boolean,
  write: () => Promise<unknown>,
): Promise<'written' | 'duplicate'> {
  if (isInTransaction) await db.execute(sql`savepoint guarded`);
  try {
    await write();
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error;
    if (isInTransaction) await db.execute(sql`rollback to savepoint guarded`);
    return 'duplicate';
  }
  if (isInTransaction) await db.execute(sql`release savepoint guarded`);
  return 'written';
}

function sqlState(error: unknown): string | undefined {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}
