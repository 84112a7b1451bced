import type { HoldId } from '../../contract/base/id-types.ts';
import type { Principal } from '../../contract/base/principal.ts';

/** A browser session; the cookie's token is stored only as a hash. */
export interface SessionRow {
  tokenHash: string;
  principal: Principal;
  /** Hash of the API key that opened it, so that removing the key ends it; null: identity provider. */
  keyHash: string | null;
  /** OIDC claim `sub`; null for a session opened with a key. */
  subject: string | null;
  /** OIDC claim `sid`: the identity provider's session; null if it sent none. */
  sid: string | null;
  /** Absolute expiry, ISO 8601, which use does not extend; null: only the idle expiry `expiresAt` applies. */
  endsBy: string | null;
  expiresAt: string;
  /** That an api opened it. */
  mac: string;
}

export interface Sessions {
  open(session: SessionRow): Promise<void>;
  /** Returns null for an unknown or expired session. */
  get(tokenHash: string): Promise<SessionRow | null>;
  /** Moves the idle expiry of a session that has not expired. */
  extend(tokenHash: string, expiresAt: string): Promise<void>;
  close(tokenHash: string): Promise<void>;
  /** Sign-ins by the identity provider with this mail address that still last, the newest last. */
  byEmail(email: string): Promise<SessionRow[]>;
  /** Deletes the identity provider's sessions with this `sub` and `sid` (null: any); returns token hashes. */
  closeOf(who: { subject: string | null; sid: string | null }): Promise<string[]>;
}

/** A link by which one person decides one question; its token is stored only as a hash. */
export interface LinkRow {
  hash: string;
  holdId: HoldId;
  digest: string;
  user: string;
  expiresAt: string;
  usedAt: string | null;
  revokedAt: string | null;
}

export interface Links {
  /** Inserts the link once; a repeated call returns the stored row. */
  issue(link: Omit<LinkRow, 'usedAt' | 'revokedAt'>): Promise<LinkRow>;
  get(hash: string): Promise<LinkRow | null>;
  /** Marks the link as used; true for exactly one caller, and only if it is not revoked. */
  use(hash: string): Promise<boolean>;
  /** Marks the link as unused again, when the decision it was used for was not taken. */
  release(hash: string): Promise<void>;
  /** Revokes the unused links of a hold, or those of one user; returns how many. */
  revoke(holdId: HoldId, user: string | null): Promise<number>;
}

/** Secret fields of answers, encrypted by the caller and decrypted by the turn that sends them. */
export interface Seals {
  put(seal: { sealId: string; holdId: HoldId; box: string }): Promise<void>;
  get(sealId: string): Promise<string | null>;
  destroy(holdId: HoldId): Promise<void>;
}
