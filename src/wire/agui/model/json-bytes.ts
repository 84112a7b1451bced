import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { ownEntry } from '../../../core/base/own-entry.ts';

// Sizes are cached by identity: values are immutable here, and one that grows by appending must not be measured again
// from the start.
const known = new WeakMap<object, number>();

/** UTF-8 length of a text in bytes. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** UTF-8 length of a value's JSON in bytes. */
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

/** `[...list, item]`, with its size derived from the list's. */
export function pushed(list: Json[], item: Json): Json[] {
  const next = list.concat([item]);
  const before = known.get(list);
  if (before !== undefined) known.set(next, before + jsonBytes(item) + (list.length > 0 ? 1 : 0));
  return next;
}

/** `{...object, [key]: value}`, with its size derived from the object's. */
export function withKey(object: JsonObject, key: string, value: Json): JsonObject {
  const next = { ...object, [key]: value };
  const before = known.get(object);
  if (before === undefined) return next;
  const old = ownEntry(object, key);
  // The first key has no comma before it.
  const name = jsonBytes(key) + (before === 2 ? 1 : 2);
  known.set(next, before + jsonBytes(value) + (old === undefined ? name : -jsonBytes(old)));
  return next;
}
