import type { Json, JsonObject } from '../../contract/base/json.ts';
import { assertNever } from '../base/errors.ts';
import { utf8Length, isObject } from '../base/json.ts';

/*
 * The JSON Schema accepted from agents: a bounded subset of 2020-12. A schema outside it is not shown as a form. One
 * inside it may still be invalid or slow: it is compiled and run in a thread that can be killed (host/schema-runner).
 */

type ProfileResult = { ok: true } | { ok: false; why: string };

const profileLimits = { maxBytes: 128 * 1024, maxDepth: 16, maxProperties: 500, maxPatternChars: 1000 } as const;

/** How each keyword's value is read on: as data, as one schema, as a list of schemas, or as schemas by name. */
type Reading = 'data' | 'schema' | 'schemas' | 'by-name' | 'pattern' | 'reference';

const keywords = new Map<string, Reading>([
  ...words('data', '$schema $comment title description default examples deprecated readOnly writeOnly'),
  ...words('data', 'type enum const format required dependentRequired'),
  ...words('data', 'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...words('data', 'minItems maxItems uniqueItems minContains maxContains minProperties maxProperties'),
  ...words('schema', 'items contains additionalProperties propertyNames not if then else'),
  ...words('schemas', 'allOf anyOf oneOf prefixItems'),
  ...words('by-name', 'properties patternProperties dependentSchemas $defs'),
  ...words('pattern', 'pattern'),
  ...words('reference', '$ref'),
]);

/** An annotation without effect on validation; the pages read `x-group`. */
export const isAnnotation = (keyword: string): boolean => /^x-[\w-]{1,60}$/u.test(keyword);

function words(reading: Reading, names: string): [string, Reading][] {
  return names.split(' ').map((name) => [name, reading]);
}

/** Whether a schema is small and simple enough to show to people. Never throws, however deep the value. */
export function checkProfile(schema: JsonObject): ProfileResult {
  // Depth first: everything after this may recurse.
  if (depthOf(schema) > profileLimits.maxDepth)
    return refuse(`it is nested deeper than ${profileLimits.maxDepth} levels`);
  if (utf8Length(JSON.stringify(schema)) > profileLimits.maxBytes) {
    return refuse(`it is larger than ${profileLimits.maxBytes / 1024} KiB`);
  }
  if (schema['type'] !== 'object') return refuse('its type is not "object"');
  const count = { properties: 0 };
  const why = checkSchema(schema, count);
  if (why !== null) return refuse(why);
  if (count.properties > profileLimits.maxProperties)
    return refuse(`it has more than ${profileLimits.maxProperties} properties`);
  return { ok: true };
}

function refuse(why: string): ProfileResult {
  return { ok: false, why };
}

/** Nesting of arrays and objects, found level by level so that no depth overflows the stack. */
function depthOf(value: Json): number {
  let level = containersIn([value]);
  let depth = 0;
  while (level.length > 0 && depth <= profileLimits.maxDepth) {
    level = containersIn(level.flatMap((item) => Object.values(item)));
    depth += 1;
  }
  return depth;
}

function containersIn(items: Json[]): (Json[] | JsonObject)[] {
  return items.filter((item) => typeof item === 'object' && item !== null);
}

function checkSchema(schema: Json, count: { properties: number }): string | null {
  if (typeof schema === 'boolean') return null;
  if (!isObject(schema)) return 'a part of it is not a schema';
  for (const [keyword, value] of Object.entries(schema)) {
    const reading = isAnnotation(keyword) ? 'data' : keywords.get(keyword);
    const why =
      reading === undefined ? `the keyword "${keyword.slice(0, 60)}" is not known` : checkValue(reading, value, count);
    if (why !== null) return why;
  }
  return null;
}

function checkValue(reading: Reading, value: Json, count: { properties: number }): string | null {
  switch (reading) {
    case 'data':
      return null;
    case 'schema':
      return checkSchema(value, count);
    case 'schemas':
      return Array.isArray(value) ? firstOf(value, (item) => checkSchema(item, count)) : 'a list of schemas is missing';
    case 'by-name':
      return checkNamed(value, count);
    case 'pattern':
      return checkPattern(value);
    case 'reference':
      // A remote reference would make the checker fetch what the agent names.
      return typeof value === 'string' && value.startsWith('#') ? null : 'it refers to a schema elsewhere';
    default:
      return assertNever(reading);
  }
}

function checkNamed(value: Json, count: { properties: number }): string | null {
  if (!isObject(value)) return 'its named schemas are not an object';
  const names = Object.keys(value);
  if (names.some((name) => name === '__proto__' || name === 'constructor' || name === 'prototype')) {
    return 'it names a property that is not allowed';
  }
  count.properties += names.length;
  return firstOf(Object.values(value), (item) => checkSchema(item, count));
}

function checkPattern(value: Json): string | null {
  if (typeof value !== 'string') return 'a pattern is not a text';
  return value.length > profileLimits.maxPatternChars ? 'a pattern is too long' : null;
}

function firstOf(items: Json[], check: (item: Json) => string | null): string | null {
  for (const item of items) {
    const why = check(item);
    if (why !== null) return why;
  }
  return null;
}
