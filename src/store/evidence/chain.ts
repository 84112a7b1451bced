// Hashes and signatures of the chain; docs/verify-evidence.mjs implements them independently.
import type { HoldId } from '../../contract/base/id-types.ts';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { canonicalJson } from '../../core/base/json.ts';
import type { SignedHead } from '../ports/evidence.ts';

/** Hash before the first record. */
export const firstHash = '0'.repeat(64);

export interface StoredRecord {
  seq: number;
  atMs: number;
  holdId: HoldId | null;
  previous: number | null;
  rowHash: string | null;
  record: string;
  hash: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Hashes a record's content without the previous hash, so that an export can link past records that it omits. */
export function contentHash({ seq, atMs, holdId, previous, rowHash, record }: Omit<StoredRecord, 'hash'>): string {
  return sha256([seq, atMs, holdId ?? '', previous ?? '', rowHash ?? '', record].join('\n'));
}

export const linkHash = (before: string, content: string): string => sha256(`${before}\n${content}`);

/** A head before it is signed. */
export type UnsignedHead = Pick<SignedHead, 'seq' | 'hash' | 'restored'>;

/** The bytes that are signed. */
export const headText = ({ seq, hash, restored }: UnsignedHead): Buffer =>
  Buffer.from(`standfast evidence ${seq} ${hash}${restored === undefined ? '' : `\n${canonicalJson(restored)}`}`);

/** DER prefix of an Ed25519 public key in SPKI format. */
const keyPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Verifies a head's Ed25519 signature; false for a malformed key or signature. */
export function isSigned(head: SignedHead): boolean {
  try {
    const der = Buffer.concat([keyPrefix, Buffer.from(head.key, 'hex')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, headText(head), key, Buffer.from(head.signature, 'base64'));
  } catch {
    return false;
  }
}
