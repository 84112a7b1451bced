// Tokens that Standfast issues and verifies: of decision links, and of agents' push notifications.
import type { HoldId } from '../../contract/base/id-types.ts';
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../core/base/json.ts';
import { randomKey } from './hash.ts';

/** Permission of one person to decide one question, as shown, once, before `expiresAt`. */
export interface LinkClaim {
  holdId: HoldId;
  digest: string;
  user: string;
  expiresAt: string;
}

export interface LinkSigner {
  /** Returns a URL-safe token; deterministic. */
  tokenOf(claim: LinkClaim): string;
  isTokenOf(token: string, claim: LinkClaim): boolean;
}

/** Hashes a token for storage. */
export const linkHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Signs links with a key derived from STANDFAST_SEAL_KEY (64 hex digits), so that write access to the database does not
 * suffice to forge one.
 */
export function createLinkSigner(key: string): LinkSigner {
  if (!/^[0-9a-f]{64}$/i.test(key)) throw new Error('expected 64 hex digits');
  const own = Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), 'standfast', 'decide-links', 32));
  const macOf = ({ holdId, digest, user, expiresAt }: LinkClaim): Buffer =>
    createHmac('sha256', own)
      .update(canonicalJson({ holdId, digest, user, expiresAt: new Date(expiresAt).toISOString() }))
      .digest();
  return {
    tokenOf: (claim) => macOf(claim).toString('base64url'),
    isTokenOf(token, claim) {
      const given = Buffer.from(token, 'base64url');
      const expected = macOf(claim);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

interface Settings {
  get(name: string): Promise<string | null>;
  putOnce(name: string, value: string): Promise<string>;
}

const pushKeyName = 'push-key';

/** Derives an agent's push notification token from a key in the database, so that any process can verify it. */
export async function pushTokenOf(settings: Settings, agent: string): Promise<string> {
  const key = (await settings.get(pushKeyName)) ?? (await settings.putOnce(pushKeyName, randomKey()));
  return createHmac('sha256', key).update(`push:${agent}`).digest('base64url');
}
