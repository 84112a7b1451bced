// The API keys of the configuration, kept as hashes.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../../contract/configuration/auth.ts';
import type { Config } from '../../contract/configuration/config.ts';
import type { Principal } from '../../contract/base/principal.ts';

export interface KnownKey {
  /** SHA-256 of the key, hex. */
  hash: string;
  principal: Principal;
}

export interface KeyRing {
  /** True if callers cannot be identified: there are no keys, and no other way to sign in. */
  isEmpty: boolean;
  /** The key, unless it has expired. */
  byKey(key: string): KnownKey | null;
  /** The key of this hash, as long as the configuration has it and it has not expired. */
  byHash(hash: string): KnownKey | null;
}

interface RingKey extends KnownKey {
  bytes: Buffer;
  expiresMs: number;
}

/** Identifies a key in records without revealing anything of it. */
const idLength = 12;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

function ringKey({ user, roles, key, keySha256, id, expires, kind }: ApiKey): RingKey {
  const bytes = key === undefined ? Buffer.from(keySha256 ?? '', 'hex') : sha256(key);
  const hash = bytes.toString('hex');
  const credential = `key:${id ?? hash.slice(0, idLength)}`;
  const named: Principal = { id: user, roles, isSuper: false, credential };
  const principal = kind === 'person' ? named : { ...named, kind };
  return { bytes, hash, principal, expiresMs: expires === undefined ? Infinity : Date.parse(expires) };
}

export function createKeyRing(config: Pick<Config, 'auth'>, now: () => Date): KeyRing {
  let from = config.auth.keys;
  let known = from.map(ringKey);
  /** The current keys; they are replaced as a whole at run time. */
  function ring(): RingKey[] {
    if (from === config.auth.keys) return known;
    from = config.auth.keys;
    known = from.map(ringKey);
    return known;
  }
  function find(bytes: Buffer): KnownKey | null {
    // All keys are compared, each in constant time, so that timing reveals nothing.
    const matching = ring().filter((one) => one.bytes.length === bytes.length && timingSafeEqual(one.bytes, bytes));
    const [found] = matching;
    if (found === undefined || found.expiresMs <= now().getTime()) return null;
    return { hash: found.hash, principal: found.principal };
  }
  return {
    // Never changes at run time: a configuration that would open or close everything needs a restart.
    isEmpty: known.length === 0 && config.auth.oidc === undefined,
    byKey: (key) => find(sha256(key)),
    byHash: (hash) => find(Buffer.from(hash, 'hex')),
  };
}
