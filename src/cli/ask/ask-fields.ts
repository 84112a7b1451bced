// The form of `standfast ask`: `--field amount:number`, or a JSON Schema in a file.
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { isObject, parseJson } from '../../core/base/json.ts';
import { lostNumbers } from '../../core/base/numbers.ts';
import { propertiesOf, readValue } from '../answer/answer-values.ts';
import { CommandError } from '../operate/command-error.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

const types: Record<string, JsonObject> = {
  text: { type: 'string', minLength: 1 },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  email: { type: 'string', format: 'email' },
};

const usage = (message: string): CommandError => new CommandError('usage', message);

/** The schema of a field's type; `eu|us` is a choice. */
function schemaOf(type: string, field: string): JsonObject {
  if (type.includes('|')) {
    const choices = type.split('|').filter((one) => one !== '');
    if (new Set(choices).size < 2)
      throw usage(`--field ${field}: expected at least two choices, such as env:test|live`);
    return { type: 'string', enum: [...new Set(choices)] };
  }
  const found = ownEntry(types, type);
  if (found !== undefined) return found;
  throw usage(`--field ${field}: expected ${Object.keys(types).join(', ')}, or choices such as eu|us, found "${type}"`);
}

/** The form of `name:type` settings; a name that ends in `?` may be left out. Null: none was given. */
export function formOf(fields: readonly string[]): JsonObject | null {
  if (fields.length === 0) return null;
  const properties = new Map<string, JsonObject>();
  const required: string[] = [];
  for (const field of fields) {
    const [, name = '', optional, type = 'text'] = /^([^:?]+)(\?)?(?::(.+))?$/su.exec(field) ?? [];
    if (name === '') throw usage(`--field: expected name or name:type, found "${field}"`);
    if (properties.has(name)) throw usage(`--field ${name}: given twice`);
    properties.set(name, schemaOf(type, field));
    if (optional === undefined) required.push(name);
  }
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

/** JSON of an option, an object; numbers that a double does not hold are refused, as people would see others. */
export function objectFrom(text: string, option: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw usage(`${option}: expected a JSON object`);
  const [lost] = lostNumbers(text);
  if (lost !== undefined)
    throw usage(`${option}: ${lost.path}: a program would read another number than ${lost.digits}; write it as a text`);
  return value;
}

/** What is proposed, of `name=value` settings. */
export function defaultsOf(settings: readonly string[], schema: JsonObject | null): JsonObject {
  const properties = propertiesOf(schema);
  const values: [string, Json][] = settings.map((setting) => {
    const at = setting.indexOf('=');
    const name = setting.slice(0, at);
    if (at < 1 || !Object.hasOwn(properties, name))
      throw usage(`--default: expected name=value of a field, found "${setting}"`);
    return [name, readValue(properties[name], setting.slice(at + 1))];
  });
  return Object.fromEntries(values);
}
