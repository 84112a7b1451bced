import { cutText } from '../../../../core/base/text.ts';
import { RE2JS } from 're2js';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { readProfile } from '../../../../core/questions/form-profile.ts';
import { isSafeKey } from '../../codec/clean.ts';
import { type Choice, choiceSchema, isScalar, pickChoice, readChoices, type Scalar, toNumber } from './form-choices.ts';
import { isObject, objectOf, stringOf } from '../../../../core/base/json.ts';
import { shownJson } from '../base/dialect.ts';
import { withoutSecretValues } from '../base/secret-fields.ts';

/*
 * Fields of `a2a.hitl.form` and related forms as a JSON Schema. ADR 0012 of the AG-UI bridge leaves the field schema
 * open, so parsing is lenient: unknown field types become text inputs, and contradictory constraints are dropped to
 * keep the form answerable. `notes` reports it to people.
 */

export interface FormFields {
  schema: JsonObject;
  defaults: JsonObject;
  notes: string[];
}

const maxFields = 200;
const maxNameBytes = 200;
const maxLabelChars = 200;
const maxPatternChars = 500;
const maxDefaultChars = 128 * 1024;

/**
 * Reads the fields in order; the first of a duplicate name wins, and `prefilled` (values of a rejected answer)
 * overrides defaults.
 */
export function readFields(fields: readonly Json[], prefilled: JsonObject): FormFields {
  const properties: JsonObject = {};
  const required: string[] = [];
  const conditions: Condition[] = [];
  const defaults: JsonObject = {};
  const notes: string[] = [];
  if (fields.length > maxFields) {
    notes.push(`(The form has ${fields.length} fields; only the first ${maxFields} are shown.)`);
  }
  const unreadable: string[] = [];
  const leftOut: Json[] = fields.slice(maxFields);
  for (const entry of fields.slice(0, maxFields)) {
    const name = isObject(entry) ? nameOf(entry) : null;
    if (!isObject(entry) || name === null) {
      unreadable.push('a field without a usable name');
      leftOut.push(entry);
    } else if (Object.hasOwn(properties, name)) {
      unreadable.push(`a second field "${cutText(name, 60)}"`);
      leftOut.push(entry);
    } else {
      const field = readField(name, entry, notes);
      properties[name] = field.schema;
      if (entry['required'] === true || entry['required'] === 'true') required.push(name);
      if (isObject(entry['required'])) addCondition(conditions, entry['required'], name);
      const wanted = Object.hasOwn(prefilled, name) ? prefilled[name] : (entry['default'] ?? entry['value']);
      const value = field.isSecret ? undefined : coerce(wanted, field);
      if (value !== undefined) defaults[name] = value;
      leftOut.push(...lostOf(name, field, wanted, value));
    }
  }
  if (unreadable.length > 0) notes.push(`(Left out of the form: ${[...new Set(unreadable)].slice(0, 10).join(', ')}.)`);
  // A form without them is another one: people read them as they were sent.
  if (leftOut.length > 0) notes.push(shownJson('Not in the form, but sent with it', withoutSecretValues(leftOut)));
  const schema: JsonObject = {
    type: 'object',
    properties,
    required,
    additionalProperties: false,
    ...(conditions.length > 0 && { allOf: conditions.map(ruleOf) }),
  };
  return { schema, defaults, notes };
}

/** Fields that are required where others have these values: `required: { approve: true }`. */
interface Condition {
  where: JsonObject;
  names: string[];
}

function addCondition(conditions: Condition[], where: JsonObject, name: string): void {
  const known = conditions.find((one) => JSON.stringify(one.where) === JSON.stringify(where));
  if (known === undefined) conditions.push({ where, names: [name] });
  else known.names.push(name);
}

function ruleOf({ where, names }: Condition): JsonObject {
  const properties = Object.fromEntries(Object.entries(where).map(([name, value]) => [name, { const: value }]));
  return { if: { properties, required: Object.keys(where) }, then: { required: names } };
}

interface Field {
  schema: JsonObject;
  isSecret: boolean;
  choices: Choice[];
  /** Choices that cannot be offered. */
  dropped: Json[];
}

