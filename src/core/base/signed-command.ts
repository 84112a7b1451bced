// What crosses Temporal, and whether a process of Standfast made it: the payload codec (src/host/temporal/payload-codec.ts) checks the MAC
// of each payload, and hands on what has none as a value that says so.
import type { WorkflowId } from '../../contract/base/id-types.ts';

const unproved = 'standfast:unproved';

/** Metadata of such a payload. */
export const unprovedMark = 'standfast-unproved';

/** Metadata of a payload that is left in clear, since its reader has no codec key: it has a MAC all the same. */
export const clearMark = 'standfast-clear';

/** What has no MAC of Standfast's, as workflows and activities get it: nothing that has one is read as this. */
export interface Unproved {
  [unproved]: unknown;
}

export const asUnproved = (value: unknown): Unproved => ({ [unproved]: value });

export const isUnproved = (given: unknown): given is Unproved =>
  typeof given === 'object' && given !== null && Object.hasOwn(given, unproved);

/** For the few messages that people write with Temporal's own tools: what it says, proved or not. */
export const byAnyone = (given: unknown): unknown => (isUnproved(given) ? given[unproved] : given);

/** What a command is for. It names a principal, so that a copy of it may do nothing anywhere else. */
export interface SignedCommand {
  workflowId: WorkflowId;
  /** The update or signal it was made for. */
  name: string;
  /** Of the update: Temporal runs each id once, so that a copy does nothing. A signal: of the command itself. */
  id: string;
  /** ISO time at which it was signed. */
  signedAt: string;
  command: unknown;
}

export interface ReadCommand {
  /** What was signed; null: this is not signed. */
  signed: SignedCommand | null;
  command: unknown;
}

/** The command in an argument. After a change of the key a replay has commands without proof, accepted before and not judged again. */
export function readCommand(given: unknown): ReadCommand {
  const value = byAnyone(given);
  const isObject = typeof value === 'object' && value !== null;
  if (!isObject || !('command' in value)) return { signed: null, command: value };
  // Safe: what is proved was made as such, and is compared member by member.
  return { signed: isUnproved(given) ? null : (value as SignedCommand), command: value.command };
}

/** The workflow that judges a command. */
export interface Receiver {
  workflowId: WorkflowId;
  name: string;
  id: string | undefined;
  /** When this execution began: what was signed long before was meant for an earlier one. */
  beganAtMs: number;
}

/** Clocks of api and server differ. */
const skewMs = 600_000;

/** Why a command is not believed; null: a process of Standfast made it for this workflow, update and execution. */
export function whyUnsigned({ signed }: ReadCommand, receiver: Receiver): string | null {
  if (signed === null)
    return 'Standfast did not sign this: people decide on its pages, by its API or by `standfast decide`';
  const { workflowId, name, id, signedAt } = signed;
  if (workflowId !== receiver.workflowId || name !== receiver.name || id !== receiver.id)
    return 'this was signed for another workflow or update';
  return Date.parse(signedAt) >= receiver.beganAtMs - skewMs
    ? null
    : 'this was signed before the execution began, by the clocks of api and Temporal';
}
