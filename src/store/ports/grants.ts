import type { HoldId } from '../../contract/base/id-types.ts';
import type { Granter, GrantRow, ProvenGrant } from '../../contract/base/grant.ts';
import type { RowMacs } from '../../core/base/proved-row.ts';

/** What a call under a grant comes to: it is answered, asked about all the same, or not within. */
export type GrantUse = { isAsked: boolean; amount: number } | null;

/** Standing grants, and the calls that came under them. `macs`: what is counted is counted by a process of Standfast. */
export interface Grants {
  put(grant: ProvenGrant, macs: RowMacs): Promise<GrantRow>;
  get(id: string): Promise<GrantRow | null>;
  /** Newest first. */
  list(): Promise<GrantRow[]>;
  /** Those for an agent's tool that have not ended, oldest first. */
  ofCall(agent: string, tool: string): Promise<GrantRow[]>;
  /** Adds an author; the same again changes nothing. */
  give(id: string, given: Granter): Promise<GrantRow | null>;
  /**
   * Counts a call against a grant, once, as `judge` finds with all that was counted before; null: it is not within, or the grant has
   * ended, or its rows are not as a process of Standfast left them.
   */
  use(id: string, holdId: HoldId, macs: RowMacs, judge: (grant: GrantRow) => GrantUse): Promise<GrantUse>;
  /** Has another call asked about in the place of this one, whose question ended without a person's word; once. Call it in a transaction. */
  owe(id: string, holdId: HoldId, macs: RowMacs): Promise<void>;
  /** Takes back what was counted for a call that is asked about after all. */
  unuse(id: string, holdId: HoldId, macs: RowMacs): Promise<void>;
  /** Ends it now; one that has ended stays as it is. */
  end(id: string, ended: Pick<NonNullable<GrantRow['ended']>, 'by' | 'why' | 'at'>): Promise<GrantRow | null>;
}
