import type { Principal } from '../../contract/principal.ts';

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
