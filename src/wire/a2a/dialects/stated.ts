// What an agent says of its question beyond it: how risky it calls it, and its model's reasoning.
import type { Question } from '../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { AgentMessage } from '../../../contract/tasks/turn.ts';
import { objectOf } from '../../../core/base/json.ts';
import { cutText } from '../codec/clean.ts';
import { paragraphs } from './base/dialect.ts';

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
  const named = first('risk');
  const line = named.replace(/\s+/gu, ' ');
  const isLong = line.length > maxRiskChars;
  const risk = isLong ? `${cutText(line, maxRiskChars - 1)}…` : line;
  const reasons = first('reasoning') || thought.join('\n').trim();
  // The reasoning is kept and shown whole, however long it is.
  const reasoning = isLong ? paragraphs([`Risk: ${named}`, reasons]) : reasons;
  if (risk === '' && reasoning === '') return question;
  return {
    ...question,
    stated: { ...(risk === '' ? {} : { risk }), ...(reasoning === '' ? {} : { reasoning }) },
  };
}

const wordsOf = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
