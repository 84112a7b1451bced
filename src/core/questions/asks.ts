// Agents that ask without a pause: their last words of a turn are a question where `agents.<name>.asks` matches them.
import type { JsonObject } from '../../contract/base/json.ts';
import type { AgentConfig } from '../../contract/configuration/agent-config.ts';
import type { Question } from '../../contract/holds/question.ts';
import { isLike } from '../policy/matcher.ts';

export type Asks = NonNullable<AgentConfig['asks']>;

/** What is compared: with the longest pattern a comparison is 4 million steps at worst. */
export const maxComparedChars = 20_000;

/** True when a message in these words, or with this metadata, asks. */
export function asksPeople({ textPattern, metadata }: Asks, words: { text: string; metadata: JsonObject }): boolean {
  if (textPattern !== undefined) {
    const text = words.text.replaceAll(/\s+/gu, ' ').trim();
    return text !== '' && text.length <= maxComparedChars && isLike(textPattern, text);
  }
  if (metadata === undefined) return false;
  return Object.entries(metadata).every(([key, value]) => words.metadata[key] === value);
}

/** Key of a question's `reply`: the A2A task that had ended with it, or null where there was none. */
const endedKey = 'endedTask';

/** The question of an agent that waits for an ordinary next message, of the same context and of no task. */
export const askedAtEnd = (question: Question, a2aTaskId: string | null): Question => ({
  ...question,
  reply: { ...question.reply, [endedKey]: a2aTaskId },
});

/** The agent's task that ended with these questions, null where it made none; missing: the agent waits in its task. */
export function endedTaskOf(questions: readonly Pick<Question, 'reply'>[]): string | null | undefined {
  const asked = questions.find(({ reply }) => endedKey in reply);
  if (asked === undefined) return undefined;
  const a2aTaskId = asked.reply[endedKey];
  return typeof a2aTaskId === 'string' ? a2aTaskId : null;
}
