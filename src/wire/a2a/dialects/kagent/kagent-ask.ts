import { paragraphs } from '../../../../core/base/text.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import { isAcceptableA2aId } from '../../../../contract/base/ids.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { checkProfile } from '../../../../core/questions/form-profile.ts';
import { type Answered, maxQuestions } from '../base/dialect.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { summarize } from '../forms/form-answer.ts';
import { answersOf, questionFields, questionText } from '../forms/question-list.ts';
import type { KagentAnswer } from './kagent-approval.ts';

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
  const { schema, notes } = questionFields(asked);
  const profile = checkProfile(schema);
  if (!profile.ok) return profile.why;
  const who = from.who === null ? '' : `(Asked by ${from.who}, which works for the agent.)`;
  const lead = from.words === '' ? asked.map(questionText).join('\n') : from.words;
  const title = asked.length === 1 ? 'A question from the agent' : 'Questions from the agent';
  return [
    {
      ...plainFields(),
      dialect: 'kagent.hitl',
      kind: 'form',
      formId: id,
      title,
      hasOwnTitle: false,
      message: paragraphs([lead, who, ...notes]),
      schema,
      form: request,
      reply: { questions: asked.length },
    },
  ];
}

/** One answer per question; kagent expects arrays of strings, also for a single value. */
export function answerQuestions(answers: Answered[]): KagentAnswer {
  const [only, ...more] = answers;
  if (only === undefined || more.length > 0) return { why: 'a request of kagent is one question' };
  const { question, answer } = only;
  if (answer.status === 'cancelled') return { why: 'questions cannot be refused' };
  const count = typeof question.reply['questions'] === 'number' ? question.reply['questions'] : 0;
  return {
    payload: { type: 'ask_user_response', id: question.formId ?? '', answers: answersOf(count, answer.values) },
    text: summarize(question, answer, answer.values),
  };
}
