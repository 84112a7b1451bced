import type { Json } from '../../../contract/base/json.ts';
import { isPlainText, plainTextMessage } from '../../../contract/base/text.ts';

const maxDepth = 64;
const maxNodes = 200_000;

export interface InputError {
  /** Dotted path such as `messages.0.content`; '' is the body itself. */
  path: string;
  message: string;
}

interface Walk {
  nodes: number;
}

function faultOf(value: unknown, path: string[], walk: Walk): InputError | null {
  const at = (message: string): InputError => ({ path: path.join('.'), message });
  walk.nodes += 1;
  if (walk.nodes > maxNodes) return at(`has more than ${maxNodes} values`);
  if (path.length > maxDepth) return at(`is nested deeper than ${maxDepth}`);
  if (typeof value === 'string') return isPlainText(value) ? null : at(plainTextMessage);
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : at('must be a finite number');
  if (typeof value !== 'object') return at('is not JSON');
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') return at('must not have the key __proto__');
    if (!isPlainText(key)) return at('has a key that is not well-formed Unicode without NUL');
    path.push(key);
    const found = faultOf(inner, path, walk);
    path.pop();
    if (found !== null) return found;
  }
  return null;
}

/** Safe only after `faultOf` has checked every nested value. */
const asCheckedJson = (value: unknown): Json => value as Json;

/** Checks that the value is JSON of bounded depth and size, without unsafe keys or unstorable text. */
export function checkJson(value: unknown): { ok: true; json: Json } | { ok: false; error: InputError } {
  const error = faultOf(value, [], { nodes: 0 });
  return error === null ? { ok: true, json: asCheckedJson(value) } : { ok: false, error };
}
