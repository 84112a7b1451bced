// Tokens that others present to us: of links to decide by, and of agents that notify us.
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../core/base/json.ts';
import { randomKey } from './hash.ts';

/** This person may decide this question as it was shown, once, until then. */
export interface LinkClaim {
  holdId: string;
  digest: string;
  user: string;
  expiresAt: string;
}

export interface LinkSigner {
  /** URL-safe; the same claim has the same token. */
  tokenOf(claim: LinkClaim): string;
  isTokenOf(token: string, claim: LinkClaim): boolean;
}

/** What is kept of a token. */
export const linkHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Signs links with a key that no database holds, so that whoever writes there cannot make one. `key`: 64 hex digits, as
 * HOLDPOINT_SEAL_KEY, from which the key of this use is derived.
 */
export function createLinkSigner(key: string): LinkSigner {
  if (!/^[0-9a-f]{64}$/i.test(key)) throw new Error('expected 64 hex digits');
  const own = Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), 'holdpoint', 'decide-links', 32));
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

/** The token of an agent that notifies us: made from a key of the whole installation, so that any process can check it. */
export async function pushTokenOf(settings: Settings, agent: string): Promise<string> {
  const key = (await settings.get(pushKeyName)) ?? (await settings.putOnce(pushKeyName, randomKey()));
  return createHmac('sha256', key).update(`push:${agent}`).digest('base64url');
}
