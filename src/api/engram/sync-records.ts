// Sends the changes that a front end requests to the agent: each with the version it was made from, each answered alone.
import { EngramCallError, type EngramRecord, type EngramWrite } from '../../contract/views/engram.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { assertNever } from '../../core/base/errors.ts';
import { isFulfilled, type RequestedChange } from '../../wire/agui/engram/engram-input.ts';
import { applyPatch } from '../../wire/agui/engram/json-patch.ts';
import { isEqual } from '../../core/agui/patch.ts';
import { getRecord, inContext, recordOf, type EngramSource } from './records.ts';

/** Codes are not standardised: these are in use, and words are all that some servers give. */
const isConflict = ({ code, message }: EngramCallError): boolean =>
  code === -409 || code === 409 || /\b(version|conflict)\b/i.test(message);

function callOf(
  change: RequestedChange,
  expectedVersion: number,
): { method: 'engram/set' | 'engram/patch' | 'engram/delete'; params: JsonObject } {
  const target = { key: { key: change.key }, expectedVersion };
  switch (change.kind) {
    case 'delete':
      return { method: 'engram/delete', params: target };
    case 'patch':
      return { method: 'engram/patch', params: { ...target, patch: change.patch } };
    case 'set': {
      const { labels, ...more } = change.more;
      const key = labels === undefined ? target.key : { ...target.key, labels };
      return { method: 'engram/set', params: { ...target, key, value: change.value, ...more } };
    }
    default:
      return assertNever(change);
  }
}

const without = (
  key: string,
  result: EngramWrite['result'],
  version: number | null,
  message: string | null = null,
): EngramWrite => ({
  key,
  result,
  version,
  message,
});

/** Whether the record is what this change would have made; a lost answer is then not a conflict. */
function isDone(change: RequestedChange, from: EngramRecord | null, now: EngramRecord | null): boolean {
  if (change.kind !== 'patch') return isFulfilled(change, now);
  if (from === null || now === null || now.version <= from.version) return false;
  const patched = applyPatch(from.value, change.patch);
  return patched.ok && isEqual(patched.value, now.value);
}

interface WriteBasis {
  /** The record as it was read at the beginning of the run. */
  known: EngramRecord | null;
  /** The version that the thread was last shown; null where it was shown none. */
  shownVersion: number | null;
}

/**
 * One change. Where the front end names no version it means the one that its thread was shown last: the one read now may be
 * another's newer write, which would be lost. A thread that was shown nothing means the record as it is.
 */
export async function writeRecord(
  source: EngramSource,
  change: RequestedChange,
  { known, shownVersion }: WriteBasis,
  signal: AbortSignal,
): Promise<EngramWrite> {
  const { key } = change;
  if (isFulfilled(change, known)) return without(key, 'unchanged', known?.version ?? null);
  const { method, params } = callOf(change, change.version ?? shownVersion ?? known?.version ?? 0);
  try {
    const { record } = await source.agent.call(method, { ...params, ...inContext(source) }, signal);
    if (change.kind === 'delete') return without(key, 'deleted', null);
    return without(key, 'written', recordOf(record).version);
  } catch (error) {
    if (!(error instanceof EngramCallError)) throw error;
    const now = await getRecord(source, key, signal);
    if (isDone(change, known, now))
      return without(key, change.kind === 'delete' ? 'deleted' : 'written', now?.version ?? null);
    return without(key, isConflict(error) ? 'conflict' : 'refused', now?.version ?? null, error.message);
  }
}
