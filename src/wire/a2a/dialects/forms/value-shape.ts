// The form for a value that an agent describes by a JSON Schema of any type; forms themselves are objects.
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { isObject } from '../../../../core/base/json.ts';
import { readProfile } from '../../../../core/questions/form-profile.ts';

const types = new Set<Json>(['string', 'number', 'integer', 'boolean', 'array']);

/** `object`: the answer's values are the value · `value`: it is their field `result` · `text`: any text will do. */
export type Shape = { kind: 'object' | 'value'; schema: JsonObject } | { kind: 'text'; note: string };

/** How people answer where the agent names a JSON Schema of the value it wants, or none. */
export function shapeOf(given: Json): Shape {
  if (!isObject(given)) return { kind: 'text', note: '' };
  const { type } = given;
  if (type === 'object' || (type === undefined && isObject(given['properties']))) {
    return checked({ kind: 'object', schema: { ...given, type: 'object' } });
  }
  const isFree = type === 'string' && Object.keys(given).every((key) => ['type', 'title', 'description'].includes(key));
  const isOpen = type === undefined && Object.keys(given).length === 0;
  if (isFree || isOpen) return { kind: 'text', note: '' };
  if (type !== undefined && !types.has(type) && !Array.isArray(type)) return unusable('its type is not known');
  const { $defs, definitions, $schema: _dialect, ...result } = given;
  return checked({
    kind: 'value',
    schema: {
      type: 'object',
      properties: { result: 'title' in result ? result : { title: 'Answer', ...result } },
      required: ['result'],
      additionalProperties: false,
      // `$ref`s point into those of the root.
      ...($defs === undefined ? {} : { $defs }),
      ...(definitions === undefined ? {} : { definitions }),
    },
  });
}

function checked(shape: Extract<Shape, { kind: 'object' | 'value' }>): Shape {
  const profile = readProfile(shape.schema);
  return profile.ok ? { ...shape, schema: profile.schema } : unusable(profile.why);
}

function unusable(why: string): Shape {
  return { kind: 'text', note: `(The agent's form cannot be shown: ${why}. Answer in words.)` };
}
