import type { Json, JsonObject } from '../../../contract/base/json.ts';

// Sizes of objects and arrays are remembered by identity: values here are never changed in place, and a value that
// grows by appending must not be measured from its start again.
const known = new WeakMap<object, number>();

/** Bytes of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Bytes of a value as JSON in UTF-8. */
export function jsonBytes(value: Json): number {
  if (typeof value === 'string') return utf8Bytes(JSON.stringify(value));
  if (value === null || typeof value !== 'object') return String(value).length;
  const remembered = known.get(value);
  if (remembered !== undefined) return remembered;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const item of value) bytes += jsonBytes(item) + 1;
    bytes -= value.length > 0 ? 1 : 0;
  } else {
    const keys = Object.keys(value);
    for (const key of keys) bytes += jsonBytes(key) + 2 + jsonBytes(value[key] ?? null);
    bytes -= keys.length > 0 ? 1 : 0;
  }
  known.set(value, bytes);
  return bytes;
}

/** `[...list, item]`, whose size is known at once when the list's was. */
export function pushed(list: Json[], item: Json): Json[] {
  const next = list.concat([item]);
  const before = known.get(list);
  if (before !== undefined) known.set(next, before + jsonBytes(item) + (list.length > 0 ? 1 : 0));
  return next;
}

/** `{...object, [key]: value}`, whose size is known at once when the object's was. */
export function withKey(object: JsonObject, key: string, value: Json): JsonObject {
  const next = { ...object, [key]: value };
  const before = known.get(object);
  if (before === undefined) return next;
  const old = Object.hasOwn(object, key) ? object[key] : undefined;
  // A first key has no comma before it.
  const name = jsonBytes(key) + (before === 2 ? 1 : 2);
  known.set(next, before + jsonBytes(value) + (old === undefined ? name : -jsonBytes(old)));
  return next;
}
