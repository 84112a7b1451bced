import type { HoldId } from '../../contract/base/id-types.ts';
import type { OpenedSession } from '../../core/base/proved-row.ts';

export interface SessionRow extends OpenedSession {
  /** Idle expiry, ISO 8601. */
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
