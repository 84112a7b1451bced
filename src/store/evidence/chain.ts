// The arithmetic of the chain; docs/verify-evidence.mjs does the same without Holdpoint.
import { createHash, createPublicKey, verify } from 'node:crypto';
import type { SignedHead } from '../ports/evidence.ts';

/** What the first record follows on. */
export const firstHash = '0'.repeat(64);

/** A record as it is stored. */
export interface StoredRecord {
  seq: number;
  atMs: number;
  holdId: string | null;
  previous: number | null;
  rowHash: string | null;
  record: string;
  hash: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Over all of a record but its place: enough to follow the chain past records that are not to be shown. */
export function contentHash({ seq, atMs, holdId, previous, rowHash, record }: Omit<StoredRecord, 'hash'>): string {
  return sha256([seq, atMs, holdId ?? '', previous ?? '', rowHash ?? '', record].join('\n'));
}

export const linkHash = (before: string, content: string): string => sha256(`${before}\n${content}`);

/** What is signed of a head. */
export const headText = ({ seq, hash }: Pick<SignedHead, 'seq' | 'hash'>): Buffer =>
  Buffer.from(`holdpoint evidence ${seq} ${hash}`);

/** DER of an Ed25519 public key, before its 32 bytes. */
const keyPrefix = Buffer.from('302a300506032b6570032100', 'hex');

export function isSigned(head: SignedHead): boolean {
  try {
    const der = Buffer.concat([keyPrefix, Buffer.from(head.key, 'hex')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, headText(head), key, Buffer.from(head.signature, 'base64'));
  } catch {
    return false;
  }
}
