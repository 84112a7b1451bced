// Signed heads stored elsewhere prove something only if lines can be added to them without effect.
import type { EvidenceFault, SignedHead } from '../ports/evidence.ts';
import { isSigned } from './chain.ts';

/**
 * Faults of the lines themselves: a head that is not signed, by a key that is not trusted (null: any is), a second head
 * of one record, and lines out of order.
 */
export function headFaults(heads: readonly SignedHead[], trusted: ReadonlySet<string> | null): EvidenceFault[] {
  const faults: EvidenceFault[] = [];
  const known = new Map<number, string>();
  let last: SignedHead | null = null;
  for (const head of heads) {
    const { seq, hash, key, at } = head;
    const fault = (what: string): void => void faults.push({ holdId: null, seq, what });
    if (!isSigned(head)) fault('the signature of a head stored elsewhere is not of its record');
    if (trusted?.has(key) === false)
      fault(`a head stored elsewhere is signed by the key ${key}, which is not one of evidence.trust`);
    if ((known.get(seq) ?? hash) !== hash) fault('there are two heads stored elsewhere of this record');
    known.set(seq, known.get(seq) ?? hash);
    const isLater = last === null || (seq >= last.seq && (at ?? '') >= (last.at ?? ''));
    if (!isLater) fault('the heads stored elsewhere are not in the order in which they were signed');
    if (isLater) last = head;
  }
  return faults;
}
