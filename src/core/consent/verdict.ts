// What an answer says: yes, no, or neither. Receipts, labels, notices, figures, history, cards and every dialect's wire ask here,
// and none of them takes an answer for an approval because nothing in it says no.
import type { AnswerEntry } from '../../contract/holds/decision.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { HoldEnd, Verdict } from '../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { objectOf, stringOf } from '../base/json.ts';
import {
  offersDecision,
  onlyYesNoField,
  recognisedNames,
  type Word,
  type Words,
  wordsOf,
  wordVerdict,
  yesAndNo,
} from './deciding-field.ts';
import { approvedField } from '../base/approval-fields.ts';
import { ownEntry } from '../base/own-entry.ts';

type Asked = Pick<
  Question,
  'kind' | 'schema' | 'decisionField' | 'decisionWords' | 'ownDecision' | 'insteadField' | 'ifMissing'
>;
type Given = Pick<AnswerEntry, 'status' | 'values'>;

/** The field that decides; `yes`, `no`: the values that say so, null where the agent takes none such. */
export interface Deciding extends Words {
  field: string;
}

const propertyOf = ({ schema }: Pick<Asked, 'schema'>, field: string): Json | undefined => {
  const properties = objectOf(schema['properties']);
  return ownEntry(properties, field);
};

/** Fields that seem to decide, the surest first: by their names, then the only one that offers an approval and a refusal. */
function seemingOf({ schema }: Pick<Asked, 'schema'>): string[] {
  const properties = Object.entries(objectOf(schema['properties']));
  const named = recognisedNames(properties.map(([name]) => name));
  const offering = properties.filter(([name, one]) => !named.includes(name) && offersDecision(name, one, schema));
  return [...named, ...offering.map(([name]) => name)];
}

/** The fields that may decide, the preferred one first: the agent's own choice wins, and leaves no other. */
function candidatesOf({ kind, schema, decisionField }: Asked): string[] {
  if (kind === 'text' || kind === 'operator') return [];
  if (decisionField !== undefined) return [decisionField];
  const only = kind === 'form' || kind === 'authorization' ? null : onlyYesNoField(schema);
  return only === null ? seemingOf({ schema }) : [only];
}

/** The field whose value is a yes or a no; null: no answer to this question is either, but a refusal. */
export function decidingOf(question: Asked): Deciding | null {
  const { decisionWords, schema } = question;
  for (const field of candidatesOf(question)) {
    const property = propertyOf(question, field);
    const words = property === undefined ? null : (decisionWords ?? yesAndNo(field, property, schema));
    if (words !== null) return { field, yes: words.yes, no: words.no };
  }
  return null;
}

/** The field that holds the decision; null when the question is not a decision. */
export const decisionFieldOf = (question: Asked): string | null => decidingOf(question)?.field ?? null;

const isNo = (value: Json | undefined): boolean => value === false || wordVerdict(value) === 'no';

/**
 * Whether another field that seems to decide says the opposite of a yes: an agent may read that one. Not asked where the
 * agent names the one that it reads.
 */
function isContradicted(question: Asked, { field }: Deciding, values: JsonObject): boolean {
  const { decisionField, ownDecision } = question;
  if (decisionField !== undefined && ownDecision === undefined) return false;
  const names = [...seemingOf(question), ...recognisedNames(Object.keys(values)), ...(ownDecision?.unread ?? [])];
  return names.some((name) => name !== field && isNo(values[name]));
}

/**
 * Whether an answer is a yes, a no, or neither, like most forms and all texts. A refusal to answer is a no, and what is sent
 * for a field that was left out counts as given; but nothing that was left out is a yes.
 */
export function verdictOf(question: Asked, { status, values: given }: Given): Verdict {
  if (status === 'cancelled') return 'no';
  const values = { ...question.ifMissing, ...given };
  const { insteadField } = question;
  // Words in the place of what was to be approved: it is not done.
  if (insteadField !== undefined && typeof values[insteadField] === 'string' && values[insteadField] !== '')
    return 'answered';
  const deciding = decidingOf(question);
  if (deciding === null || !Object.hasOwn(values, deciding.field)) return 'answered';
  const value = values[deciding.field];
  if (deciding.no !== null && value === deciding.no) return 'no';
  if (deciding.yes === null || value !== deciding.yes) return 'answered';
  return !Object.hasOwn(given, deciding.field) || isContradicted(question, deciding, values) ? 'answered' : 'yes';
}

/** What a decision is called towards front ends and programs. */
const labels = { yes: 'approved', no: 'rejected', answered: 'answered' } as const;
export type DecisionLabel = (typeof labels)[Verdict];

export function decisionLabel({ question, decision }: { question: Asked; decision: Given | null }): DecisionLabel {
  return decision === null ? 'answered' : labels[verdictOf(question, decision)];
}

/** Why a question ended that was answered so. */
export const endReasonOf = (question: Asked, given: Given): 'approved' | 'answered' | 'declined' =>
  reasons[verdictOf(question, given)];
