// JSON Patch limited to `add`, `replace` and `remove`, never through a key that could reach a prototype. Values are
// immutable and shared: an untouched subtree keeps its identity, which makes comparing cheap.
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { pushed, withKey } from './json-bytes.ts';
import { isObject, objectOf } from '../../../core/base/json.ts';
import { ownEntry } from '../../../core/base/own-entry.ts';

export type PatchOp = { op: 'add' | 'replace'; path: string; value: Json } | { op: 'remove'; path: string };

/** Operations per value before it is replaced as a whole. */
const maxOps = 256;

const dangerousKeys = new Set(['__proto__', 'constructor', 'prototype']);
export const isSafeKey = (key: string): boolean => !dangerousKeys.has(key);

const encodeSegment = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

/** The segments of a JSON pointer; null when it is invalid. */
export function pointerSegments(pointer: string): string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

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

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** A copy with the value at a path set (undefined: removed); non-objects along the path are replaced by objects. */
export function withValueAt(state: JsonObject, segments: readonly string[], value: Json | undefined): JsonObject {
  const [key, ...rest] = segments;
  if (key === undefined || !segments.every(isSafeKey)) return state;
  const current = ownEntry(state, key);
  if (rest.length === 0) {
    if (value === undefined) return current === undefined ? state : without(state, key);
    return current === value ? state : withKey(state, key, value);
  }
  if (value === undefined && !isObject(current)) return state;
  const container = objectOf(current);
  const next = withValueAt(container, rest, value);
  return next === current ? state : withKey(state, key, next);
}

export function isEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => isEqual(item, b[i] ?? null));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key] ?? null, b[key] ?? null))
  );
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

class NotApplicable extends Error {}

function withOp(value: Json | undefined, segments: readonly string[], op: PatchOp): Json | undefined {
  const [key, ...rest] = segments;
  if (key === undefined) return op.op === 'remove' ? undefined : op.value;
  if (!isSafeKey(key)) throw new NotApplicable(key);
  if (Array.isArray(value)) return withOpInArray(value, key, rest, op);
  if (!isObject(value)) throw new NotApplicable(key);
  const isThere = Object.hasOwn(value, key);
  if (!isThere && (rest.length > 0 || op.op !== 'add')) throw new NotApplicable(key);
  if (rest.length === 0 && op.op === 'remove') return without(value, key);
  return withKey(value, key, withOp(value[key], rest, op) ?? null);
}

function withOpInArray(value: Json[], key: string, rest: readonly string[], op: PatchOp): Json[] {
  const isLast = rest.length === 0;
  if (isLast && op.op === 'add' && key === '-') return pushed(value, op.value);
  if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) >= value.length) throw new NotApplicable(key);
  const index = Number(key);
  if (isLast && op.op === 'remove') return value.toSpliced(index, 1);
  if (isLast && op.op === 'add') return value.toSpliced(index, 0, op.value);
  return value.with(index, withOp(value[index], rest, op) ?? null);
}

/**
 * Applies a patch atomically, as AG-UI's client does: when one operation is invalid or fails, the value is unchanged.
 */
export function applyOps(value: Json, ops: readonly PatchOp[]): Json {
  try {
    let next: Json | undefined = value;
    for (const op of ops) {
      const segments = pointerSegments(op.path);
      if (segments === null || !['add', 'replace', 'remove'].includes(op.op)) return value;
      next = withOp(next, segments, op);
    }
    return next ?? null;
  } catch (error) {
    if (error instanceof NotApplicable) return value;
    throw error;
  }
}
