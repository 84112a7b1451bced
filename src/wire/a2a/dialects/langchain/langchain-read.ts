// Reads a caller's own LangChain or LangGraph answer as the answer to one question: in the shape in which that question is
// answered, and in no other, since its agent would not take it.
import { editedArgsField } from '../../../../contract/holds/answer-names.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { NeutralPart } from '../../../../contract/tasks/turn.ts';
import { canonicalJson, isObject, objectOf, stringOf } from '../../../../core/base/json.ts';
import { type Choice, isChoice, nameOf } from './review.ts';

/** The values for this question; null where the message has no answer to it in its shape. */
export function readLangchainAnswer(question: Question, parts: readonly NeutralPart[]): JsonObject | null {
  if (question.dialect !== 'langchain') return null;
  const data = parts.flatMap((part) => (part.kind === 'data' ? [part.data] : []));
  const given = answerIn(question, data);
  if (given === undefined) return null;
  if (question.reply['form'] === 'value') return valuesOfValue(question, given);
  const decision = decisionIn(question, given);
  return isObject(decision) ? valuesOfDecision(question, decision) : null;
}

/** What answers the question's request: under its id, or in the place of its part. */
function answerIn({ reply }: Question, data: readonly Json[]): Json | undefined {
  const { id, part, resumes } = reply;
  if (typeof id !== 'string') return typeof part === 'number' ? data[part] : undefined;
  const [only, ...more] = data.flatMap((one) => {
    const byId = resumes === undefined ? objectOf(one) : objectOf(objectOf(one)['resume']);
    return Object.hasOwn(byId, id) ? [byId[id]] : [];
  });
  return more.length === 0 ? only : undefined;
}

/** The decision about the question's own call, among as many as its request has. */
function decisionIn({ reply }: Question, given: Json): Json {
  const { form, at, of } = reply;
  if (form === 'decision' || form === 'response') return given;
  const all = form === 'responses' ? given : objectOf(given)['decisions'];
  return Array.isArray(all) && all.length === of && typeof at === 'number' ? (all[at] ?? null) : null;
}

/** Each spelling is answered in itself alone: its agent would not take the other. */
const editedOf = ({ form }: JsonObject): string => (form === 'camelDecisions' ? 'editedAction' : 'edited_action');

const inboxChoices = new Map<Json, Choice>([
  ['accept', 'approve'],
  ['edit', 'edit'],
  ['ignore', 'reject'],
  ['response', 'respond'],
]);

function valuesOfDecision(question: Question, given: JsonObject): JsonObject | null {
  const { reply } = question;
  const isInbox = reply['form'] === 'response' || reply['form'] === 'responses';
  const { type = null, args = null, message = null } = given;
  const choice = isInbox ? inboxChoices.get(type) : isChoice(type) ? type : undefined;
  const allowed = Array.isArray(reply['allowed']) ? reply['allowed'] : [];
  if (choice === undefined || !allowed.includes(choice)) return null;
  switch (choice) {
    case 'approve':
      return isAsProposed(question, args) ? { approved: true } : null;
    case 'edit':
      return valuesOfEdit(question, isInbox ? args : (given[editedOf(reply)] ?? null));
    case 'reject':
      return { approved: false, ...(typeof message === 'string' && message !== '' ? { reason: message } : {}) };
    case 'respond':
      return valuesOfWords(question, isInbox ? args : message);
    default:
      return choice satisfies never;
  }
}

/** An approval that brings other arguments may be an edit to its agent, or none. */
const isAsProposed = (question: Question, args: Json): boolean =>
  args === null ||
  [question.reply['args'] ?? {}, { action: nameOf(question), args: question.reply['args'] ?? {} }].some(
    (own) => canonicalJson(own) === canonicalJson(args),
  );

function valuesOfEdit(question: Question, edited: Json): JsonObject | null {
  const { name, action, args = null } = objectOf(edited);
  const isSame = stringOf(name ?? action) === nameOf(question);
  return isSame && isObject(args) ? { approved: true, [editedArgsField]: args } : null;
}

function valuesOfWords({ kind, schema }: Question, words: Json): JsonObject | null {
  if (typeof words !== 'string' || words === '') return null;
  if (kind === 'text') return { text: words };
  // Words in the place of the call: with the value that its form wants of the decision.
  const { const: fixed = false } = objectOf(objectOf(schema['properties'])['approved']);
  return { approved: fixed, response: words };
}

function valuesOfValue({ kind, reply }: Question, given: Json): JsonObject | null {
  if (kind === 'text')
    return typeof given === 'string' ? { text: given } : reply['takesData'] === true ? { data: given } : null;
  if (reply['shape'] === 'value') return { result: given };
  return isObject(given) ? given : null;
}
