// kagent's `ask_user`: questions in words, each with or without choices, answered by a list of texts each.
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { objectOf } from '../../../../core/base/json.ts';
import { type FormFields, readFields } from './form-fields.ts';

/** A form with a field per question, in order; the fields are named by `nameOf`. */
export const questionFields = (asked: readonly Json[]): FormFields => readFields(asked.map(fieldOf), {});

export const nameOf = (index: number): string => `answer${index + 1}`;

export function questionText(entry: Json, index: number): string {
  const { question } = objectOf(entry);
  return typeof question === 'string' && question.trim() !== '' ? question : `Question ${index + 1}`;
}

function fieldOf(entry: Json, index: number): JsonObject {
  const { choices, multiple } = objectOf(entry);
  const label = questionText(entry, index);
  const hasChoices = Array.isArray(choices) && choices.length > 0;
  return {
    name: nameOf(index),
    label,
    ...(hasChoices ? { type: 'select', choices, multiple: multiple === true } : { type: 'textarea', minLength: 1 }),
    required: true,
  };
}

/** `[{answer: […]}]` for each question, texts only, also for a single value. */
export function answersOf(count: number, values: JsonObject): JsonObject[] {
  return Array.from({ length: count }, (_, index) => {
    const value = values[nameOf(index)];
    const list = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
    return { answer: list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))) };
  });
}
