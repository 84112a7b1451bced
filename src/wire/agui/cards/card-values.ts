import type { Question } from '../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { jsonBytes } from '../model/json-bytes.ts';
import { pointerSegments, valueAt } from '../model/state-patch.ts';
import { cutText } from '../model/text.ts';
import { isObject } from '../../../core/base/json.ts';

const maxValues = 20;
const maxValueLength = 200;
const maxDepth = 8;
const maxSharedBytes = 64 * 1024;

/** Parts of a schema that speak of the same value: the target of `$ref`, and the members of combinations. */
function facets(schema: JsonObject, root: JsonObject): JsonObject[] {
  const ref = schema['$ref'];
  const segments = typeof ref === 'string' && ref.startsWith('#') ? pointerSegments(ref.slice(1)) : null;
  const target = segments === null ? undefined : valueAt(root, segments);
  const members = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'].flatMap((term) => schema[term] ?? []);
  return [target, ...members].filter(isObject);
}

function isSecret(schema: Json | undefined, root: JsonObject, depth = 0): boolean {
  if (!isObject(schema)) return false;
  if (depth > maxDepth || schema['format'] === 'password' || schema['writeOnly'] === true) return true;
  const inside = ['items', 'prefixItems', 'contains'].flatMap((term) => schema[term] ?? []);
  return [...facets(schema, root), ...inside].some((part) => isSecret(part, root, depth + 1));
}

/** Every schema given for one field, wherever in the form's schema it stands. */
function schemasOf(name: string, schema: JsonObject, root: JsonObject, depth = 0): Json[] {
  if (depth > maxDepth) return [];
  const properties = schema['properties'];
  const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name] ?? null] : [];
  return [...own, ...facets(schema, root).flatMap((part) => schemasOf(name, part, root, depth + 1))];
}

function scalarOf(value: Json): Json | undefined {
  if (typeof value === 'string') return cutText(value, maxValueLength);
  if (Array.isArray(value)) {
    const isOfScalars = value.every((item) => item === null || typeof item !== 'object');
    return isOfScalars ? cutText(value.slice(0, maxValueLength).join(', '), maxValueLength) : undefined;
  }
  return isObject(value) ? undefined : value;
}

/** Whether a field may be shown: the schema names it, and says nowhere that it is secret. */
function isShown(name: string, schema: JsonObject, secrets: readonly string[]): boolean {
  const schemas = schemasOf(name, schema, schema);
  return !secrets.includes(name) && schemas.length > 0 && !schemas.some((field) => isSecret(field, schema));
}

/**
 * What a card shows of an answer: at most 20 scalars (lists of scalars as one text) of 200 characters. A field that the
 * schema does not name is left out, as is every secret one.
 */
export function cardValues(schema: JsonObject, values: JsonObject, secrets: readonly string[] = []): JsonObject {
  const shown: [string, Json][] = [];
  for (const [name, value] of Object.entries(values)) {
    if (shown.length >= maxValues) break;
    const scalar = scalarOf(value);
    if (scalar !== undefined && isShown(name, schema, secrets)) shown.push([name, scalar]);
  }
  return Object.fromEntries(shown);
}

/** True when a secret is asked for anywhere below a schema; a reference is not followed, but counts as one. */
function mayHoldSecret(schema: Json | undefined): boolean {
  if (Array.isArray(schema)) return schema.some(mayHoldSecret);
  if (!isObject(schema)) return false;
  const isOne = schema['format'] === 'password' || schema['writeOnly'] === true || schema['$ref'] !== undefined;
  return isOne || Object.values(schema).some(mayHoldSecret);
}

/** An answer as it may be passed on whole: fields that hold a secret, or may hold one inside, are left out. */
export function sharedValues(
  { schema, secrets }: Pick<Question, 'schema' | 'secrets'>,
  values: JsonObject,
): JsonObject {
  const shared = Object.entries(values).filter(([name, value]) => {
    const isPlain = !isObject(value) && !Array.isArray(value);
    return isShown(name, schema, secrets) && (isPlain || !schemasOf(name, schema, schema).some(mayHoldSecret));
  });
  const kept = Object.fromEntries(shared);
  const bytes = jsonBytes(kept);
  return bytes <= maxSharedBytes ? kept : { omitted: 'too_large', bytes };
}
