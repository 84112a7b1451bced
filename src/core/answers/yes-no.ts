// What an answer decides: one reading for votes, cards, figures, messages and history.
import type { AnswerEntry, Decision } from '../../contract/decision.ts';
import type { Question } from '../../contract/form.ts';
import type { Json, JsonObject } from '../../contract/json.ts';

type Asked = Pick<Question, 'kind' | 'schema' | 'decisionField'>;
export type Verdict = 'yes' | 'no';

/** Fields that say yes or no in forms, the first one present. */
const decisionNames = ['approved', 'approve', 'confirmed', 'confirm', 'decision'];

const noWords = 'no reject rejected deny denied decline declined refuse refused disapprove disapproved'.split(' ');
const yesWords = 'yes approve approved accept accepted allow allowed confirm confirmed grant granted'.split(' ');

const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

const isBoolean = (property: Json | undefined): boolean => objectOf(property)['type'] === 'boolean';

/** The one field of a schema, when it is a yes or no; null when more, or anything else, is asked. */
export function onlyYesNoField(schema: JsonObject): string | null {
  const properties = objectOf(schema['properties']);
  const [only, ...more] = Object.keys(properties);
  return only !== undefined && more.length === 0 && isBoolean(properties[only]) ? only : null;
}

/** Where an answer may say its decision, the better place first; what is typed or told to operators decides nothing. */
function decisionFields({ kind, schema, decisionField }: Asked): string[] {
  if (kind === 'text' || kind === 'operator') return [];
  if (decisionField !== undefined) return [decisionField];
  const only = kind === 'confirmation' ? onlyYesNoField(schema) : null;
  return only === null ? decisionNames : [only];
}

/** The field that tells the decision, or null when the question is no decision. */
export function decisionFieldOf(question: Asked): string | null {
  const properties = objectOf(question.schema['properties']);
  return decisionFields(question).find((name) => Object.hasOwn(properties, name)) ?? null;
}

/** The field that says yes or no by a boolean, where the question is nothing but that. */
export function yesNoFieldOf(question: Asked): string | null {
  if (question.kind !== 'confirmation' && question.kind !== 'tool_call') return null;
  const field = decisionFieldOf(question);
  return field !== null && isBoolean(objectOf(question.schema['properties'])[field]) ? field : null;
}

function verdictOfValue(value: Json | undefined): Verdict | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return null;
  const term = value.trim().toLowerCase();
  return noWords.includes(term) ? 'no' : yesWords.includes(term) ? 'yes' : null;
}

/** Whether an answer says yes or no; null when it decides nothing, as most forms. A refusal to answer is a no. */
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

/** The question with the field of its decision required: silence about it is neither a yes nor a no. */
export function withDecisionRequired<Q extends Asked>(question: Q): Q {
  const field = question.decisionField === undefined ? yesNoFieldOf(question) : decisionFieldOf(question);
  const { required } = question.schema;
  const names = Array.isArray(required) ? required : [];
  if (field === null || names.includes(field)) return question;
  return { ...question, schema: { ...question.schema, required: [...names, field] } };
}

/** The values of an unchanged yes; null when a yes alone does not answer the question. */
export function yesOf(question: Asked): JsonObject | null {
  const field = yesNoFieldOf(question);
  if (field === null) return null;
  const required = question.schema['required'];
  const others = Array.isArray(required) ? required.filter((name) => name !== field) : [];
  return others.length === 0 ? { [field]: true } : null;
}
