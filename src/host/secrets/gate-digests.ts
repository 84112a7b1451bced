// Fingerprints of what a yes to a call at a gate is bound to.
import type { Gate } from '../../contract/configuration/gate.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { fingerprintOf } from './hash.ts';

/** Names where the server is, without its secrets. */
export const serverDigest = ({ url, command, cwd }: Pick<Gate, 'url' | 'command' | 'cwd'>): string =>
  fingerprintOf({ url: url ?? null, command: command ?? null, cwd: cwd ?? null });

/** Of all that a server says of a tool, but for members that are no part of its definition. */
export const definitionDigest = ({ _meta: _private, ...definition }: JsonObject): string => fingerprintOf(definition);

/** The definition that was approved; null: there is none, or its row has another by now than its fingerprint is of. */
export const approvedDefinition = ({
  approved,
  approvedDigest,
}: {
  approved: JsonObject | null;
  approvedDigest: string | null;
}): JsonObject | null => (approved !== null && definitionDigest(approved) === approvedDigest ? approved : null);
