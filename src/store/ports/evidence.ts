/** By when records were written; ISO 8601. */
export interface EvidenceRange {
  from?: string;
  to?: string;
}

/** The end of the chain at some time, and who vouches for it. */
export interface SignedHead {
  seq: number;
  hash: string;
  /** Ed25519 public key, 64 hex digits. */
  key: string;
  /** Base64. */
  signature: string;
}

/** What is not as it was written. */
export interface EvidenceFault {
  /** Whose record or row it is; null: nobody's, or it cannot be known any more. */
  holdId: string | null;
  seq: number | null;
  what: string;
}

export interface VerifiedEvidence {
  records: number;
  holds: number;
  /** Where the chain ends now. */
  head: { seq: number; hash: string };
  /** Public keys under heads of the chain, each with the last record that it vouches for. */
  keys: { key: string; seq: number }[];
  faults: EvidenceFault[];
}

/** A line of an export; docs/verify-evidence.mjs reads them. */
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
  /** A record that is not to be shown, by the hash of its content. */
  | { type: 'link'; seq: number; content: string }
  /** A hold's row as it is now: the columns that the chain answers for, as text. */
  | { type: 'hold'; hold: string; columns: Record<string, string | null> };

/** The chain of what was done to holds. */
export interface Evidence {
  /** Reads the chain and the rows it speaks of, as of one moment. `heads`: kept outside, which it must still lead to. */
  verify(range: EvidenceRange, heads?: SignedHead[]): Promise<VerifiedEvidence>;
  /** Lines that prove themselves: of a range, or of one hold with what links its records to a signed head. */
  export(of: EvidenceRange | { holdId: string }, write: (line: EvidenceLine) => void): Promise<void>;
  /**
   * Has the end of the chain signed, and puts that into the chain; null when nothing came since it was signed last. `signed`
   * is called with the chain held up.
   */
  sign(signed: (head: Pick<SignedHead, 'seq' | 'hash'>) => SignedHead): Promise<SignedHead | null>;
}
