// JSON Patch as far as cards need it: add, replace, remove. A patch that does not fit leaves everything as it was.
import { type Dict, dictOf, isDict } from '../hold/values/dict.ts';
import { pointerKeys } from '../hold/values/pointer.ts';

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

export function patched(content: Dict, patch: readonly unknown[]): Dict {
  const next: Dict = structuredClone(content);
  return patch.every((step) => applied(next, dictOf(step))) ? next : content;
}

function applied(root: Dict, { op, path, value }: Dict): boolean {
  if (typeof path !== 'string' || !path.startsWith('/')) return false;
  const keys = pointerKeys(path);
  const last = keys.pop() ?? '';
  if ([...keys, last].some((key) => forbidden.has(key))) return false;
  let here: unknown = root;
  for (const key of keys) here = isDict(here) || Array.isArray(here) ? Reflect.get(here, key) : undefined;
  if (Array.isArray(here)) return onList(here, op, last, value);
  if (!isDict(here)) return false;
  const isThere = Object.hasOwn(here, last);
  if (op === 'add' || (op === 'replace' && isThere)) {
    here[last] = value;
    return true;
  }
  return op === 'remove' && isThere && Reflect.deleteProperty(here, last);
}

function onList(list: unknown[], op: unknown, key: string, value: unknown): boolean {
  const at = key === '-' ? list.length : Number(key);
  if (!Number.isInteger(at) || at < 0 || at > list.length) return false;
  if (op === 'add') list.splice(at, 0, value);
  else if (at >= list.length) return false;
  else if (op === 'replace') list[at] = value;
  else if (op === 'remove') list.splice(at, 1);
  else return false;
  return true;
}
