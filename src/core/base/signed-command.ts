// A command that names a principal, as it crosses Temporal. What a process of Holdpoint signed arrives in a workflow as bytes, and what
// anybody else sent as an object: the payload codec (src/host/temporal/payload-codec.ts) checks the MAC and gives bytes for nothing else.
import type { WorkflowId } from '../../contract/base/id-types.ts';

/** What the MAC covers. */
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

export const commandBytes = (signed: SignedCommand): Uint8Array => new TextEncoder().encode(JSON.stringify(signed));

export interface ReadCommand {
  /** What was signed; null: this is not signed. */
  signed: SignedCommand | null;
  command: unknown;
}

/** The command in an argument. After a change of the key a replay has commands as objects, accepted before and not judged again. */
export function readCommand(given: unknown): ReadCommand {
  if (given instanceof Uint8Array) {
    const signed = JSON.parse(new TextDecoder().decode(given)) as SignedCommand;
    return { signed, command: signed.command };
  }
  const isObject = typeof given === 'object' && given !== null;
  return { signed: null, command: isObject && 'command' in given ? given.command : given };
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

/** Why a command is not believed; null: a process of Holdpoint made it for this workflow, update and execution. */
export function whyUnproved({ signed }: ReadCommand, receiver: Receiver): string | null {
  if (signed === null)
    return 'Holdpoint did not sign this: people decide on its pages, by its API or by `holdpoint decide`';
  const { workflowId, name, id, signedAt } = signed;
  if (workflowId !== receiver.workflowId || name !== receiver.name || id !== receiver.id)
    return 'this was signed for another workflow or update';
  return Date.parse(signedAt) >= receiver.beganAtMs - skewMs
    ? null
    : 'this was signed before the execution began, by the clocks of api and Temporal';
}