const reasons = { yes: 'approved', no: 'declined', answered: 'answered' } as const;

/** Whether a question ended by an answer that was given: no refusal, and not by time or its task. */
export const isDecidedEnd = (why: HoldEnd['why'] | undefined): boolean => why === 'approved' || why === 'answered';

/** Whether what the agent reads is what the record will say; null: nothing of it is written for an agent. */
export const isSameOnWire = (question: Asked, given: Given, onWire: Verdict | null): boolean =>
  onWire === null || onWire === verdictOf(question, given);

const isYesNo = ({ kind }: Asked): boolean => kind === 'confirmation' || kind === 'tool_call';

/** The field that decides, with its two values; null where no pair of buttons could replace it. */
export function decidesOf(question: Asked): { field: string; yes: Word; no: Word } | null {
  const found = decidingOf(question);
  if (found === null) return null;
  const { field, yes, no } = found;
  const words = wordsOf(propertyOf(question, field) ?? null, question.schema);
  // Of a yes or no the agent may take one alone: the page leaves the other button out.
  if (isYesNo(question) && words.length > 0 && words.every((one) => typeof one === 'boolean'))
    return { field, yes: true, no: false };
  return words.length === 2 && yes !== null && no !== null ? { field, yes, no } : null;
}

/** The field of a question that asks for a yes or a no, whatever else it takes. */
export const yesNoFieldOf = (question: Asked): string | null =>
  isYesNo(question) ? (decidesOf(question)?.field ?? null) : null;

/** What says a bare yes or no to such a question; null where the agent does not take it. */
export function sayingOf(question: Asked, isYes: boolean): JsonObject | null {
  const field = yesNoFieldOf(question);
  const found = field === null ? null : decidingOf(question);
  const word = isYes ? found?.yes : found?.no;
  return field === null || word === undefined || word === null ? null : { [field]: word };
}

/** The values of a plain yes; null when a yes alone does not answer the question. */
export function yesOf(question: Asked): JsonObject | null {
  const yes = sayingOf(question, true);
  const { required } = question.schema;
  const isAlone = !Array.isArray(required) || required.every((name) => yes !== null && String(name) in yes);
  return isAlone ? yes : null;
}

/** The choice that an answer took, by its label, where the field that decides offers more than a yes and a no. */
export function chosenOf(question: Question, given: Given | null): string | null {
  const field = question.decisionField ?? decisionFieldOf(question);
  if (given?.status !== 'resolved' || field === null || decidesOf(question) !== null) return null;
  const property = objectOf(propertyOf(question, field));
  const value = given.values[field];
  const isShown = typeof value === 'string' && !question.secrets.includes(field);
  if (!isShown || !wordsOf(property, question.schema).includes(value)) return null;
  const { oneOf } = property;
  const option = Array.isArray(oneOf) ? oneOf.map(objectOf).find((one) => one['const'] === value) : undefined;
  const title = option?.['title'];
  return typeof title === 'string' && title !== '' ? title : value;
}

const namesIn = (list: Json | undefined): Json[] => (Array.isArray(list) ? list : []);

const withRequired = (schema: JsonObject, field: string): JsonObject =>
  namesIn(schema['required']).includes(field)
    ? schema
    : { ...schema, required: [...namesIn(schema['required']), field] };

/**
 * The question with its decision field required: a missing value is neither a yes nor a no. A call of a tool whose form has
 * no field that can be read gets Standfast's own, which its dialect carries as an approval or a refusal.
 */
export function withDecisionRequired<Q extends Asked>(question: Q): Q {
  const { kind, schema, decisionField } = question;
  const field = decisionFieldOf(question);
  if (kind === 'tool_call' && field === null) return withOwnDecision(question);
  const isAsked = isYesNo(question) || decisionField !== undefined;
  if (!isAsked || field === null || namesIn(schema['required']).includes(field)) return question;
  return { ...question, schema: withRequired(schema, field) };
}

/** True where the question can be refused, and no answer that says yes fits it. */
export const takesNoAlone = (question: Asked): boolean =>
  yesNoFieldOf(question) !== null && decidingOf(question)?.yes === null;

function withOwnDecision<Q extends Asked>(question: Q): Q {
  const { schema, decisionField } = question;
  const properties = objectOf(schema['properties']);
  const field = ['approved', 'standfast_approved'].find((name) => !Object.hasOwn(properties, name));
  if (field === undefined) return question;
  const own = { [field]: approvedField };
  return {
    ...question,
    schema: withRequired({ ...schema, properties: { ...own, ...properties } }, field),
    decisionField: field,
    ownDecision: { unread: decisionField === undefined ? [] : [decisionField] },
  };
}

/** Why a person answered so: by the field of that name where the question has one, else next to the answer; null: no words. */
export const reasonOf = ({ values, reason }: { values: JsonObject; reason: string | null }): string | null =>
  stringOf(values['reason']) || reason;
