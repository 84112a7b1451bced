// In the place of fast-equals (web/lean-packages.ts), which the form library draws in for one comparison.
import { type Dict, isDict } from './dict.ts';

const isPlain = (value: unknown): value is Dict =>
  isDict(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Functions equal each other; what is neither a list nor a plain object equals itself alone. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || (typeof a === 'function' && typeof b === 'function')) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, at) => isEqual(one, b[at]));
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}

export const createCustomEqual = (): typeof isEqual => isEqual;
