// What a form of this schema would be: how big, how deep, and which of its parts no form can draw.
import { type Dict, dictOf, isDict, isSame, listOf } from './dict.ts';
import { fragmentKeys } from './pointer.ts';

export type FormStyle = 'form' | 'sections' | 'json';
export interface FormShape {
  /** How to offer it: all fields, collapsed sections, or JSON first. */
  style: FormStyle;
  fields: number;
  depth: number;
  /** Why no form can be drawn at all; null when one can. */
  why: string | null;
  /** Top-level properties that are edited as JSON inside the form. */
  asJson: string[];
}

export const formLimits = { sectionsFrom: 151, jsonFrom: 501, maxDepth: 8 } as const;
const types = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
const scalars = new Set(['string', 'number', 'integer', 'boolean', 'null']);

export function shapeOf(schema: Dict): FormShape {
  const count = { fields: 0, depth: 0 };
  const asJson: string[] = [];
  const properties = dictOf(schema['properties']);
  for (const [name, property] of Object.entries(properties)) {
    if (!isDrawable(property, { root: schema, refs: [], depth: 1, count })) asJson.push(name);
  }
  const why = wholeWhy(schema, properties, asJson);
  const isTooBig = count.fields >= formLimits.jsonFrom || count.depth > formLimits.maxDepth;
  const style = why !== null || isTooBig ? 'json' : count.fields >= formLimits.sectionsFrom ? 'sections' : 'form';
  return { style, ...count, why, asJson };
}

function wholeWhy(schema: Dict, properties: Dict, asJson: string[]): string | null {
  const names = Object.keys(properties);
  if (schema['type'] !== undefined && schema['type'] !== 'object') return 'it does not ask for fields';
  const open = isDict(schema['additionalProperties']) || isDict(schema['patternProperties']);
  const combined = ['allOf', 'anyOf', 'oneOf', '$ref'].some((word) => schema[word] !== undefined);
  if (names.length === 0 && (open || combined)) return 'its fields are not named';
  if (names.length > 0 && asJson.length === names.length) return 'none of its fields can be drawn';
  return null;
}

interface WalkPosition {
  root: Dict;
  refs: string[];
  depth: number;
  count: { fields: number; depth: number };
}

function isDrawable(schema: unknown, at: WalkPosition): boolean {
  if (!isDict(schema)) return false;
  at.count.depth = Math.max(at.count.depth, at.depth);
  // Deeper than any form is offered: counted no further.
  if (at.depth > formLimits.maxDepth + 1) return false;
  const ref = schema['$ref'];
  if (typeof ref === 'string') {
    if (at.refs.includes(ref)) return false;
    const target = refTarget(at.root, ref);
    return target !== null && isDrawable({ ...target, ...without(schema, '$ref') }, { ...at, refs: [...at.refs, ref] });
  }
  if (Array.isArray(schema['enum']) || 'const' in schema) {
    at.count.fields += 1;
    return listOf(schema['enum'] ?? []).every((value) => !isDict(value) && !Array.isArray(value));
  }
  const choices = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(choices)) {
    if (
      choices.every((one) => isDict(one) && 'const' in one && !isDict(one['const']) && !Array.isArray(one['const']))
    ) {
      at.count.fields += 1;
      return true;
    }
    return choices.every((one) => isDrawable(isDict(one) ? { ...without(schema, 'oneOf', 'anyOf'), ...one } : one, at));
  }
  if (Array.isArray(schema['allOf'])) {
    const merged = schema['allOf'].reduce<Dict>((all, one) => ({ ...all, ...dictOf(one) }), without(schema, 'allOf'));
    return isDrawable(merged, at);
  }
  return isDrawableType(schema, at);
}

function isDrawableType(schema: Dict, at: WalkPosition): boolean {
  const type = typeOf(schema);
  if (type === null) return false;
  if (scalars.has(type)) {
    at.count.fields += 1;
    return true;
  }
  if (type === 'array') {
    if (schema['prefixItems'] !== undefined || Array.isArray(schema['items'])) return false;
    return isDrawable(schema['items'], { ...at, depth: at.depth + 1 });
  }
  const properties = Object.values(dictOf(schema['properties']));
  if (properties.length === 0 || isDict(schema['patternProperties']) || isDict(schema['additionalProperties'])) {
    at.count.fields += 1;
    return false;
  }
  return properties.map((one) => isDrawable(one, { ...at, depth: at.depth + 1 })).every(Boolean);
}

/** The one type a field is drawn as; `null` as a second type only means that it may be left empty. */
export function typeOf(schema: Dict): string | null {
  const { type } = schema;
  if (typeof type === 'string') return types.has(type) ? type : null;
  if (Array.isArray(type)) {
    const real = type.filter((one): one is string => typeof one === 'string' && one !== 'null');
    return real.length === 1 && types.has(real[0] ?? '') ? (real[0] ?? null) : null;
  }
  return isDict(schema['properties']) ? 'object' : null;
}

/** An optional field, `anyOf: [X, null]` as generators write it, is X in a form: leaving it empty means null. */
export function withoutNull(schema: Dict): Dict {
  if (listOf(schema['type']).includes('null')) return { ...schema, nullable: true };
  const word = ['anyOf', 'oneOf'].find((one) => listOf(schema[one]).some(isNull));
  const [only, ...more] = word === undefined ? [] : listOf(schema[word]).filter((one) => !isNull(one));
  if (word === undefined || !isDict(only) || more.length > 0) return schema;
  return { ...only, ...without(schema, word), nullable: true };
}

const isNull = (schema: unknown): boolean => dictOf(schema)['type'] === 'null';

/** Whether a field that is left empty is null. */
export const takesNull = (schema: Dict, root: Dict): boolean => {
  const ref = schema['$ref'];
  const target = typeof ref === 'string' ? (refTarget(root, ref) ?? schema) : schema;
  return withoutNull(target)['nullable'] === true;
};

/** What a local reference means; null for one that leads nowhere. */
export function refTarget(root: Dict, ref: string): Dict | null {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return null;
  let here: unknown = root;
  for (const key of fragmentKeys(ref)) {
    here =
      (isDict(here) && Object.hasOwn(here, key)) || Array.isArray(here)
        ? (dictOf(here)[key] ?? listOf(here)[Number(key)])
        : undefined;
  }
  return isDict(here) ? here : null;
}

export const without = (source: Dict, ...keys: string[]): Dict =>
  Object.fromEntries(Object.entries(source).filter(([key]) => !keys.includes(key)));

/** Names that are not required and have no value yet: what a long form collapses. */
export function unsetOptional(schema: Dict, values: Dict): string[] {
  const required = listOf(schema['required']);
  return Object.keys(dictOf(schema['properties'])).filter(
    (name) => !required.includes(name) && (values[name] === undefined || isSame(values[name], '')),
  );
}
