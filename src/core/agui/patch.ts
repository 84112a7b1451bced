// JSON Patch limited to `add`, `replace` and `remove`, never through a key that could reach a prototype. Values are
// immutable and shared: an untouched subtree keeps its identity, which makes comparing cheap.
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { isObject, objectsIn, stringOf } from '../base/json.ts';

export type PatchOp = { op: 'add' | 'replace'; path: string; value: Json } | { op: 'remove'; path: string };

/** How a changed value is made; the server's also keep its size. */
export interface Builders {
  withKey: (object: JsonObject, key: string, value: Json) => JsonObject;
  pushed: (list: Json[], item: Json) => Json[];
}
const plain: Builders = {
  withKey: (object, key, value) => ({ ...object, [key]: value }),
  pushed: (list, item) => [...list, item],
};

const dangerousKeys = new Set(['__proto__', 'constructor', 'prototype']);
export const isSafeKey = (key: string): boolean => !dangerousKeys.has(key);

/** The segments of a JSON pointer; null when it is invalid. */
export function pointerSegments(pointer: string): string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
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

export function withoutKey(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

class NotApplicable extends Error {}

function withOp(value: Json | undefined, segments: readonly string[], op: PatchOp, build: Builders): Json | undefined {
  const [key, ...rest] = segments;
  if (key === undefined) return op.op === 'remove' ? undefined : op.value;
  if (!isSafeKey(key)) throw new NotApplicable(key);
  if (Array.isArray(value)) return withOpInArray(value, [key, ...rest], op, build);
  if (!isObject(value)) throw new NotApplicable(key);
  const isThere = Object.hasOwn(value, key);
  if (!isThere && (rest.length > 0 || op.op !== 'add')) throw new NotApplicable(key);
  if (rest.length === 0 && op.op === 'remove') return withoutKey(value, key);
  return build.withKey(value, key, withOp(value[key], rest, op, build) ?? null);
}

function withOpInArray(
  value: Json[],
  [key, ...rest]: readonly [string, ...string[]],
  op: PatchOp,
  build: Builders,
): Json[] {
  const isLast = rest.length === 0;
  if (isLast && op.op === 'add' && key === '-') return build.pushed(value, op.value);
  if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) >= value.length) throw new NotApplicable(key);
  const index = Number(key);
  if (isLast && op.op === 'remove') return value.toSpliced(index, 1);
  if (isLast && op.op === 'add') return value.toSpliced(index, 0, op.value);
  return value.with(index, withOp(value[index], rest, op, build) ?? null);
}

/**
 * Applies a patch atomically, as AG-UI's client does: when one operation is invalid or fails, the value is unchanged.
 */
export function applyOps(value: Json, ops: readonly PatchOp[], build: Builders = plain): Json {
  try {
    let next: Json | undefined = value;
    for (const op of ops) {
      const segments = pointerSegments(op.path);
      if (segments === null || !['add', 'replace', 'remove'].includes(op.op)) return value;
      next = withOp(next, segments, op, build);
    }
    return next ?? null;
  } catch (error) {
    if (error instanceof NotApplicable) return value;
    throw error;
  }
}

/** An event's patch operations; malformed ones make the whole patch fail. */
export function opsOf(value: Json | undefined): PatchOp[] {
  return objectsIn(value).map((op): PatchOp => {
    const path = stringOf(op['path']);
    if (op['op'] === 'remove') return { op: 'remove', path };
    if (op['op'] === 'add' || op['op'] === 'replace') return { op: op['op'], path, value: op['value'] ?? null };
    return { op: 'remove', path: 'not a pointer' };
  });
}
