// What an agent sent with a pause, where its question does not have all of it.
import type { Question } from '../../../contract/holds/question.ts';
import { dialectNames } from '../../../contract/holds/question.ts';
import { withLoss } from '../../../core/consent/whole.ts';
import { maxJsonDepth } from '../codec/clean.ts';
import { truncatedKey } from '../codec/parts.ts';
import type { Pause } from './base/dialect.ts';
import { withoutSecretValues } from './base/secret-fields.ts';
import { fenced, isForPeople } from './plain/plain.ts';

/** Data that the question in words in a form's place does not show otherwise, without secrets; '' when there is none. */
export function sentInWords({ message, earlier = [], artifacts = [] }: Pause): string {
  const parts = [...(message?.parts ?? []), ...earlier, ...artifacts.flatMap((artifact) => artifact.parts)];
  const own = new Set(message?.parts);
  const sent = parts.flatMap((part) =>
    part.kind === 'data' && !(own.has(part) && isForPeople(part)) ? [part.data] : [],
  );
  if (sent.length === 0) return '';
  return `It sent:\n\n${fenced(JSON.stringify(withoutSecretValues(sent.length === 1 ? (sent[0] ?? null) : sent), null, 2))}`;
}

/** Whether something of a pause was left out when it was read. */
const isCut = ({ message, earlier = [], artifacts = [] }: Pause): boolean =>
  message?.isCut === true ||
  artifacts.some((artifact) => artifact.isCut === true) ||
  earlier.some(({ metadata }) => metadata[truncatedKey] === true);

const why = `The agent sent more than is read of one message (4 MiB of text and 4 MiB of data, ${maxJsonDepth} levels deep), so it is not whole here`;

/** The question of a pause that was not read whole: nothing approves it, and it may be any question to a rule. */
export function withoutCut(question: Question, pause: Pause): Question {
  if (!isCut(pause)) return question;
  const facts = { kind: null, dialects: [...dialectNames], title: null, data: null };
  return { ...withLoss(question, why), facts };
}
