// Builds an answer from typed input: `--approve`, `--set amount=84.5`, or a reply to a prompt.
import type { DecisionBody } from '../../contract/holds/decision.ts';
import type { HoldView } from '../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { CommandError } from '../operate/command-error.ts';
import { isObject, objectOf, parseJson, jsonOrText } from '../../core/base/json.ts';

export type Asked = Pick<HoldView, 'kind' | 'schema' | 'defaults' | 'onReject' | 'tool' | 'deciding'>;

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : []);

export const propertiesOf = (schema: unknown): JsonObject => objectOf(objectOf(schema)['properties']);
export const isRequired = ({ schema }: Pick<Asked, 'schema'>, name: string): boolean =>
  listOf(schema['required']).includes(name);

/** The field's allowed values with their titles; empty when any value is allowed. */
export function choicesOf(field: unknown): { value: Json; title: string }[] {
  const { enum: values, oneOf } = objectOf(field);
  if (Array.isArray(values)) return values.map((value) => ({ value, title: String(value) }));
  const options = listOf(oneOf).filter((one) => isObject(one));
  if (options.length === 0 || !options.every((one) => 'const' in one)) return [];
  return options.map((one) => ({
    value: one['const'] ?? null,
    title: typeof one['title'] === 'string' ? one['title'] : String(one['const']),
  }));
}

const yes = /^(y|yes|true|on|1)$/i;
const no = /^(n|no|false|off|0)$/i;

function notA(what: string, text: string): CommandError {
  return new CommandError('usage', `expected ${what}, not "${text}"`);
}

/**
 * Parses typed text as a value of the field's type; throws when it cannot be one. The server checks all further rules.
 */
export function readValue(field: unknown, text: string): Json {
  const { type, items } = objectOf(field);
  const choices = choicesOf(field);
  if (choices.length > 0) {
    const found =
      choices.find(({ value }) => String(value) === text) ??
      choices.find(({ title }) => title.toLowerCase() === text.toLowerCase());
    if (found === undefined) throw notA(`one of ${choices.map(({ value }) => String(value)).join(', ')}`, text);
    return found.value;
  }
  switch (type) {
    case 'boolean':
      if (!yes.test(text) && !no.test(text)) throw notA('yes or no', text);
      return yes.test(text);
    case 'number':
    case 'integer':
      if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw notA('a number', text);
      return Number(text);
    case 'array':
      return text.startsWith('[') ? readJson(text, 'a list') : splitList(text).map((one) => readValue(items, one));
    case 'object':
      return readJson(text, 'an object in JSON');
    case 'string':
      return text;
    default:
      return jsonOrText(text);
  }
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function readJson(text: string, what: string): Json {
  const value = parseJson(text);
  if (value === undefined) throw notA(what, text);
  return value;
}

/**
 * The values with one setting applied, `amount=84.5` or `trip.city=Bonn`; throws for a field that the schema does not
 * have.
 */
export function withSetting(schema: unknown, values: JsonObject, setting: string): JsonObject {
  const at = setting.indexOf('=');
  if (at < 1) throw new CommandError('usage', `expected --set field=value, not "${setting}"`);
  const [path, text] = [setting.slice(0, at), setting.slice(at + 1)];
  const fields = propertiesOf(schema);
  if (Object.hasOwn(fields, path)) return { ...values, [path]: fieldValue(fields[path], path, text) };
  const [name = '', ...rest] = path.split('.');
  if (Object.hasOwn(fields, name) && rest.length > 0) {
    return { ...values, [name]: withSetting(fields[name], objectOf(values[name]), `${rest.join('.')}=${text}`) };
  }
  const known = Object.keys(fields);
  const hint = known.length === 0 ? 'the question names no fields' : `its fields are ${known.join(', ')}`;
  throw new CommandError('usage', `there is no field "${path}": ${hint}`);
}

function fieldValue(field: unknown, name: string, text: string): Json {
  try {
    return readValue(field, text);
  } catch (error) {
    throw error instanceof CommandError ? new CommandError('usage', `${name}: ${error.message}`) : error;
  }
}

/** The field and value that answer this question with yes or no; null when it is not such a question. */
function verdictValue({ deciding }: Asked, verdict: 'yes' | 'no'): { field: string; value: Json } | null {
  const value = deciding?.[verdict] ?? null;
  return deciding === null || value === null ? null : { field: deciding.field, value };
}

/**
 * The agent's proposed values that an answer sends back: a whole form, or a tool call's arguments if they can be
 * edited.
 */
export function proposedValues(asked: Asked): JsonObject {
  // Safe: JSON as well.
  const defaults = asked.defaults as JsonObject;
  if (asked.kind !== 'tool_call') return { ...defaults };
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => isRequired(asked, name)));
}

export function approval(asked: Asked, settings: readonly string[]): DecisionBody {
  if (asked.deciding !== null && asked.deciding.yes === null)
    throw new CommandError('usage', 'this question can only be refused: its message says what is missing');
  const verdict = verdictValue(asked, 'yes');
  if (verdict === null) {
    throw new CommandError('usage', 'this question is no yes or no: answer it by --set field=value, or --values');
  }
  const values = { ...proposedValues(asked), [verdict.field]: verdict.value };
  return { status: 'resolved', values: settings.reduce((all, one) => withSetting(asked.schema, all, one), values) };
}

export const filledIn = (asked: Asked, settings: readonly string[]): DecisionBody => ({
  status: 'resolved',
  values: settings.reduce((values, one) => withSetting(asked.schema, values, one), proposedValues(asked)),
});

/** A refusal: an answer if the question has a field for it and cancelling would end the task, else a cancellation. */
export function rejection(asked: Asked, reason: string | null): DecisionBody {
  const verdict = asked.onReject === 'answers' || asked.kind === 'form' ? null : verdictValue(asked, 'no');
  const fields = propertiesOf(asked.schema);
  const reasonField = ['reason', 'comment'].find((name) => objectOf(fields[name])['type'] === 'string');
  const others = listOf(asked.schema['required']).filter((name) => name !== verdict?.field);
  if (verdict === null || others.length > 0) return { status: 'cancelled', ...(reason === null ? {} : { reason }) };
  const carried = reason === null || reasonField === undefined ? {} : { [reasonField]: reason };
  return { status: 'resolved', values: { [verdict.field]: verdict.value, ...carried } };
}
