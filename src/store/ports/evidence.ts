/** Inclusive range of the times at which records were written; ISO 8601. */
export interface EvidenceRange {
  from?: string;
  to?: string;
}

/** Signed end of the hash chain at one point in time. */
export interface SignedHead {
  seq: number;
  hash: string;
  /** Ed25519 public key, 64 hex digits. */
  key: string;
  /** Base64. */
  signature: string;
}

/** A record or row that does not verify. */
export interface EvidenceFault {
  /** The hold concerned; null if the fault is about the chain itself or the hold is unknown. */
  holdId: string | null;
  seq: number | null;
  what: string;
}

export interface VerifiedEvidence {
  records: number;
  holds: number;
  /** Current end of the chain. */
  head: { seq: number; hash: string };
  /** Public keys of the valid signatures in the chain, each with the last record that it covers. */
  keys: { key: string; seq: number }[];
  faults: EvidenceFault[];
}

/** One line of an export, which docs/verify-evidence.mjs verifies. */
export type EvidenceLine =
  | { type: 'start'; seq: number; hash: string }
  | {
      type: 'record';
      seq: number;
      at: string;
      hold: string | null;
      previous: number | null;
      row: string | null;
      record: string;
      hash: string;
    }
  /** A record of another hold, by the hash of its content only. */
  | { type: 'link'; seq: number; content: string }
  /** The current values of a hold's covered columns, as text. */
  | { type: 'hold'; hold: string; columns: Record<string, string | null> };

/** The append-only hash chain of changes to holds. */
export interface Evidence {
  /** Verifies chain and hold rows in one snapshot; the chain must contain `heads`, which were stored elsewhere. */
  verify(range: EvidenceRange, heads?: SignedHead[]): Promise<VerifiedEvidence>;
  /** Writes verifiable lines of a range, or of one hold with the links from its records to a signed head. */
  export(of: EvidenceRange | { holdId: string }, write: (line: EvidenceLine) => void): Promise<void>;
  /**
   * Appends a signature of the end of the chain; null if the last record is a signature. `signed` runs while the chain
   * is locked.
   */
  sign(signed: (head: Pick<SignedHead, 'seq' | 'hash'>) => SignedHead): Promise<SignedHead | null>;
}
