// Fingerprints of what a yes to a call at a gate is bound to.
import type { Gate } from '../../contract/configuration/gate.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { isProvedRow, type RowMacs } from '../../core/base/proved-row.ts';
import { fingerprintOf } from './hash.ts';

/** Names where the server is, without its secrets. */
export const serverDigest = ({ url, command, cwd }: Pick<Gate, 'url' | 'command' | 'cwd'>): string =>
  fingerprintOf({ url: url ?? null, command: command ?? null, cwd: cwd ?? null });

/** Of all that a server says of a tool, but for members that are no part of its definition. */
export const definitionDigest = ({ _meta: _private, ...definition }: JsonObject): string => fingerprintOf(definition);

interface Approval {
  gate: string;
  tool: string;
  approved: JsonObject | null;
  approvedDigest: string | null;
  approvedBy: string | null;
  approvedMac: string | null;
}

/** Whether an operator, or the first list of its gate, approved the definition of this fingerprint. */
export const isApproved = (
  macs: Pick<RowMacs, 'isMacOf'>,
  { gate, tool, approvedDigest: digest, approvedBy: by, approvedMac }: Omit<Approval, 'approved'>,
): boolean => digest !== null && isProvedRow(macs, 'approved tool', { gate, tool, digest, by }, approvedMac);

/** The definition that was approved; null: there is none, or its row has another than was. */
export const approvedDefinition = (macs: Pick<RowMacs, 'isMacOf'>, row: Approval): JsonObject | null =>
  row.approved !== null && definitionDigest(row.approved) === row.approvedDigest && isApproved(macs, row)
    ? row.approved
    : null;
