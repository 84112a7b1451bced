import type { HoldId } from '../../contract/base/id-types.ts';
import type { Granter, GrantRow, GrantUsed, ProvenGrant } from '../../contract/base/grant.ts';

/** What a call under a grant comes to: it is answered, asked about all the same, or not within. */
export type GrantUse = { isAsked: boolean; amount: number } | null;

/** Standing grants, and the calls that came under them. */
export interface Grants {
  put(grant: ProvenGrant): Promise<GrantRow>;
  get(id: string): Promise<GrantRow | null>;
  /** Newest first. */
  list(): Promise<{ grant: GrantRow; used: GrantUsed }[]>;
  used(id: string): Promise<GrantUsed>;
  /** Those for an agent's tool that have not ended, oldest first. */
  ofCall(agent: string, tool: string): Promise<GrantRow[]>;
  /** Adds an author; the same again changes nothing. */
  give(id: string, given: Granter): Promise<GrantRow | null>;
  /**
   * Counts a call against a grant, once, as `judge` finds with all that was counted before; null: it is not within, or the grant has
   * ended.
   */
  use(id: string, holdId: HoldId, judge: (grant: GrantRow, used: GrantUsed) => GrantUse): Promise<GrantUse>;
  /** Takes back what was counted for a call that is asked about after all. */
  unuse(holdId: HoldId): Promise<void>;
  /** Ends it now; one that has ended stays as it is. */
  end(id: string, ended: Pick<NonNullable<GrantRow['ended']>, 'by' | 'why' | 'at'>): Promise<GrantRow | null>;
}
