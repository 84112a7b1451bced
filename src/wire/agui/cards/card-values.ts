import type { Question } from '../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { jsonBytes } from '../model/json-bytes.ts';
import { pointerSegments } from '../../../core/agui/patch.ts';
import { valueAt } from '../model/state-patch.ts';
import { cutText } from '../model/text.ts';
import { isObject } from '../../../core/base/json.ts';

const maxValues = 20;
const maxValueLength = 200;
const maxDepth = 8;
const maxSharedBytes = 64 * 1024;

/** Subschemas that constrain the same value: the target of `$ref`, and the members of combinators. */
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

/** All subschemas of a field, wherever the form's schema declares it. */
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

/** True when the schema declares the field and nowhere marks it as secret. */
function isShown(name: string, schema: JsonObject, secrets: readonly string[]): boolean {
  const schemas = schemasOf(name, schema, schema);
  return !secrets.includes(name) && schemas.length > 0 && !schemas.some((field) => isSecret(field, schema));
}

/**
 * The answer's values for a card: at most 20 scalars (lists of scalars as one text) of at most 200 characters. Secret
 * fields and fields that the schema does not declare are omitted.
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

/** True when the schema may contain a secret; a `$ref` is not followed, but counts as one. */
function mayHoldSecret(schema: Json | undefined): boolean {
  if (Array.isArray(schema)) return schema.some(mayHoldSecret);
  if (!isObject(schema)) return false;
  const isOne = schema['format'] === 'password' || schema['writeOnly'] === true || schema['$ref'] !== undefined;
  return isOne || Object.values(schema).some(mayHoldSecret);
}

/** The answer without fields that are secret or may contain a secret. */
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
