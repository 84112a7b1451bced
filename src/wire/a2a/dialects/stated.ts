// What an agent says of its question beyond it: how risky it calls it, and its model's reasoning.
import type { Question } from '../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { AgentMessage } from '../../../contract/tasks/turn.ts';
import { objectOf } from '../../../core/base/json.ts';
import { cutText } from '../codec/clean.ts';

const maxRiskChars = 100;

/** The question with the `risk` and `reasoning` of its form's metadata, its message's, or that of its parts. */
export function withStated(question: Question, message: AgentMessage | null): Question {
  const parts = message?.parts ?? [];
  const given: JsonObject[] = [
    objectOf(objectOf(question.form)['metadata']),
    message?.metadata ?? {},
    ...parts.map(({ metadata }) => metadata),
  ];
  const first = (name: string): string =>
    given.map((metadata) => wordsOf(metadata[name])).find((text) => text !== '') ?? '';
  const thought = parts.flatMap((part) => (part.kind === 'text' && part.isReasoning === true ? [part.text] : []));
  const risk = cutText(first('risk').replace(/\s+/gu, ' '), maxRiskChars);
  const reasoning = first('reasoning') || thought.join('\n').trim();
  if (risk === '' && reasoning === '') return question;
  return {
    ...question,
    stated: { ...(risk === '' ? {} : { risk }), ...(reasoning === '' ? {} : { reasoning }) },
  };
}

const wordsOf = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
