// JSON values: narrowed to what they should be, in one canonical form, and their size.
import type { Json, JsonObject } from '../../contract/base/json.ts';

/** True for a JSON object: neither an array nor null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is a JSON object, else an empty object. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The objects of a list. */
export const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A text, or an empty one in place of anything else. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a text spells in JSON; undefined for one that is none. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** What a text spells in JSON, or the text itself. */
export function jsonOrText(text: string): Json {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** The canonical JSON of a value (RFC 8785): keys sorted by code unit, no spaces, no `undefined` members. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** Bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length;
