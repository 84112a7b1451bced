// After a restore of the database, signed heads stored elsewhere tell of records that are gone. An operator who has the
// evidence key signs a statement that names those heads; it is a record of the chain, and they count no longer.
import { and, asc, isNull, like } from 'drizzle-orm';
import { objectOf, objectsIn, parseJson, stringOf } from '../../core/base/json.ts';
import type { Db } from '../database/database.ts';
import type { RestoreStatement, SignedHead } from '../ports/evidence.ts';
import { evidence } from '../schema.ts';
import { isSigned } from './chain.ts';
import { hashOf } from './read.ts';

/** Parses the text of a record of kind `signed`; null for a record of another kind. */
export function signedHeadIn(record: string): SignedHead | null {
  const { kind, seq, hash, key, signature, restored } = objectOf(parseJson(record));
  if (kind !== 'signed') return null;
  const head = { seq: Number(seq), hash: stringOf(hash), key: stringOf(key), signature: stringOf(signature) };
  return restored === undefined ? head : { ...head, restored: statementIn(restored) };
}

function statementIn(value: unknown): RestoreStatement {
  const { by, at, reason, givenUp } = objectOf(value);
  const heads = objectsIn(givenUp).map(({ seq, hash }) => ({ seq: Number(seq), hash: stringOf(hash) }));
  return { by: stringOf(by), at: stringOf(at), reason: stringOf(reason), givenUp: heads };
}

export type SignedStatement = SignedHead & { restored: RestoreStatement };

/** Returns the statements in the chain whose signature is valid and of the chain as it is. */
export async function restoresIn(db: Db): Promise<SignedStatement[]> {
  const rows = await db
    .select({ record: evidence.record })
    .from(evidence)
    .where(and(isNull(evidence.holdId), like(evidence.record, '%"restored":%')))
    .orderBy(asc(evidence.seq));
  const found: SignedStatement[] = [];
  for (const { record } of rows) {
    const head = signedHeadIn(record);
    if (head?.restored === undefined || !isSigned(head)) continue;
    if ((await hashOf(db, head.seq)) === head.hash) found.push({ ...head, restored: head.restored });
  }
  return found;
}

/** Whether a statement by the head's own key names the head. */
export function isGivenUp(
  head: Pick<SignedHead, 'seq' | 'hash' | 'key'>,
  restores: readonly SignedStatement[],
): boolean {
  return restores.some(
    ({ key, restored }) =>
      key === head.key && restored.givenUp.some(({ seq, hash }) => seq === head.seq && hash === head.hash),
  );
}
