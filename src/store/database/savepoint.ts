import { DrizzleQueryError, sql } from 'drizzle-orm';
import type { Db } from './database.ts';

const uniqueViolation = '23505';

/** Runs a write that may violate a unique index, under a savepoint if it is in a transaction. */
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
