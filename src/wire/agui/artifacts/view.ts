import type { Json } from '../../../contract/json.ts';
import type { Draft } from '../model/draft.ts';
import { jsonBytes } from '../model/json-bytes.ts';
import { isObject, withValueAt } from '../model/state-patch.ts';

/** All of /view together; clients refuse a frame of 10 MB, and every closing run restates it. */
const maxViewBytes = 4 * 1024 * 1024;

/** What stands for a value that is too large for the state. */
export const omitted = (bytes: number): Json => ({ omitted: 'too_large', bytes });

export function omittedBytes(value: Json): number | null {
  return isObject(value) && value['omitted'] === 'too_large' && typeof value['bytes'] === 'number'
    ? value['bytes']
    : null;
}

/** Puts a value into the wanted state; when /view would grow too large its size alone, and else nothing. */
export function putInView(draft: Draft, path: string[], value: Json): void {
  for (const candidate of [value, omitted(jsonBytes(value))]) {
    const next = withValueAt(draft.state, path, candidate);
    if (jsonBytes(next['view'] ?? null) <= maxViewBytes) {
      draft.state = next;
      return;
    }
  }
}
