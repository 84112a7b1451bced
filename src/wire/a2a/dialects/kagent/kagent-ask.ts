import { objectOf } from '../../../../core/base/json.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import { isAcceptableA2aId } from '../../../../contract/base/ids.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { checkProfile } from '../../../../core/questions/form-profile.ts';
import { cutText } from '../../codec/clean.ts';
import { type Answered, maxQuestions, paragraphs } from '../base/dialect.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { summarize } from '../forms/form-answer.ts';
import { readFields } from '../forms/form-fields.ts';
import type { KagentAnswer } from './kagent-approval.ts';

const maxFormBytes = 64 * 1024;

/** One form with a field per question, in order, or the reason why it cannot be asked. */
export function askQuestions(
  request: JsonObject,
  from: { id: Json | undefined; who: string | null; words: string },
): Question[] | string {
  const { id } = from;
  if (typeof id !== 'string' || !isAcceptableA2aId(id)) return 'it has no usable id';
  const asked = request['questions'];
  if (!Array.isArray(asked) || asked.length === 0) return 'it has no questions';
  if (asked.length > maxQuestions) return `it has ${asked.length} questions, and at most ${maxQuestions} fit`;
  const { schema, notes } = readFields(asked.map(fieldOf), {});
  const profile = checkProfile(schema);
  if (!profile.ok) return profile.why;
  const who = from.who === null ? '' : `(Asked by ${cutText(from.who, 100)}, which works for the agent.)`;
  const lead = from.words === '' ? asked.map(questionText).join('\n') : from.words;
  const title = asked.length === 1 ? 'A question from the agent' : 'Questions from the agent';
  return [
    {
      ...plainFields(),
      dialect: 'kagent.hitl',
      kind: 'form',
      idPrefix: 'input',
      activityType: 'INPUT_REQUEST',
      formId: id,
      title,
      message: paragraphs([lead, who, ...notes]),
      schema,
      form: Buffer.byteLength(JSON.stringify(request)) <= maxFormBytes ? request : null,
      reply: { questions: asked.length },
    },
  ];
}

export const nameOf = (index: number): string => `answer${index + 1}`;

function questionText(entry: Json, index: number): string {
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
    // A label is truncated after 200 characters; the description keeps the full question.
    ...(label.length > 200 ? { description: label } : {}),
    ...(hasChoices ? { type: 'select', choices, multiple: multiple === true } : { type: 'textarea', minLength: 1 }),
    required: true,
  };
}

/** One answer per question; kagent expects arrays of strings, also for a single value. */
export function answerQuestions(answers: Answered[]): KagentAnswer {
  const [only, ...more] = answers;
  if (only === undefined || more.length > 0) return { why: 'a request of kagent is one question' };
  const { question, answer } = only;
  if (answer.status === 'cancelled') return { why: 'questions cannot be refused' };
  const count = typeof question.reply['questions'] === 'number' ? question.reply['questions'] : 0;
  const given = Array.from({ length: count }, (_, index): Json => {
    const value = answer.values[nameOf(index)];
    const list = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
    return { answer: list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))) };
  });
  return {
    payload: { type: 'ask_user_response', id: question.formId ?? '', answers: given },
    text: summarize(question, answer, answer.values),
  };
}
