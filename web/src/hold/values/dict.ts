// JSON as it comes from agents: checked before it is believed.
export type Dict = Record<string, unknown>;

export function isDict(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const dictOf = (value: unknown): Dict => (isDict(value) ? value : {});

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Equal as JSON: the order of keys does not count, a missing key is not null. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  if (!isDict(a) || !isDict(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

/** A copy with the value at `path` set; containers on the way are made as needed. */
export function withValue(source: Dict, path: readonly string[], value: unknown): Dict {
  const [key, ...rest] = path;
  if (key === undefined) return source;
  return { ...source, [key]: rest.length === 0 ? value : withValue(dictOf(source[key]), rest, value) };
}
