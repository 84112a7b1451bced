// API keys of the configuration: who has which. Kept as hashes; the keys themselves are compared and forgotten.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../contract/config.ts';
import type { Principal } from '../../contract/principal.ts';

export interface KnownKey {
  /** SHA-256 of the key, hex. */
  hash: string;
  principal: Principal;
}

export interface KeyRing {
  isEmpty: boolean;
  byKey(key: string): KnownKey | null;
  /** The key of this hash, as long as the configuration has it. */
  byHash(hash: string): KnownKey | null;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export function createKeyRing(config: Config): KeyRing {
  const known = config.auth.keys.map(({ user, roles, key, keySha256 }) => {
    const bytes = key === undefined ? Buffer.from(keySha256 ?? '', 'hex') : sha256(key);
    return { bytes, hash: bytes.toString('hex'), principal: { id: user, roles, isSuper: false } satisfies Principal };
  });
  function find(bytes: Buffer): KnownKey | null {
    // All keys are compared, each in constant time: how long it takes says nothing about which one was near.
    const matching = known.filter((one) => one.bytes.length === bytes.length && timingSafeEqual(one.bytes, bytes));
    const [found] = matching;
    return found === undefined ? null : { hash: found.hash, principal: found.principal };
  }
  return {
    isEmpty: known.length === 0,
    byKey: (key) => find(sha256(key)),
    byHash: (hash) => find(Buffer.from(hash, 'hex')),
  };
}
