import type { TaskId } from '../../contract/base/id-types.ts';
import type { JsonObject } from '../../contract/base/json.ts';

/** A tool as its server lists it, with the fingerprint of its definition. */
export interface ListedDefinition {
  tool: string;
  digest: string;
  definition: JsonObject;
}

export interface GateToolRow {
  gate: string;
  tool: string;
  /** As it was approved; null: it never was. */
  approvedDigest: string | null;
  approved: JsonObject | null;
  /** Null also where it was among the first that its gate listed. */
  approvedBy: string | null;
  approvedAt: string | null;
  /** That a process of Standfast wrote the approval. */
  approvedMac: string | null;
  /** As it is listed now. */
  listedDigest: string;
  listed: JsonObject;
  listedAt: string;
}

/** What a server answered to a call, or why it was not made. */
export type CallOutcome =
  | { kind: 'result'; result: JsonObject }
  | { kind: 'error'; error: { code: number; message: string; data?: JsonObject } }
  | { kind: 'refused'; why: string };

export interface GateCallRow {
  callId: string;
  gate: string;
  owner: string;
  taskId: TaskId;
  fingerprint: string;
  heldAt: string;
  outcome: CallOutcome | null;
  /** That the worker that made the call wrote its outcome. */
  outcomeMac: string | null;
  takenAt: string | null;
}

interface GateTools {
  /**
   * Notes what a gate lists; `approvalOf`: what the first list of a gate has counts as approved, with this MAC; null: nothing does.
   * Returns all tools that it ever listed.
   */
  list(
    gate: string,
    listed: readonly ListedDefinition[],
    approvalOf: ((listed: ListedDefinition) => string) | null,
  ): Promise<GateToolRow[]>;
  of(gate: string): Promise<GateToolRow[]>;
  /** Approves a tool as it was shown; null where it is not listed so any more. */
  approve(
    gate: string,
    tool: string,
    digest: string,
    approval: { by: string; mac: string },
  ): Promise<GateToolRow | null>;
}

interface GateCalls {
  /** Keeps a call, or returns the one like it that no client has taken yet. */
  hold(call: Pick<GateCallRow, 'callId' | 'gate' | 'owner' | 'taskId' | 'fingerprint'>): Promise<GateCallRow>;
  get(callId: string): Promise<GateCallRow | null>;
  /** Keeps the outcome in the place of the one with that MAC (null: of none), or not at all. */
  finish(callId: string, kept: { outcome: CallOutcome; mac: string }, before: string | null): Promise<void>;
  take(callId: string): Promise<void>;
}

export interface Gates {
  gateTools: GateTools;
  gateCalls: GateCalls;
}
