// The key that signs the evidence: an Ed25519 seed, kept outside the database.
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomKey } from '../../host/secrets/hash.ts';
import { headText } from '../../store/evidence/chain.ts';
import type { SignedHead } from '../../store/ports/evidence.ts';

/** PKCS #8 of an Ed25519 key, before its 32 bytes. */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

const keyOf = (seed: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([seedPrefix, Buffer.from(seed, 'hex')]), format: 'der', type: 'pkcs8' });

/** 64 hex digits, as others know who signed. */
export const publicKeyOf = (seed: string): string =>
  createPublicKey(keyOf(seed)).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

export function createHeadSigner(seed: string): (head: Pick<SignedHead, 'seq' | 'hash'>) => SignedHead {
  const [privateKey, key] = [keyOf(seed), publicKeyOf(seed)];
  return (head) => ({ ...head, key, signature: sign(null, headText(head), privateKey).toString('base64') });
}

/** Where `up` keeps signed heads. */
export const headFileIn = (dataDir: string): string => join(dataDir, 'evidence-heads.jsonl');

const fileIn = (dataDir: string): string => join(dataDir, 'evidence-key');

/** The key that `up` made, or null. */
export function readKey(dataDir: string): string | null {
  const file = fileIn(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** The key in the data directory of `up`, made at its first start. */
export function keyIn(dataDir: string): string {
  const known = readKey(dataDir);
  if (known !== null) return known;
  const made = randomKey();
  writeFileSync(fileIn(dataDir), `${made}\n`, { mode: 0o600, flag: 'wx' });
  return made;
}
