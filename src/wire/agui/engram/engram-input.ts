// `forwardedProps.engram` of a run, and the record changes requested in its state.
import { z } from 'zod';
import {
  engramLimits,
  engramModes,
  type EngramAsk,
  type EngramRecord,
  engramExtension,
} from '../../../contract/views/engram.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { isEqual, isSafeKey } from '../../../core/agui/patch.ts';
import { valueAt } from '../model/state-patch.ts';
import { patchFault } from './json-patch.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { isObject } from '../../../core/base/json.ts';

const FilterSchema = z
  .object({
    keyPrefix: z.string().max(engramLimits.keyChars).optional(),
    key: z.string().max(engramLimits.keyChars).optional(),
  })
  .prefault({});

type EngramInput =
  | { ok: true; ask: EngramAsk | null }
  | { ok: false; code: 'engram_mode_unknown' | 'input_invalid'; message: string };

/** Parses the Engram options; null when the run is no Engram run. Unknown keys are ignored. */
export function readEngram(forwardedProps: Json | undefined): EngramInput {
  const given = isObject(forwardedProps) ? (forwardedProps['engram'] ?? null) : null;
  if (given === null) return { ok: true, ask: null };
  const mode = isObject(given) ? engramModes.find((one) => one === given['mode']) : undefined;
  if (!isObject(given) || mode === undefined) {
    const asked = isObject(given) ? given['mode'] : undefined;
    const what = asked === undefined ? 'is missing' : `is ${JSON.stringify(asked).slice(0, 100)}`;
    return {
      ok: false,
      code: 'engram_mode_unknown',
      message: `forwardedProps.engram.mode ${what}: expected ${engramModes.join(', ')}`,
    };
  }
  const filter = FilterSchema.safeParse(given['filter'] ?? {});
  if (!filter.success)
    return { ok: false, code: 'input_invalid', message: 'forwardedProps.engram.filter: expected keyPrefix or key' };
  const { keyPrefix, key } = filter.data;
  const read = { ...(keyPrefix === undefined ? {} : { keyPrefix }), ...(key === undefined ? {} : { key }) };
  return { ok: true, ask: { mode, filter: read } };
}

export type RequestedChange =
  | { kind: 'delete'; key: string; version: number | null }
  | { kind: 'set'; key: string; value: Json; version: number | null; more: JsonObject }
  | { kind: 'patch'; key: string; patch: JsonObject[]; version: number | null };

type RequestedChanges = { ok: true; changes: RequestedChange[] } | { ok: false; path: string; message: string };

const versionOf = (entry: JsonObject): number | null =>
  typeof entry['version'] === 'number' && Number.isInteger(entry['version']) ? entry['version'] : null;

function requestedChangeOf(key: string, entry: Json): RequestedChange | string {
  if (entry === null) return { kind: 'delete', key, version: null };
  if (isObject(entry) && entry['deleted'] === true && !Object.hasOwn(entry, 'patch'))
    return { kind: 'delete', key, version: versionOf(entry) };
  if (isObject(entry) && Array.isArray(entry['patch'])) {
    const patch = entry['patch'].filter(isObject);
    const fault = patch.length === entry['patch'].length ? patchFault(patch) : 'an operation is not an object';
    return fault ?? { kind: 'patch', key, patch, version: versionOf(entry) };
  }
  if (!isObject(entry) || !Object.hasOwn(entry, 'value'))
    return { kind: 'set', key, value: entry, version: null, more: {} };
  const { tags, labels } = entry;
  const more = { ...(Array.isArray(tags) ? { tags } : {}), ...(isObject(labels) ? { labels } : {}) };
  return { kind: 'set', key, value: entry['value'] ?? null, version: versionOf(entry), more };
}

/**
 * The changes requested in `state.view.engram`: null and `{deleted: true, version?}` delete a record, `{patch}` patches it,
 * any other value replaces it; absent keys are unchanged.
 */
export function requestedChangesOf(state: Json | undefined): RequestedChanges {
  const slice = valueAt(state ?? {}, ['view', 'engram']);
  const path = 'state.view.engram';
  if (slice === undefined) return { ok: false, path, message: 'there is nothing to sync' };
  if (!isObject(slice)) return { ok: false, path, message: 'expected an object, a property a record' };
  const entries = Object.entries(slice);
  const changes: RequestedChange[] = [];
  if (entries.length > engramLimits.writes)
    return { ok: false, path, message: `expected at most ${engramLimits.writes} records` };
  for (const [key, entry] of entries) {
    const at = `${path}.${key.slice(0, 100)}`;
    if (key === '' || key.length > engramLimits.keyChars || !isSafeKey(key))
      return { ok: false, path: at, message: 'is not a key' };
    if (JSON.stringify(entry).length > engramLimits.valueBytes) return { ok: false, path: at, message: 'is too large' };
    const change = requestedChangeOf(key, entry);
    if (typeof change === 'string') return { ok: false, path: at, message: change };
    changes.push(change);
  }
  return { ok: true, changes };
}

/** True when the record already has the requested value. */
export function isFulfilled(change: RequestedChange, record: EngramRecord | null): boolean {
  if (change.kind === 'patch') return false;
  if (change.kind === 'delete') return record === null;
  if (record === null || !isEqual(record.value, change.value)) return false;
  const { tags } = change.more;
  return tags === undefined || isEqual(tags, record.tags ?? []);
}

// Older form of Engram: a state change sent inside a message (`forwardedProps.a2a.engramUpdate`).
export const EngramUpdateSchema = z.object({
  scope: z.enum(['task', 'context', 'agent'], 'expected task, context or agent').default('task'),
  path: z.string('expected a text').max(500, 'expected at most 500 characters').optional(),
  update: z.json(),
});
type EngramUpdate = z.infer<typeof EngramUpdateSchema>;

/** The part, metadata and extension URI that carry the update in a message. */
export function updateInMessage(update: EngramUpdate | null): {
  parts: NeutralPart[];
  metadata: JsonObject;
  extensions: string[];
} {
  if (update === null) return { parts: [], metadata: {}, extensions: [] };
  const { scope, path, update: value } = update;
  const change: JsonObject = { scope, ...(path === undefined ? {} : { path }), update: value };
  return {
    parts: [{ kind: 'data', data: { type: 'engram', ...change }, metadata: {} }],
    metadata: { engram: change },
    extensions: [engramExtension],
  };
}
