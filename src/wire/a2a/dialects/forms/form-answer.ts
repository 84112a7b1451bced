import { cutText } from '../../../../core/base/text.ts';
import type { Answer, Question } from '../../../../contract/holds/question.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { onlyYesNoField } from '../../../../core/consent/deciding-field.ts';
import { sayingOf, verdictOf } from '../../../../core/consent/verdict.ts';
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

/** The values by which a refusal is answered; null: it is in the answer's metadata. */
export function refusalValues(question: Question): JsonObject | null {
  const { kind, ownDecision, schema } = question;
  if (ownDecision !== undefined || (kind === 'confirmation' && yesNoField(schema) === null)) return null;
  return sayingOf(question, false);
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

/** The values to send; a refused yes/no question is answered with no, and null means that a refusal is in the answer's metadata. */
export function valuesOf(question: Question, answer: Answer): JsonObject | null {
  if (answer.status === 'cancelled') return refusalValues(question);
  const own = question.ownDecision === undefined ? null : (question.decisionField ?? null);
  // A no that the form has no field for: its other values are of no use to anybody.
  if (own !== null && verdictOf(question, answer) === 'no') return null;
  const properties = objectOf(question.schema['properties']);
  // Additional properties of an agent's own schema were validated, so they are sent too.
  const isOpen = question.kind !== 'text' && question.schema['additionalProperties'] !== false;
  const names = isOpen ? Object.keys(answer.values) : Object.keys(properties);
  const known = names.filter((name) => name !== own && Object.hasOwn(answer.values, name));
  return Object.fromEntries(known.map((name) => [name, answer.values[name] ?? null]));
}

/** The metadata of an answer: Standfast's own decision, and that it is a refusal. */
export function decisionDataOf(question: Question, answer: Answer, refusal: JsonObject | null): JsonObject {
  const own = question.ownDecision === undefined ? {} : { approved: verdictOf(question, answer) === 'yes' };
  return { ...refusal, ...own };
}

/** What a form's answer says as it is written. */
export function readBack(question: Question, values: JsonObject, data: JsonObject): Verdict {
  if (data['status'] === 'cancelled') return 'no';
  if (question.ownDecision === undefined) return verdictOf(question, { status: 'resolved', values });
  return data['approved'] === true ? 'yes' : 'answered';
}

/** The answer as readable text for the conversation; agents read the data part. */
export function summarize(question: Question, answer: Answer, values: JsonObject): string {
  const properties = objectOf(question.schema['properties']);
  const secrets = secretsOf(question.schema);
  const items = Object.keys(values)
    .filter((name) => !secrets.includes(name))
    .map((name) => `${labelOf(properties[name], name)}: ${formatValue(properties[name], values[name] ?? null)}`);
  const isOwnYes = question.ownDecision !== undefined && verdictOf(question, answer) === 'yes';
  if (isOwnYes) items.unshift('approved');
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
