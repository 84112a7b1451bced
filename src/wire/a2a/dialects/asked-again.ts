import { paragraphs } from '../../../core/base/text.ts';
import { objectOf } from '../../../core/base/json.ts';
import type { Question } from '../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { decisionFieldOf, verdictOf } from '../../../core/consent/verdict.ts';
import { type Previous } from './base/dialect.ts';
import { prompt } from './plain/plain.ts';

/*
 * An agent that rejects an answer asks again: a form with `metadata.errors`, or the same text once more. The rejected
 * values become the new question's defaults, except for secrets, fields that decide, and fields that the agent prefills
 * itself (`metadata.values`).
 */

const note = '(The agent asks this again. What it was answered is filled in.)';
const refusalPrefix = '(The agent did not take the answer';

/** That the agent refused the answer, and in which words, where it gave any. */
export function refusalNote(words: string | null): string {
  const line = (words ?? '').replace(/\s+/gu, ' ').trim();
  return line === '' ? `${refusalPrefix} and still waits for one.)` : `${refusalPrefix}: ${line})`;
}

/** The pause's questions, with the values of the rejected answers as defaults. */
export function withRejectedValues(questions: readonly Question[], previous: readonly Previous[]): Question[] {
  const left = [...previous];
  return questions.map((question) => {
    const at = left.findIndex((one) => isSameQuestion(question, one.question));
    const [before] = at === -1 ? [] : left.splice(at, 1);
    return before === undefined || before.values === null || answeredNo(question, before.values)
      ? question
      : filledIn(question, before.values, before.question);
  });
}

const namesOf = ({ schema }: Question): string[] => Object.keys(objectOf(schema['properties'])).toSorted();

/** The agent's own text: Standfast’s notes of earlier answers are paragraphs of their own at its end. */
export function withoutNotes(message: string): string {
  const isNote = (paragraph: string): boolean => paragraph === note || paragraph.startsWith(refusalPrefix);
  const all = message.split('\n\n');
  return all
    .slice(0, all.findLastIndex((paragraph) => !isNote(paragraph)) + 1)
    .join('\n\n')
    .trim();
}

/** The id alone is not enough: some agents use one id for all their forms. */
function isSameQuestion(now: Question, before: Question): boolean {
  if (now.dialect !== before.dialect || namesOf(now).join('\n') !== namesOf(before).join('\n')) return false;
  const hasErrors = Object.keys(now.errors).length > 0;
  if (hasErrors) return now.formId === null ? now.title === before.title : now.formId === before.formId;
  const text = withoutNotes(before.message);
  const hasOwnText = text !== '' && text !== prompt;
  return hasOwnText && now.title === before.title && now.message.includes(text);
}

/** A plain no needs no correction: what the agent asks next is not a second try at it. */
const answeredNo = (question: Question, values: JsonObject): boolean =>
  Object.keys(question.errors).length === 0 && verdictOf(question, { status: 'resolved', values }) === 'no';

/** A decision is never prefilled: it would be repeated too easily. */
function isDecision(question: Question, name: string): boolean {
  const { kind } = question;
  return kind === 'confirmation' || kind === 'authorization' || name === decisionFieldOf(question);
}

function filledIn(question: Question, values: JsonObject, before: Question): Question {
  const { defaults, form, errors, secrets } = question;
  const prefilled = objectOf(objectOf(objectOf(form)['metadata'])['values']);
  const known = namesOf(question).flatMap((name): [string, Json][] => {
    const value = values[name];
    const isKept = !secrets.includes(name) && !Object.hasOwn(prefilled, name) && !isDecision(question, name);
    return value !== undefined && isKept ? [[name, value]] : [];
  });
  if (known.length === 0) return question;
  // The same text under another id may be about something else, so `proposed` keeps what the agent proposes there.
  const isOther = question.formId !== null && question.formId !== before.formId;
  const message = Object.keys(errors).length > 0 ? question.message : paragraphs([question.message, note]);
  return {
    ...question,
    message,
    defaults: { ...defaults, ...Object.fromEntries(known) },
    filledIn: known.map(([name]) => name),
    ...(isOther ? { proposed: defaults } : {}),
  };
}
