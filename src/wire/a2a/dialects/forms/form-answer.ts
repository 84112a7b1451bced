import type { Answer, Question } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { onlyYesNoField, yesNoFieldOf } from '../../../../core/consent/verdict.ts';
import { cutText } from '../../codec/clean.ts';
import { describePolicy, policyWords } from '../base/dialect.ts';
import { isSecretProperty, secretsOf } from '../base/secret-fields.ts';
import { objectOf } from '../../../../core/base/json.ts';

const maxSummaryChars = 1000;
const maxSummaryValueChars = 200;

/** Name of the only field when the schema is a plain yes/no question, else null. */
export function yesNoField(schema: JsonObject): string | null {
  const only = onlyYesNoField(schema);
  return only !== null && !isSecretProperty(objectOf(schema['properties'])[only]) ? only : null;
}

/** Name of the field through which a refusal can be answered; null when there is none. */
export function refusalField(question: Question): string | null {
  if (question.kind === 'confirmation') return yesNoField(question.schema);
  return question.kind === 'tool_call' ? yesNoFieldOf(question) : null;
}

/** The data part for the forms of one key: their values, or a list of answers where several go by it. */
export function responseOf(type: string, names: JsonObject, answers: readonly FormAnswer[]): JsonObject {
  const [only, ...more] = answers;
  if (only === undefined || more.length > 0) return { type, ...names, responses: answers.map((one) => ({ ...one })) };
  return { type, ...names, ...only };
}

export interface FormAnswer {
  values: JsonObject;
  metadata: JsonObject;
}

/** The values to send; a refused yes/no question is answered with no, and null means the answer cannot be encoded. */
export function valuesOf(question: Question, answer: Answer): JsonObject | null {
  if (answer.status === 'cancelled') {
    const field = refusalField(question);
    return field === null ? null : { [field]: false };
  }
  // Additional properties of an agent's own schema were validated, so they are sent too.
  if (question.kind !== 'text' && question.schema['additionalProperties'] !== false) return answer.values;
  const known = Object.keys(objectOf(question.schema['properties'])).filter((name) =>
    Object.hasOwn(answer.values, name),
  );
  return Object.fromEntries(known.map((name) => [name, answer.values[name] ?? null]));
}

/** The answer as readable text for the conversation; agents read the data part. */
export function summarize(question: Question, answer: Answer, values: JsonObject): string {
  const properties = objectOf(question.schema['properties']);
  const secrets = secretsOf(question.schema);
  const items = Object.keys(values)
    .filter((name) => !secrets.includes(name))
    .map((name) => `${labelOf(properties[name], name)}: ${formatValue(properties[name], values[name] ?? null)}`);
  const policy = policyWords(answer);
  const by = policy === '' ? '' : ` (${policy})`;
  const list = items.length === 0 ? 'answered' : items.join(', ');
  const reason = reasonWords(answer);
  return cutText(`${question.title}${by}: ${list}${reason}`, maxSummaryChars);
}

const reasonWords = ({ status, reason }: Answer): string =>
  status === 'cancelled' && reason !== null ? ` (${reason})` : '';

/** A refused question among answered ones, as data and as text. */
export function declined({ title }: Question, answer: Answer): { data: JsonObject; text: string } {
  const { reason } = answer;
  const message = [`${title}: declined, not answered${reasonWords(answer)}`, describePolicy(answer)];
  return {
    data: { status: 'cancelled', ...(reason === null ? {} : { reason }) },
    text: cutText(message.filter((text) => text !== '').join(' '), maxSummaryChars),
  };
}

function labelOf(property: Json | undefined, name: string): string {
  const title = objectOf(property)['title'];
  return typeof title === 'string' ? title : name;
}

function formatValue(property: Json | undefined, value: Json): string {
  const { oneOf, items } = objectOf(property);
  if (Array.isArray(value))
    return cutText(value.map((item) => formatValue(items, item)).join(', '), maxSummaryValueChars);
  const choice = Array.isArray(oneOf) ? oneOf.map(objectOf).find((option) => option['const'] === value) : undefined;
  if (typeof choice?.['title'] === 'string') return choice['title'];
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return cutText(typeof value === 'string' ? value : JSON.stringify(value), maxSummaryValueChars);
}
