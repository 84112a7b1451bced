// The question's schema as the form library is to draw it; what is validated and sent stays the original.
import { choicesOf } from '../values/choices.ts';
import { type Dict, dictOf, isDict, listOf } from '../values/dict.ts';
import { labelOf } from '../values/humanise.ts';
import { pointerPart } from '../values/pointer.ts';
import { refTarget, takesNull, typeOf, withoutNull } from '../values/schema-walk.ts';

/** Every field gets a label of its own: the agent's, or its name made readable. Whatever asks for files is left out. */
export function withLabels(schema: Dict): Dict {
  return label(schema, false, schema);
}

const named = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']);
const kept = new Set(['default', 'enum', 'const', 'examples', 'required', 'dependentRequired']);

function label(given: Dict, isMap: boolean, root: Dict): Dict {
  const schema = isMap ? given : withBoxes(withoutNull(given), root);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (!isMap && kept.has(key)) return [[key, value]];
      if (!isMap && (key === 'format' || key === 'contentEncoding') && isFileWord(value)) return [];
      if (Array.isArray(value)) return [[key, value.map((item) => (isDict(item) ? label(item, false, root) : item))]];
      if (!isDict(value)) return [[key, value]];
      const inner = label(value, !isMap && named.has(key), root);
      return [[key, isMap ? { ...inner, title: labelOf(key, titled(value, root)) } : inner]];
    }),
  );
}

/** A list of choices is drawn as boxes, unless it proposes one of them twice. */
function withBoxes(schema: Dict, root: Dict): Dict {
  const proposed = listOf(schema['default']);
  const isBoxes = typeOf(schema) === 'array' && choicesIn(schema, root).length > 0;
  return isBoxes && new Set(proposed).size === proposed.length ? { ...schema, uniqueItems: true } : schema;
}

function choicesIn(list: Dict, root: Dict): unknown[] {
  const items = dictOf(list['items']);
  return choicesOf(typeof items['$ref'] === 'string' ? (refTarget(root, items['$ref']) ?? items) : items);
}

/** Where the agent's own label of a field is: with the field, else with what it refers to. */
function titled(field: Dict, root: Dict): Dict {
  const ref = field['$ref'];
  return typeof ref === 'string' && field['title'] === undefined ? (refTarget(root, ref) ?? field) : field;
}

const isFileWord = (value: unknown): boolean => value === 'data-url' || value === 'base64' || value === 'binary';

/**
 * A very long form without the plain fields of its closed sections: at every change the library walks all it is given.
 * What fills itself in, or hangs together with others, stays.
 */
export function withoutClosed(schema: Dict, isOpen: (name: string) => boolean): Dict {
  if (tied.some((word) => schema[word] !== undefined)) return schema;
  const { additionalProperties: _others, ...rest } = schema;
  const isDrawn = ([name, field]: [string, unknown]): boolean => isOpen(name) || !isPlain(dictOf(field));
  const properties = Object.fromEntries(Object.entries(dictOf(schema['properties'])).filter(isDrawn));
  const required = listOf(schema['required']).filter((name) => Object.hasOwn(properties, String(name)));
  return { ...rest, properties, required };
}

/** A form without the fields that buttons give, or of some of its fields alone, which must be filled in then. */
export function partOf(schema: Dict, given: readonly string[], only?: readonly string[]): Dict {
  if (given.length === 0 && only === undefined) return schema;
  const isDrawn = (name: string): boolean => !given.includes(name) && (only === undefined || only.includes(name));
  const properties = Object.fromEntries(Object.entries(dictOf(schema['properties'])).filter(([name]) => isDrawn(name)));
  const required = listOf(schema['required']).filter((name) => typeof name === 'string' && isDrawn(name));
  if (only === undefined) return { ...schema, properties, required };
  const definitions = Object.fromEntries(
    ['$defs', 'definitions'].flatMap((key) => (key in schema ? [[key, schema[key]]] : [])),
  );
  return {
    type: 'object',
    ...definitions,
    properties,
    required: only.filter((name) => Object.hasOwn(properties, name)),
  };
}

const tied = ['allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref', 'dependencies', 'dependentSchemas', 'dependentRequired'];
const isPlain = (field: Dict): boolean =>
  ['string', 'number', 'integer', 'boolean'].includes(String(field['type'])) &&
  [...tied, 'default', 'const'].every((word) => field[word] === undefined);

