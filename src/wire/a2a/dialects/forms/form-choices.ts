import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { survives } from '../../../../core/base/numbers.ts';
import { isObject } from '../../../../core/base/json.ts';

export type Scalar = string | number | boolean;

export interface Choice {
  value: Scalar;
  label: string;
}

const maxChoices = 1000;
const maxValueChars = 1000;

/** The field's choices in any of the known notations; `dropped`: the unusable ones. */
export function readChoices(field: JsonObject, isNumeric: boolean): { choices: Choice[]; dropped: Json[] } {
  const source = [field['options'], field['enum'], field['choices']].find(
    (list) => Array.isArray(list) && list.length > 0,
  );
  if (!Array.isArray(source)) return { choices: [], dropped: [] };
  const byValue = new Map<Scalar, Choice>();
  const dropped: Json[] = source.slice(maxChoices);
  for (const entry of source.slice(0, maxChoices)) {
    const choice = readChoice(entry, isNumeric);
    if (choice === null) dropped.push(entry);
    // For duplicate values the first label wins.
    else if (!byValue.has(choice.value)) byValue.set(choice.value, choice);
  }
  return { choices: [...byValue.values()], dropped };
}

/** `enum` for plain values, `oneOf` with titles for labelled ones. */
export function choiceSchema(choices: Choice[]): JsonObject {
  const types = new Set(choices.map(({ value }) => typeof value));
  const type = types.size === 1 ? { type: [...types].join('') } : {};
  return choices.every(({ value, label }) => String(value) === label)
    ? { ...type, enum: choices.map(({ value }) => value) }
    : { ...type, oneOf: choices.map(({ value, label }) => ({ const: value, title: label })) };
}

/** The choice that a default refers to, by value or else by label. */
export function pickChoice(choices: Choice[], wanted: Json): Choice | undefined {
  return (
    choices.find(({ value }) => value === wanted) ??
    choices.find(({ value }) => isScalar(wanted) && String(value) === String(wanted))
  );
}

export function isScalar(value: Json | undefined): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function readChoice(entry: Json, isNumeric: boolean): Choice | null {
  const [given, label] = isObject(entry)
    ? [
        firstScalar(entry, ['value', 'const', 'id', 'key', 'name', 'label']),
        firstScalar(entry, ['label', 'title', 'name']),
      ]
    : [isScalar(entry) ? entry : undefined, undefined];
  // Never truncated: a shortened value would be a different answer.
  if (given === undefined || String(given).length > maxValueChars) return null;
  // A choice whose number a double does not hold would be answered by another one.
  if (isNumeric && typeof given === 'string' && /^-?\d+$/u.test(given) && toNumber(given) === null) return null;
  const value = isNumeric ? (toNumber(given) ?? given) : given;
  const text = label === undefined ? '' : String(label).trim();
  return { value, label: text === '' ? String(value) : text };
}

export function toNumber(value: Json | undefined): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '' || !survives(value.trim())) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function firstScalar(source: JsonObject, keys: string[]): Scalar | undefined {
  return keys.map((key) => source[key]).find((value): value is Scalar => isScalar(value));
}