/** The name under which a field is answered; null when it has no usable one. */
export function nameOf(field: JsonObject): string | null {
  const given = [field['name'], field['id'], field['key']].find(
    (value): value is string | number => (typeof value === 'string' && value !== '') || typeof value === 'number',
  );
  const name = given === undefined ? '' : String(given);
  return name !== '' && Buffer.byteLength(name) <= maxNameBytes && isSafeKey(name) ? name : null;
}

function readField(name: string, field: JsonObject, notes: string[]): Field {
  const type = typeof field['type'] === 'string' ? field['type'].trim().toLowerCase() : '';
  const text = fieldTexts(name, field);
  const isSecret =
    ['password', 'secret'].includes(type) ||
    field['format'] === 'password' ||
    field['writeOnly'] === true ||
    field['secret'] === true;
  if (isSecret) {
    const schema = { ...text, type: 'string', format: 'password', writeOnly: true, ...textLimits(name, field, notes) };
    return { schema, isSecret, choices: [], dropped: [] };
  }
  let left: Json[] = [];
  if (type !== 'boolean' && type !== 'bool') {
    const { choices, dropped } = readChoices(field, isNumeric(type));
    if (dropped.length > 0)
      notes.push(`(The field "${cutText(name, 60)}" has ${dropped.length} more choices that cannot be offered.)`);
    if (choices.length > 0) return { schema: { ...text, ...choose(type, field, choices) }, isSecret, choices, dropped };
    left = dropped;
  }
  return { schema: { ...text, ...typeSchema(type, name, field, notes) }, isSecret, choices: [], dropped: left };
}

function fieldTexts(name: string, field: JsonObject): JsonObject {
  const label = [field['label'], field['title'], field['name']].find(
    (value): value is Scalar => isScalar(value) && String(value).trim() !== '',
  );
  const named = label === undefined ? name : String(label);
  // A label that is too long to be one is read below its beginning.
  const texts = [named.length > maxLabelChars ? named : '', stringOf(field['description'])];
  const description = texts.filter((text) => text.trim() !== '').join('\n\n');
  return { title: cutText(named, maxLabelChars), ...(description === '' ? {} : { description }) };
}

/** A checkbox group, or `multiple: true`, is answered by a list. */
function choose(type: string, field: JsonObject, choices: Choice[]): JsonObject {
  const isList = field['multiple'] === true || ['array', 'checkbox', 'checkboxes', 'multiselect'].includes(type);
  return isList ? { type: 'array', items: choiceSchema(choices), uniqueItems: true } : choiceSchema(choices);
}

function isNumeric(type: string): boolean {
  return ['integer', 'int', 'number', 'float'].includes(type);
}

function typeSchema(type: string, name: string, field: JsonObject, notes: string[]): JsonObject {
  switch (type) {
    case 'integer':
    case 'int':
      return { type: 'integer', ...numberLimits(name, field, notes) };
    case 'number':
    case 'float':
      return { type: 'number', ...numberLimits(name, field, notes) };
    case 'boolean':
    case 'bool':
    case 'checkbox':
      return { type: 'boolean' };
    case 'object':
    case 'array':
      return shapeOf(type, field);
    case 'date':
    case 'email':
      return { type: 'string', format: type, ...textLimits(name, field, notes) };
    default:
      return { type: 'string', ...textLimits(name, field, notes) };
  }
}

/** The nested schema where a form can render it, else any value of the type. */
function shapeOf(type: 'object' | 'array', field: JsonObject): JsonObject {
  const text = type === 'object' ? ['properties', 'additionalProperties'] : ['items', 'minItems', 'maxItems'];
  const own = Object.fromEntries(text.flatMap((term) => (field[term] === undefined ? [] : [[term, field[term]]])));
  const shape: JsonObject = { type, ...own };
  const profile = readProfile({ type: 'object', properties: { shape } });
  return profile.ok ? objectOf(objectOf(profile.schema['properties'])['shape']) : { type };
}

