// Links to decide by: made from what they are for, with a key that no database holds, so that whoever writes there makes none.
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../core/base/canonical-json.ts';

/** This person may decide this question as it was shown, once, until then. */
export interface LinkClaim {
  holdId: string;
  digest: string;
  user: string;
  expiresAt: string;
}

export interface LinkSigner {
  /** One URL-safe word; the same claim, the same word. */
  tokenOf(claim: LinkClaim): string;
  isTokenOf(token: string, claim: LinkClaim): boolean;
}

/** What is kept of a token. */
export const linkHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** `key`: 64 hex digits, as HOLDPOINT_SEAL_KEY; a key of its own is derived for this use. */
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
