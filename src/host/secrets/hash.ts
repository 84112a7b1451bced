import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '../../core/base/json.ts';
import type { Sha1Hex } from '../../core/base/ids.ts';

/** SHA-1 for the ids of `core/ids`, as hex. */
export const sha1Hex: Sha1Hex = (bytes) => createHash('sha1').update(bytes).digest('hex');

/** `sha256:…` over the canonical JSON of a value: fingerprints of answers and runs, digests of holds. */
export function fingerprintOf(value: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
}

/** `sha256:…` over bytes. */
export const sha256Of = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Names a text among few without telling it. */
export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** 256 random bits as 64 hex digits. */
export const randomKey = (): string => randomBytes(32).toString('hex');

/** The same over a text in UTF-8. */
export const sha256OfText = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
