// The arguments of a call as names and values, a line each, for messages: all of them, and no two calls look alike.
import { parseJson } from '../base/json.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { hasHiding, withHiding } from '../base/visible.ts';

export interface ArgField {
  /** The way to the value: `amount`, `supplier › name`, `lines[1] › sku`, counted from one; with a dot it would be an address. */
  name: string;
  value: string;
}

const plainName = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

const unitsOf = (sign: string): string =>
  Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

const escaped = (text: string): string => withHiding(JSON.stringify(text), unitsOf);

/** As it is, unless it would be taken for a value of another kind or for less than it is. */
const textValue = (text: string): string =>
  text.trim() !== text || text === '' || parseJson(text) !== undefined || hasHiding(text) ? escaped(text) : text;

const stepTo = (path: string, name: string): string =>
  plainName.test(name) && !hasHiding(name) ? (path === '' ? name : `${path} › ${name}`) : `${path}[${escaped(name)}]`;

function fieldsIn(value: Json | undefined, path: string): ArgField[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((one, index) => fieldsIn(one, `${path}[${index + 1}]`));
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([name, one]) => fieldsIn(one, stepTo(path, name)));
  return [{ name: path, value: typeof value === 'string' ? textValue(value) : (JSON.stringify(value) ?? 'null') }];
}

/** In the order of the call; a call without arguments has none. */
export const argFields = (args: JsonObject): ArgField[] =>
  Object.entries(args).flatMap(([name, value]) => fieldsIn(value, stepTo('', name)));

/** The same where there is only text: a line each. */
export const argLines = (fields: readonly ArgField[]): string =>
  fields.map(({ name, value }) => `${name}: ${value}`).join('\n');
