// Which answers are a plain yes or no: votes, bulk decisions and links in messages treat them apart.
import type { HoldKind } from '../contract/form.ts';
import type { Json, JsonObject } from '../contract/json.ts';

interface Asked {
  kind: HoldKind;
  schema: JsonObject;
  defaults: JsonObject;
}

const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

const isBoolean = (property: Json | undefined): boolean => objectOf(property)['type'] === 'boolean';

/** The one field of a schema, when it is a yes or no; null when more, or anything else, is asked. */
export function onlyYesNoField(schema: JsonObject): string | null {
  const properties = objectOf(schema['properties']);
  const [only, ...more] = Object.keys(properties);
  return only !== undefined && more.length === 0 && isBoolean(properties[only]) ? only : null;
}

/** The field that says yes or no, or null when the question is of another kind: a confirmation's only field, a tool call's `approved`. */
export function yesNoFieldOf({ kind, schema }: Pick<Asked, 'kind' | 'schema'>): string | null {
  if (kind === 'confirmation') return onlyYesNoField(schema);
  if (kind !== 'tool_call') return null;
  const properties = objectOf(schema['properties']);
  return ['approved', 'confirmed'].find((name) => isBoolean(properties[name])) ?? null;
}

/** True for values that say no in so many words. */
export function isRefusal(question: Pick<Asked, 'kind' | 'schema'>, values: JsonObject): boolean {
  const field = yesNoFieldOf(question);
  return field !== null && values[field] === false;
}

/** The values of an unchanged yes; null when a yes alone does not answer the question. */
export function yesOf(question: Asked): JsonObject | null {
  const field = yesNoFieldOf(question);
  if (field === null) return null;
  const required = question.schema['required'];
  const others = Array.isArray(required) ? required.filter((name) => name !== field) : [];
  return others.length === 0 ? { [field]: true } : null;
}
