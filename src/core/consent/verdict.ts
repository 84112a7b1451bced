// What an answer decides, read the same way for votes, cards, figures, messages and history.
import type { AnswerEntry, Decision } from '../../contract/holds/decision.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { objectOf } from '../base/json.ts';

type Asked = Pick<Question, 'kind' | 'schema' | 'decisionField'>;
type Verdict = 'yes' | 'no';

/** Fields that say yes or no in forms, the first one present. */
const decisionNames = ['approved', 'approve', 'confirmed', 'confirm', 'decision'];

const noWords = 'no reject rejected deny denied decline declined refuse refused disapprove disapproved'.split(' ');
const yesWords = 'yes approve approved accept accepted allow allowed confirm confirmed grant granted'.split(' ');

const isBoolean = (property: Json | undefined): boolean => objectOf(property)['type'] === 'boolean';

/** The one field of a schema, when it is a yes or no; null when more, or anything else, is asked. */
export function onlyYesNoField(schema: JsonObject): string | null {
  const properties = objectOf(schema['properties']);
  const [only, ...more] = Object.keys(properties);
  return only !== undefined && more.length === 0 && isBoolean(properties[only]) ? only : null;
}

/** The fields that may hold an answer's decision, the preferred one first; text and operator questions have none. */
function decisionFields({ kind, schema, decisionField }: Asked): string[] {
  if (kind === 'text' || kind === 'operator') return [];
  if (decisionField !== undefined) return [decisionField];
  const only = kind === 'confirmation' ? onlyYesNoField(schema) : null;
  return only === null ? decisionNames : [only];
}

/** The field that holds the decision; null when the question is not a decision. */
export function decisionFieldOf(question: Asked): string | null {
  const properties = objectOf(question.schema['properties']);
  return decisionFields(question).find((name) => Object.hasOwn(properties, name)) ?? null;
}

/** The boolean field of a question that asks only for yes or no. */
export function yesNoFieldOf(question: Asked): string | null {
  if (question.kind !== 'confirmation' && question.kind !== 'tool_call') return null;
  const field = decisionFieldOf(question);
  return field !== null && isBoolean(objectOf(question.schema['properties'])[field]) ? field : null;
}

type Word = boolean | string;

/** The field that decides, with its two values; null where no pair of buttons could replace it. */
export function decidesOf(question: Asked): { field: string; yes: Word; no: Word } | null {
  const field = decisionFieldOf(question);
  if (field === null) return null;
  const property = objectOf(objectOf(question.schema['properties'])[field]);
  const words = wordsOf(property);
  const [yes, no] = (['yes', 'no'] as const).map((verdict) => words.find((one) => verdictOfValue(one) === verdict));
  const isPair = words.length === 2 && property['const'] === undefined;
  return isPair && yes !== undefined && no !== undefined ? { field, yes, no } : null;
}

/** The values that a field may have, where it names each. */
function wordsOf(property: JsonObject): Word[] {
  const { enum: named, oneOf } = property;
  const values = Array.isArray(named)
    ? named
    : Array.isArray(oneOf)
      ? oneOf.map((one) => objectOf(one)['const'])
      : null;
  if (values === null) return isBoolean(property) ? [true, false] : [];
  const words = values.filter((one): one is Word => typeof one === 'boolean' || typeof one === 'string');
  return words.length === values.length ? words : [];
}

/** The choice that an answer took, by its label, where the field that decides offers more than a yes and a no. */
export function chosenOf(question: Question, given: Pick<AnswerEntry, 'status' | 'values'> | null): string | null {
  const field = decisionFieldOf(question);
  if (given?.status !== 'resolved' || question.kind !== 'form' || field === null) return null;
  const property = objectOf(objectOf(question.schema['properties'])[field]);
  const value = given.values[field];
  const isShown = typeof value === 'string' && !question.secrets.includes(field);
  if (!isShown || decidesOf(question) !== null || !wordsOf(property).includes(value)) return null;
  const { oneOf } = property;
  const option = Array.isArray(oneOf) ? oneOf.map(objectOf).find((one) => one['const'] === value) : undefined;
  const title = option?.['title'];
  return typeof title === 'string' && title !== '' ? title : value;
}

function verdictOfValue(value: Json | undefined): Verdict | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return null;
  const term = value.trim().toLowerCase();
  return noWords.includes(term) ? 'no' : yesWords.includes(term) ? 'yes' : null;
}

/** Whether an answer is a yes or a no; null when it decides nothing, like most forms. A refusal to answer is a no. */
export function verdictOf(question: Asked, { status, values }: Pick<AnswerEntry, 'status' | 'values'>): Verdict | null {
  if (status === 'cancelled') return 'no';
  const field = decisionFields(question).find((name) => Object.hasOwn(values, name));
  return field === undefined ? null : verdictOfValue(values[field]);
}

/** What a decision is called towards front ends and programs. */
export function decisionLabel(hold: {
  question: Asked;
  decision: Pick<Decision, 'status' | 'values'> | null;
}): 'provided' | 'approved' | 'rejected' {
  const { question, decision } = hold;
  const verdict = decision === null ? null : verdictOf(question, decision);
  if (verdict !== null) return verdict === 'no' ? 'rejected' : 'approved';
  return ['form', 'text', 'operator'].includes(question.kind) ? 'provided' : 'approved';
}

/** The question with its decision field required: a missing value is neither a yes nor a no. */
export function withDecisionRequired<Q extends Asked>(question: Q): Q {
  const field = question.decisionField === undefined ? yesNoFieldOf(question) : decisionFieldOf(question);
  const { required } = question.schema;
  const names = Array.isArray(required) ? required : [];
  if (field === null || names.includes(field)) return question;
  return { ...question, schema: { ...question.schema, required: [...names, field] } };
}

/** True where the question can be refused, and no answer that says yes fits it. */
export function takesNoAlone(question: Asked): boolean {
  const field = yesNoFieldOf(question);
  return field !== null && objectOf(objectOf(question.schema['properties'])[field])['const'] === false;
}

/** The values of a plain yes; null when a yes alone does not answer the question. */
export function yesOf(question: Asked): JsonObject | null {
  const field = yesNoFieldOf(question);
  if (field === null || takesNoAlone(question)) return null;
  const required = question.schema['required'];
  const others = Array.isArray(required) ? required.filter((name) => name !== field) : [];
  return others.length === 0 ? { [field]: true } : null;
}

// A form that was filled in can still be a no: the record then shows "Approve: no" from its values.
const decides =
  /^(?:is)?_?(?:approved?|confirm(?:ed)?|accept(?:ed)?|allow(?:ed)?|agreed?|authori[sz]ed?|grant(?:ed)?)$/iu;

/** The label of the field that decides a form and was answered with no; null for every other answer. */
export function refusalTextOf({ kind, schema }: Pick<Question, 'kind' | 'schema'>, values: JsonObject): string | null {
  if (kind !== 'form') return null;
  const properties = objectOf(schema['properties']);
  const name = Object.keys(properties).find(
    (one) => decides.test(one) && objectOf(properties[one])['type'] === 'boolean',
  );
  if (name === undefined || values[name] !== false) return null;
  const title = objectOf(properties[name])['title'];
  return typeof title === 'string' && title.trim() !== '' ? title.slice(0, 80) : name;
}
