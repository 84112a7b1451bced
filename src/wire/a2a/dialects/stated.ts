// What an agent says of its question beyond it, where A2A has it.
import type { Question } from '../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { AgentMessage } from '../../../contract/tasks/turn.ts';
import { objectOf } from '../../../core/base/json.ts';
import { withExpiry, withWords } from '../../../core/questions/stated.ts';

/** The question with `risk`, `reasoning` and `expireAfter` of its form's metadata, its message's, or that of its parts. */
export function withStated(question: Question, message: AgentMessage | null): Question {
  const parts = message?.parts ?? [];
  const given: JsonObject[] = [
    objectOf(objectOf(question.form)['metadata']),
    message?.metadata ?? {},
    ...parts.map(({ metadata }) => metadata),
  ];
  const first = (name: string): string =>
    given.map((metadata) => wordsOf(metadata[name])).find((text) => text !== '') ?? '';
  const reasoning = parts.flatMap((part) => (part.kind === 'text' && part.isReasoning === true ? [part.text] : []));
  const stated = withWords(question, { risk: first('risk'), reasoning: first('reasoning') || reasoning.join('\n') });
  return withExpiry(stated, first('expireAfter')) ?? stated;
}

const wordsOf = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
