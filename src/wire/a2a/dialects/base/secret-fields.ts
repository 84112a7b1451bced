import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { isObject } from '../../../../core/base/json.ts';

/** True when the property's schema marks it as secret (`writeOnly` or format `password`). */
export function isSecretProperty(property: Json | undefined): boolean {
  return isObject(property) && (property['format'] === 'password' || property['writeOnly'] === true);
}

/**
 * Names of the top-level fields that are secret or contain a secret. Linear in the untrusted schema: a `$ref` is not
 * followed, but counts as secret when the schema has a secret anywhere.
 */
export function secretsOf(schema: JsonObject): string[] {
  if (!some(schema, isSecretProperty)) return [];
  const isSecret = (part: JsonObject): boolean => isSecretProperty(part) || '$ref' in part;
  const names = new Set<string>();
  for (const part of partsOf(schema)) {
    const properties = part['properties'];
    if (!isObject(properties)) continue;
    for (const [name, property] of Object.entries(properties)) if (some(property, isSecret)) names.add(name);
  }
  return [...names];
}

/**
 * The schema with its combinators' members, which constrain the same value; a `$ref` among them may lead to any part of
 * it.
 */
function partsOf(schema: JsonObject): JsonObject[] {
  const members = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'].flatMap((term) => schema[term] ?? []);
  const parts = [schema, ...members.filter(isObject).flatMap(partsOf)];
  return parts.some((part) => '$ref' in part) ? objectsIn(schema) : parts;
}

function objectsIn(value: Json): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

function some(value: Json, isWanted: (part: JsonObject) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => some(item, isWanted));
  if (!isObject(value)) return false;
  return isWanted(value) || Object.values(value).some((item) => some(item, isWanted));
}
