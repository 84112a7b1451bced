// How the last run of a thread failed, as people read it; pure.
import { agentProblem, describeProblem } from '../hold/words/problem-words.ts';
import type { Talk } from './conversation-state.ts';

/** Without the agent's words where they are its last message above; null: it did not fail. `isFinal`: to read on is no help. */
export function failureOf(
  { items, error }: Pick<Talk, 'items' | 'error'>,
  agent: string,
): { words: string; isFinal: boolean } | null {
  if (error === null) return null;
  const last = items.at(-1);
  const isRepeated = last?.kind === 'text' && last.role === 'assistant' && last.text.trim() === error.message.trim();
  return {
    words: describeProblem(isRepeated ? { ...error, message: '' } : error, agent),
    isFinal: error.code !== 'delivery_unknown' && agentProblem(error.code, agent, '') !== null,
  };
}
