// Changes of state as patches (`core/agui/patch.ts` applies them). Values are immutable and shared: an untouched subtree keeps
// its identity, which makes comparing cheap.
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { withKey } from './json-bytes.ts';
import { isEqual, isSafeKey, type PatchOp, withoutKey } from '../../../core/agui/patch.ts';
import { isObject, objectOf } from '../../../core/base/json.ts';
import { ownEntry } from '../../../core/base/own-entry.ts';

/** Operations per value before it is replaced as a whole. */
const maxOps = 256;

const encodeSegment = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

export function pointerOf(segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeSegment(segment)}`).join('');
}

/** The value at a path inside objects; undefined when there is none. */
export function valueAt(state: Json, segments: readonly string[]): Json | undefined {
  let value: Json | undefined = state;
  for (const segment of segments) {
    if (!isObject(value) || !Object.hasOwn(value, segment)) return undefined;
    value = value[segment];
  }
  return value;
}

/** A copy with the value at a path set (undefined: removed); non-objects along the path are replaced by objects. */
export function withValueAt(state: JsonObject, segments: readonly string[], value: Json | undefined): JsonObject {
  const [key, ...rest] = segments;
  if (key === undefined || !segments.every(isSafeKey)) return state;
  const current = ownEntry(state, key);
  if (rest.length === 0) {
    if (value === undefined) return current === undefined ? state : withoutKey(state, key);
    return current === value ? state : withKey(state, key, value);
  }
  if (value === undefined && !isObject(current)) return state;
  const container = objectOf(current);
  const next = withValueAt(container, rest, value);
  return next === current ? state : withKey(state, key, next);
}

/** Plain loops for speed: an object with thousands of keys is compared again for every added key. */
function differenceOfObjects(before: JsonObject, after: JsonObject, path: string): PatchOp[] {
  const changed: string[] = [];
  let kept = 0;
  for (const key of Object.keys(after)) {
    const isSame = before[key] === after[key];
    if (isSame || Object.hasOwn(before, key)) kept += 1;
    if (!isSame) changed.push(key);
  }
  const keys = Object.keys(before);
  const removed = kept === keys.length ? [] : keys.filter((key) => !Object.hasOwn(after, key));
  if (![...removed, ...changed].every(isSafeKey))
    return isEqual(before, after) ? [] : [{ op: 'replace', path, value: after }];
  const ops: PatchOp[] = removed.map((key) => ({ op: 'remove', path: `${path}/${encodeSegment(key)}` }));
  for (const key of changed) {
    const at = `${path}/${encodeSegment(key)}`;
    const value = after[key] ?? null;
    if (!Object.hasOwn(before, key)) ops.push({ op: 'add', path: at, value });
    else ops.push(...difference(before[key] ?? null, value, at));
    if (ops.length > maxOps) break;
  }
  return ops.length > maxOps ? [{ op: 'replace', path, value: after }] : ops;
}

/** A plain loop for speed: a long list is compared again for every appended element. */
function isBeginning(list: Json[], longer: Json[]): boolean {
  for (let i = 0; i < list.length; i++) {
    const item = list[i] ?? null;
    const other = longer[i] ?? null;
    if (item !== other && !isEqual(item, other)) return false;
  }
  return true;
}

/** The patch from one value to the other; empty when they are equal. */
export function difference(before: Json, after: Json, path = ''): PatchOp[] {
  if (before === after) return [];
  if (isObject(before) && isObject(after)) return differenceOfObjects(before, after, path);
  if (Array.isArray(before) && Array.isArray(after) && after.length > before.length) {
    const added = after.slice(before.length);
    const isGrown = added.length <= maxOps && isBeginning(before, after);
    if (isGrown) return added.map((value) => ({ op: 'add', path: `${path}/-`, value }));
  }
  return isEqual(before, after) ? [] : [{ op: 'replace', path, value: after }];
}
