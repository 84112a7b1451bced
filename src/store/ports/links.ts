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
  /** Whether it was unused until now, and not revoked; two at once are not both told so. */
  use(hash: string): Promise<boolean>;
  /** What it was used for did not happen. */
  release(hash: string): Promise<void>;
  /** Of a hold, and of one user if one is named; how many could still be used. */
  revoke(holdId: string, user: string | null): Promise<number>;
}
