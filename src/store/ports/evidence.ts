import type { Attachment } from '../../contract/holds/attachment.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { HoldId } from '../../contract/base/id-types.ts';
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
  /** When it was signed; missing within the chain. */
  at?: string;
  /** Present if the head is a statement that the database was restored. */
  restored?: RestoreStatement;
}

/** What an operator states after a restore of the database; the evidence key signs it. */
export interface RestoreStatement {
  /** Name of the operating system's user. */
  by: string;
  at: string;
  reason: string;
  /** Signed heads stored elsewhere whose records the restored database does not contain; they count no longer. */
  givenUp: { seq: number; hash: string }[];
}

/** The chain does not contain what was signed before: it was rewritten, or the database was restored. */
export class ChainRewrittenError extends Error {
  override name = 'ChainRewrittenError';
}

/** Hashes of the configuration that a process took, and of each of its sections. */
export interface ConfiguredWith {
  at: 'start' | 'reload';
  file: string | null;
  sections: Record<string, string>;
}

/** A record or row that does not verify. */
export interface EvidenceFault {
  /** The hold concerned; null if the fault is about the chain itself or the hold is unknown. */
  holdId: HoldId | null;
  seq: number | null;
  what: string;
}

export interface VerifiedEvidence {
  /** Time of the first record; null if there is none. */
  firstAt: string | null;
  records: number;
  holds: number;
  /** Current end of the chain. */
  head: { seq: number; hash: string };
  /** Public keys of the valid signatures in the chain, each with the last record that it covers. */
  keys: { key: string; seq: number }[];
  faults: EvidenceFault[];
  /** Heads stored elsewhere whose records are not in the chain; each is a fault too. */
  lost: SignedHead[];
  /** Valid statements of restores; heads that they name are not compared. */
  restores: (SignedHead & { restored: RestoreStatement })[];
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

/** What of a row's answers no process of Standfast has proved. */
export type UnprovedIn = (row: Hold & { owner: string; agent: string; attachments: readonly Attachment[] }) => string[];

/** The append-only hash chain of changes to holds. */
export interface Evidence {
  /**
   * Verifies chain and hold rows in one snapshot; the chain must contain `heads`, which were stored elsewhere. `unprovedIn`
   * says what of a row's answers is not proved.
   */
  verify(range: EvidenceRange, heads?: SignedHead[], unprovedIn?: UnprovedIn): Promise<VerifiedEvidence>;
  /**
   * Compares a hold's row with its last record. `altered`: it differs, which is recorded, or a record says so already.
   */
  check(holdId: HoldId): Promise<'intact' | 'altered'>;
  /** Writes verifiable lines of a range, or of one hold with the links from its records to a signed head. */
  export(of: EvidenceRange | { holdId: HoldId }, write: (line: EvidenceLine) => void): Promise<void>;
  /**
   * Appends a signature of the end of the chain; null if the last record is a signature. `signed` runs while the chain
   * is locked. Throws ChainRewrittenError, and signs nothing, if the chain contains neither `last` nor a
   * statement that gives it up.
   */
  sign(
    signed: (head: Pick<SignedHead, 'seq' | 'hash'>) => SignedHead,
    last?: Pick<SignedHead, 'seq' | 'hash' | 'key'> | null,
  ): Promise<SignedHead | null>;
  /** Appends that rows were made again from Temporal and the agents. */
  rebuilt(given: { by: string; tasks: number; questions: number; failed: number }): Promise<void>;
  /** Appends which configuration is in force; false: the last such record is of the same one. */
  configured(given: ConfiguredWith): Promise<boolean>;
  /**
   * Appends a signed statement of a restore if it is of the end of the chain. Returns the end before it, which is another
   * one if the chain has grown; then nothing is appended.
   */
  stateRestore(head: SignedHead): Promise<{ seq: number; hash: string }>;
}
