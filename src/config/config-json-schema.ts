// The JSON Schema of the configuration, for editors: made from what `check` judges by, so that both take the same files.
import { z } from 'zod';
import { ConfigSchema } from '../contract/configuration/config.ts';
import { isObject, objectOf } from '../core/base/json.ts';
import type { Json, JsonObject } from '../contract/base/json.ts';

/** A value that the environment gives, whole or in part. */
const variable: JsonObject = { type: 'string', pattern: '\\$\\{[^}]+\\}' };

const isNarrow = (schema: JsonObject): boolean =>
  schema['type'] === 'number' ||
  schema['type'] === 'integer' ||
  (schema['type'] === 'string' &&
    ['pattern', 'format', 'enum', 'const', 'minLength', 'maxLength'].some((word) => word in schema));

/** The schema with `${VARIABLE}` allowed wherever a file may have one: for texts and numbers, not for names of fields. */
function withVariables(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withVariables);
  if (!isObject(schema)) return schema;
  const { propertyNames, ...rest } = schema;
  const inner = Object.entries(rest).map(([word, value]): [string, Json] => [word, withVariables(value)]);
  const changed: JsonObject = Object.fromEntries(inner);
  if (propertyNames !== undefined) changed['propertyNames'] = propertyNames;
  return isNarrow(schema) ? { anyOf: [changed, variable] } : changed;
}

export function configJsonSchema(): JsonObject {
  // Safe: a JSON Schema is JSON.
  const schema = z.toJSONSchema(ConfigSchema, { io: 'input', unrepresentable: 'any' }) as JsonObject;
  return { ...objectOf(withVariables(schema)), title: 'Standfast configuration' };
}
