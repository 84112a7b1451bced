import type { Json, JsonObject } from '../../contract/json.ts';
import { isObject, pointerSegments, valueAt } from './state-patch.ts';
import { cutText } from './text.ts';

const maxValues = 20;
const maxValueLength = 200;
const maxDepth = 8;

/** Parts of a schema that speak of the same value: the target of `$ref`, and the members of combinations. */
function facets(schema: JsonObject, root: JsonObject): JsonObject[] {
  const ref = schema['$ref'];
  const segments = typeof ref === 'string' && ref.startsWith('#') ? pointerSegments(ref.slice(1)) : null;
  const target = segments === null ? undefined : valueAt(root, segments);
  const members = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'].flatMap((word) => schema[word] ?? []);
  return [target, ...members].filter(isObject);
}

function isSecret(schema: Json | undefined, root: JsonObject, depth = 0): boolean {
  if (!isObject(schema)) return false;
  if (depth > maxDepth || schema['format'] === 'password' || schema['writeOnly'] === true) return true;
  const inside = ['items', 'prefixItems', 'contains'].flatMap((word) => schema[word] ?? []);
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

/**
 * What a card shows of an answer: at most 20 scalars (lists of scalars as one text) of 200 characters. A field that the
 * schema does not name is left out, as is every secret one.
 */
export function cardValues(schema: JsonObject, values: JsonObject): JsonObject {
  const shown: [string, Json][] = [];
  for (const [name, value] of Object.entries(values)) {
    if (shown.length >= maxValues) break;
    const schemas = schemasOf(name, schema, schema);
    const scalar = scalarOf(value);
    if (scalar === undefined || schemas.length === 0) continue;
    if (!schemas.some((field) => isSecret(field, schema))) shown.push([name, scalar]);
  }
  return Object.fromEntries(shown);
}
