// What differs between a tool as it was approved and as it is listed: each value that was added, removed or changed, by its path.
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { canonicalJson, isObject } from '../base/json.ts';

export interface ToolChange {
  /** Dotted: `inputSchema.properties.to`. */
  path: string;
  /** Undefined: it was not there. */
  before?: Json;
  /** Undefined: it is not there any more. */
  after?: Json;
}

export function toolChanges(before: JsonObject, after: JsonObject, at = ''): ToolChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name): ToolChange[] => {
    const path = at === '' ? name : `${at}.${name}`;
    const [old, now] = [before[name], after[name]];
    if (isObject(old) && isObject(now)) return toolChanges(old, now, path);
    if (old !== undefined && now !== undefined && canonicalJson(old) === canonicalJson(now)) return [];
    return [{ path, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) }];
  });
}