/** Which control each field is drawn with; by place, as the form library reads it. */
export function controlsOf(
  schema: Dict,
  asJson: readonly string[],
  secrets: readonly string[],
  radios: number = radioUpTo,
): Dict {
  const ui = controls(schema, schema, [], '', { secrets, radios });
  for (const name of asJson) ui[name] = { 'ui:field': 'JsonField', 'ui:fieldReplacesAnyOrOneOf': true };
  return ui;
}

interface How {
  secrets: readonly string[];
  /** Up to so many choices are shown as radio buttons. */
  radios: number;
}

function controls(given: Dict, root: Dict, refs: readonly string[], location: string, how: How): Dict {
  const ref = given['$ref'];
  if (typeof ref === 'string') {
    const target = refs.includes(ref) ? null : refTarget(root, ref);
    return target === null
      ? {}
      : controls({ ...target, ...given, $ref: undefined }, root, [...refs, ref], location, how);
  }
  if (how.secrets.includes(location) && location !== '') return { 'ui:widget': 'password' };
  const choices = choicesOf(given);
  // What may be left empty again is no row of buttons, of which one stays chosen.
  const radios = given['nullable'] === true ? 0 : how.radios;
  if (choices.length > 0) return { 'ui:widget': choices.length <= radios ? 'radio' : 'select' };
  const type = typeOf(given);
  if (type === 'object') {
    return Object.fromEntries(
      Object.entries(dictOf(given['properties'])).map(([name, one]) => [
        name,
        controls(dictOf(one), root, refs, `${location}/${pointerPart(name)}`, how),
      ]),
    );
  }
  if (type === 'array') return listControls(given, root, refs, location, how);
  if (type === 'boolean' && given['nullable'] === true) return { 'ui:widget': 'select' };
  if (type === 'boolean') return { 'ui:widget': given['default'] === undefined ? 'radio' : 'checkbox' };
  if (type === 'string') return textControls(given);
  return {};
}

export const radioUpTo = 5;
/** As many as keys of one digit can choose. */
export const digits = 9;
const longNames = /note|comment|reason|description|message|details|explanation|text|why|address/iu;

function textControls(schema: Dict): Dict {
  if (schema['format'] === 'password' || schema['writeOnly'] === true) return { 'ui:widget': 'password' };
  if (schema['format'] !== undefined || schema['pattern'] !== undefined) return {};
  const max = schema['maxLength'];
  const isLong = typeof max === 'number' ? max > 200 : longNames.test(String(schema['title'] ?? ''));
  return isLong ? { 'ui:widget': 'textarea' } : {};
}

function listControls(schema: Dict, root: Dict, refs: readonly string[], location: string, how: How): Dict {
  const items = dictOf(schema['items']);
  if (schema['uniqueItems'] === true && choicesIn(schema, root).length > 0) return { 'ui:widget': 'checkboxes' };
  return { items: controls(items, root, refs, `${location}/-`, how), 'ui:options': { copyable: false } };
}

/**
 * Values as they are sent: an optional field that is left empty is null where it was emptied or has to be there. Other
 * fields left empty, and empty groups that are not required, are left out.
 */
export function pruned(schema: Dict, values: Dict, root: Dict = schema): Dict {
  const target = targetOf(schema, root);
  const properties = dictOf(target['properties']);
  const required = listOf(target['required']);
  const missing = required.filter((name): name is string => typeof name === 'string' && !Object.hasOwn(values, name));
  const nulls = missing.filter((name) => takesNull(dictOf(properties[name]), root));
  return Object.fromEntries(
    [...Object.entries(values), ...nulls.map((name): [string, unknown] => [name, undefined])].flatMap(
      ([name, value]): [string, unknown][] => {
        const property = dictOf(properties[name]);
        const given = isDict(value) ? pruned(property, value, root) : value;
        const isGroup = isDict(value) && Object.keys(value).length > 0;
        const isEmpty = given === undefined || given === '' || (isGroup && Object.keys(dictOf(given)).length === 0);
        if (isEmpty && takesNull(property, root)) return [[name, null]];
        if (given === undefined) return [];
        return !required.includes(name) && hasNothing(given) ? [] : [[name, given]];
      },
    ),
  );
}

const hasNothing = (value: unknown): boolean =>
  value === '' || (Array.isArray(value) && value.length === 0) || (isDict(value) && Object.keys(value).length === 0);

/** The schema itself, behind its reference and without null. */
function targetOf(schema: Dict, root: Dict): Dict {
  const ref = schema['$ref'];
  const own = typeof ref === 'string' ? (refTarget(root, ref) ?? schema) : schema;
  const real = withoutNull(own);
  const inner = real === own ? undefined : real['$ref'];
  return typeof inner === 'string' ? (refTarget(root, inner) ?? real) : real;
}
