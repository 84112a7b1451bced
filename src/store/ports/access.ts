import type { Principal } from '../../contract/base/principal.ts';

/** A sign-in to the pages; `tokenHash` is all that is kept of the cookie. */
export interface SessionRow {
  tokenHash: string;
  principal: Principal;
  /** Hash of the key it was opened with: a key taken out of the configuration ends it. Null: by the identity provider. */
  keyHash: string | null;
  /** Of the identity provider: whose it is, and its own session. */
  subject: string | null;
  sid: string | null;
  /** It ends then however much it is used; null: as long as it is used. */
  endsBy: string | null;
  expiresAt: string;
}

export interface Sessions {
  open(session: SessionRow): Promise<void>;
  /** Null when it is unknown or over. */
  get(tokenHash: string): Promise<SessionRow | null>;
  /** Puts the end of a running session off. */
  extend(tokenHash: string, expiresAt: string): Promise<void>;
  close(tokenHash: string): Promise<void>;
  /** Ends those of this person of the identity provider’s, or of one session of its; returns which. */
  closeOf(who: { subject: string | null; sid: string | null }): Promise<string[]>;
}

/** A link that was sent to a person, so that they decide one question by it. What proves it is not kept: only its hash. */
export interface LinkRow {
  hash: string;
  holdId: string;
  digest: string;
  user: string;
  expiresAt: string;
  usedAt: string | null;
  revokedAt: string | null;
}

export interface Links {
  /** The same again is the same row, as it stands. */
  issue(link: Omit<LinkRow, 'usedAt' | 'revokedAt'>): Promise<LinkRow>;
  get(hash: string): Promise<LinkRow | null>;
  /** Whether it was unused until now, and not revoked; of two at once only one gets true. */
  use(hash: string): Promise<boolean>;
  /** What it was used for did not happen. */
  release(hash: string): Promise<void>;
  /** Of a hold, and of one user if one is named; how many could still be used. */
  revoke(holdId: string, user: string | null): Promise<number>;
}
