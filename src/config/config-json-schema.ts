// The JSON Schema of the configuration, for editors: made from what `check` judges by, so that both take the same files.
import { stringify } from 'yaml';
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

/** A schema whose words and values are made by `change` from those of all schemas within it. */
function mapSchemas(schema: Json, change: (schema: JsonObject) => JsonObject): Json {
  if (Array.isArray(schema)) return schema.map((one) => mapSchemas(one, change));
  if (!isObject(schema)) return schema;
  const inner = Object.entries(schema).map(([word, value]): [string, Json] => [
    word,
    word === 'propertyNames' || word === 'default' ? value : mapSchemas(value, change),
  ]);
  return change(Object.fromEntries(inner));
}

/** `${VARIABLE}` is allowed wherever a file may have one: for texts and numbers, not for names of fields. */
function withVariable(schema: JsonObject): JsonObject {
  if (!isNarrow(schema)) return schema;
  const { description, ...narrow } = schema;
  return { ...(description === undefined ? {} : { description }), anyOf: [narrow, variable] };
}

const isEmpty = (value: Json): boolean => isObject(value) && Object.keys(value).length === 0;

function defaultWords(schema: JsonObject): string {
  const { default: value, items, type } = schema;
  if (value === undefined || (isEmpty(value) && 'properties' in schema)) return '';
  if (isEmpty(value) || (type === 'array' && JSON.stringify(value) === '[]')) return ' Default: none.';
  if (isObject(items) && JSON.stringify(items['enum']) === JSON.stringify(value)) return ' Default: all.';
  return ` Default: \`${stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim()}\`.`;
}

/** Editors show the description of a key, and not its default. */
function withDefault(schema: JsonObject): JsonObject {
  const { description } = schema;
  return typeof description === 'string' ? { ...schema, description: description + defaultWords(schema) } : schema;
}

/** No pattern takes it. */
const unfitText = ' ';

type Overridden = Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0];

/** Editors show these words where a text does not fit, as `check` does, in place of the pattern. */
function addPatternWords({ zodSchema, jsonSchema }: Overridden): void {
  if (jsonSchema.pattern === undefined) return;
  const issues = z.safeParse(zodSchema, unfitText).error?.issues ?? [];
  const words = issues.find(({ code }) => code === 'invalid_format')?.message;
  if (words !== undefined) jsonSchema['patternErrorMessage'] = words;
}

const schemaOptions = { io: 'input', unrepresentable: 'any', override: addPatternWords } as const;

/** What each key of the configuration is, and its default in words. */
export const describedConfigSchema = (): JsonObject =>
  // Safe: a JSON Schema is JSON.
  objectOf(mapSchemas(z.toJSONSchema(ConfigSchema, schemaOptions) as JsonObject, withDefault));

export const configJsonSchema = (): JsonObject => ({
  ...objectOf(mapSchemas(describedConfigSchema(), withVariable)),
  title: 'Standfast configuration',
});