function numberLimits(name: string, field: JsonObject, notes: string[]): JsonObject {
  const minimum = toNumber(field['min'] ?? field['minimum']);
  const maximum = toNumber(field['max'] ?? field['maximum']);
  // JSON Schema draft 4 uses `exclusiveMinimum: true` next to `minimum`.
  const above = field['exclusiveMinimum'] === true ? minimum : toNumber(field['exclusiveMinimum']);
  const below = field['exclusiveMaximum'] === true ? maximum : toNumber(field['exclusiveMaximum']);
  const lowest = Math.max(minimum ?? -Infinity, above ?? -Infinity);
  const highest = Math.min(maximum ?? Infinity, below ?? Infinity);
  if (lowest > highest || (lowest === highest && (lowest === above || highest === below))) {
    notes.push(`(The limits of "${cutText(name, 60)}" contradict each other and are not applied.)`);
    return {};
  }
  return {
    ...(minimum === null || minimum === above ? {} : { minimum }),
    ...(above === null ? {} : { exclusiveMinimum: above }),
    ...(maximum === null || maximum === below ? {} : { maximum }),
    ...(below === null ? {} : { exclusiveMaximum: below }),
  };
}

function textLimits(name: string, field: JsonObject, notes: string[]): JsonObject {
  const minLength = toLength(field['minLength']);
  const maxLength = toLength(field['maxLength']);
  const isPossible = (minLength ?? 0) <= (maxLength ?? Infinity);
  if (!isPossible) notes.push(`(The limits of "${cutText(name, 60)}" contradict each other and are not applied.)`);
  const pattern = field['pattern'];
  return {
    ...(isPossible && minLength !== null ? { minLength } : {}),
    ...(isPossible && maxLength !== null ? { maxLength } : {}),
    ...(typeof pattern === 'string' && isUsablePattern(pattern) ? { pattern } : {}),
  };
}

function toLength(value: Json | undefined): number | null {
  const length = toNumber(value);
  return length !== null && Number.isSafeInteger(length) && length >= 0 ? length : null;
}

/** The pattern must compile both in RE2 (used here, linear time) and in ECMAScript (used by front ends). */
function isUsablePattern(pattern: string): boolean {
  if (pattern.length > maxPatternChars) return false;
  try {
    RE2JS.compile(pattern);
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** What its agent sent of a field that the form does not have. */
function lostOf(name: string, field: Field, wanted: Json | undefined, value: Json | undefined): Json[] {
  const choices = field.dropped.length > 0 ? [{ name, choices: field.dropped }] : [];
  const isProposed = field.isSecret || !isLost(wanted, value, field);
  return isProposed ? choices : [...choices, { name, proposed: wanted ?? null }];
}

/** Whether a form that proposes this value would propose less than its agent did. */
function isLost(wanted: Json | undefined, value: Json | undefined, { choices }: Field): boolean {
  if (wanted === undefined || wanted === null || wanted === '') return false;
  if (!Array.isArray(wanted) || choices.length === 0) return value === undefined;
  return wanted.some((item) => pickChoice(choices, item) === undefined);
}

/** The default converted to the field's type; undefined when it does not fit. */
function coerce(value: Json | undefined, { choices, schema }: Field): Json | undefined {
  if (value === undefined || value === null) return undefined;
  const type = stringOf(schema['type']);
  if (choices.length > 0) return type === 'array' ? pickAll(choices, value) : pickChoice(choices, value)?.value;
  return (coercions.get(type) ?? toText)(value);
}

function pickAll(choices: Choice[], value: Json): Json | undefined {
  const wanted = Array.isArray(value) ? value : [value];
  const picked = wanted.map((item) => pickChoice(choices, item)?.value).filter((item) => item !== undefined);
  return picked.length > 0 ? [...new Set(picked)] : undefined;
}

type Coercion = (value: Json) => Json | undefined;

const coercions = new Map<string, Coercion>([
  ['number', (value) => toNumber(value) ?? undefined],
  [
    'integer',
    (value) => {
      const number = toNumber(value);
      return number !== null && Number.isInteger(number) ? number : undefined;
    },
  ],
  [
    'boolean',
    (value) => {
      if (value === 'true' || value === 'false') return value === 'true';
      return typeof value === 'boolean' ? value : undefined;
    },
  ],
  ['object', (value) => (isObject(value) && isSmall(value) ? value : undefined)],
  ['array', (value) => (Array.isArray(value) && isSmall(value) ? value : undefined)],
]);

/** Never truncated: part of a default would be submitted as the whole answer. */
const toText: Coercion = (value) =>
  isScalar(value) && String(value).length <= maxDefaultChars ? String(value) : undefined;

const isSmall = (value: Json): boolean => JSON.stringify(value).length <= maxDefaultChars;
