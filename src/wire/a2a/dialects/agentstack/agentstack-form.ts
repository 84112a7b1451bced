// Agent Stack's form_request/v1: its fields as a form, and a form's values as `{<id>: {type, value}}`.
import { paragraphs } from '../../../../core/base/text.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { isObject, objectOf, stringOf } from '../../../../core/base/json.ts';
import { verdictOf } from '../../../../core/consent/verdict.ts';
import { checkProfile } from '../../../../core/questions/form-profile.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { type Answered, titled } from '../base/dialect.ts';
import { summarize } from '../forms/form-answer.ts';
import { nameOf, readFields } from '../forms/form-fields.ts';

/** What the answer must know of a field again. */
interface Kept {
  id: string;
  type: string;
  /** Ids of the boxes in a group of checkboxes. */
  boxes: string[];
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** The question, or the reason why the form cannot be asked. */
export function askForm(request: JsonObject): Question | string {
  const fields = listOf(request['fields']).filter(isObject);
  if (fields.length === 0) return 'its form has no fields';
  const { schema, defaults, notes } = readFields(fields.map(fieldOf), {});
  const profile = checkProfile(schema);
  if (!profile.ok) return profile.why;
  const name = titled(request['title'], 'Form');
  const description = stringOf(request['description']);
  return {
    ...plainFields(),
    dialect: 'agentstack',
    kind: 'form',
    ...name,
    message: paragraphs([description === '' ? name.title : description, ...notes]),
    schema,
    defaults,
    ifMissing: Object.fromEntries(fields.map(keptOf).flatMap(missingOf)),
    reply: { fields: fields.map((field): JsonObject => ({ ...keptOf(field) })) },
  };
}

const keptOf = (field: JsonObject): Kept => ({
  id: nameOf({ id: field['id'] ?? null }) ?? '',
  type: stringOf(field['type']),
  boxes: listOf(field['fields']).map((box) => stringOf(objectOf(box)['id'])),
});

/** A box without a value is not ticked: code that wants a `bool` or a list fails with null. */
function missingOf({ id, type }: Kept): [string, Json][] {
  if (id === '' || (type !== 'checkbox' && type !== 'multiselect')) return [];
  return [[id, type === 'checkbox' ? false : []]];
}

/** One of its fields as a field of `forms/form-fields.ts`. */
function fieldOf(field: JsonObject): JsonObject {
  const { id = null, label = null, required = false, default_value: given = null } = field;
  const own = { name: id, label, required, ...(given === null ? {} : { default: given }) };
  switch (field['type']) {
    case 'date':
      return { ...own, type: 'date' };
    case 'singleselect':
      return { ...own, type: 'select', choices: listOf(field['options']).map(choiceOf) };
    case 'multiselect':
      return { ...own, type: 'select', multiple: true, choices: listOf(field['options']).map(choiceOf) };
    case 'checkbox':
      return { ...own, type: 'boolean', description: field['content'] ?? '' };
    case 'checkbox_group': {
      const boxes = listOf(field['fields']).map(objectOf);
      const ticked = boxes.filter((box) => box['default_value'] === true).map((box) => box['id'] ?? null);
      return { ...own, type: 'select', multiple: true, default: ticked, choices: boxes.map(choiceOf) };
    }
    case 'file':
      return { ...own, type: 'text', format: 'uri', description: 'The address of the file.' };
    default:
      return { ...own, type: field['auto_resize'] === false ? 'text' : 'textarea' };
  }
}

function choiceOf(option: Json): JsonObject {
  const { id = null, label, content } = objectOf(option);
  return { value: id, label: label ?? content ?? id };
}

export function formValues({ question, answer }: Answered): { payload: JsonObject; text: string } | { why: string } {
  if (answer.status === 'cancelled') return { why: 'a form cannot be refused' };
  const values: JsonObject = {};
  const given = { ...question.ifMissing, ...answer.values };
  for (const entry of listOf(question.reply['fields'])) {
    const { id, type, boxes } = objectOf(entry);
    const name = stringOf(id);
    if (name !== '') values[name] = { type: type ?? 'text', value: valueOf(type, listOf(boxes), given[name]) };
  }
  return { payload: { values }, text: summarize(question, answer, answer.values) };
}

/** What a form says as it is written. */
export function readForm(question: Question, payload: JsonObject): Verdict {
  const entries = Object.entries(objectOf(payload['values']));
  const values = Object.fromEntries(entries.map(([name, entry]) => [name, objectOf(entry)['value'] ?? null]));
  return verdictOf(question, { status: 'resolved', values });
}

function valueOf(type: Json | undefined, boxes: Json[], value: Json | undefined): Json {
  if (type === 'checkbox_group') {
    const ticked = listOf(value);
    return Object.fromEntries(boxes.map((box) => [stringOf(box), ticked.includes(box)]));
  }
  if (type === 'file') return typeof value === 'string' && value !== '' ? [{ uri: value }] : null;
  return value ?? null;
}
