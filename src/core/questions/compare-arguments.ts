// Two sets of arguments of a call, one argument at a time: the page, the terminal and the last approved call compare by it.
import { canonicalJson, isObject, objectOf } from '../base/json.ts';
import { ownEntry } from '../base/own-entry.ts';

export interface Compared {
  path: string[];
  /** `added`: only now; `removed`: only before. */
  kind: 'same' | 'changed' | 'added' | 'removed';
  before: unknown;
  now: unknown;
}

type Arguments = Readonly<Record<string, unknown>>;

/** As deep as arguments are shown: what lies deeper is one value. */
const maxDepth = 3;

/** Equal as JSON: the order of keys does not count, and what is missing is not null. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined ? one === other : canonicalJson(one) === canonicalJson(other);

function kindOf(before: unknown, now: unknown): Compared['kind'] {
  if (before === undefined) return 'added';
  if (now === undefined) return 'removed';
  return isSameValue(before, now) ? 'same' : 'changed';
}

/** Compared by their parts: objects, of which one has parts at least. */
const areGroups = (values: readonly unknown[]): boolean =>
  values.every(isObject) && values.some((value) => Object.keys(objectOf(value)).length > 0);

/** In the order of `before`, then what is new. */
export function compareArguments(before: Arguments, now: Arguments, above: readonly string[] = []): Compared[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].flatMap((name) => {
    const path = [...above, name];
    const [old, value] = [ownEntry(before, name), ownEntry(now, name)];
    const given = [old, value].filter((one) => one !== undefined);
    if (given.length === 0) return [];
    if (path.length < maxDepth && areGroups(given)) return compareArguments(objectOf(old), objectOf(value), path);
    return [{ path, kind: kindOf(old, value), before: old, now: value }];
  });
}
