// Answers that go to an agent by a key, as LangGraph's `{<id>: decision}`: two answers under one key would be one, and the
// later would take the place of the other.
import type { Question } from '../../../../contract/holds/question.ts';
import type { AnswerKey, Detected } from './dialect.ts';

/** The items by their keys, in order; those without a key are alone. */
export function byKey<T>(items: readonly T[], keyOf: (item: T) => string | null): T[][] {
  const groups = new Map<string | T, T[]>();
  for (const item of items) {
    const key = keyOf(item) ?? item;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}

/** Keys that several questions of a pause have and are not distinct by. */
function sharedKeys(keys: readonly (AnswerKey | null)[]): Set<string> {
  const first = new Map<string, unknown>();
  const shared = new Set<string>();
  for (const [index, own] of keys.entries()) {
    if (own === null) continue;
    const { key, group = index } = own;
    if (first.has(key) && first.get(key) !== group) shared.add(key);
    else first.set(key, group);
  }
  return shared;
}

/**
 * Proves that the keys of a dialect's questions are distinct. Where they are not, either the agent gets all answers of a key
 * as one list and people read so, or the pause is one question in words.
 */
export function withDistinctKeys(
  questions: Question[],
  keyOf: (question: Question) => AnswerKey | null,
  takesLists: boolean,
): Detected {
  const keys = questions.map(keyOf);
  const shared = sharedKeys(keys);
  if (shared.size === 0) return { result: 'ok', questions };
  if (!takesLists) return { result: 'invalid', why: 'two of its questions have the same id' };
  return {
    result: 'ok',
    questions: questions.map((question, index) => {
      const key = keys[index]?.key;
      return key === undefined || !shared.has(key) ? question : { ...question, message: noted(question, key) };
    }),
  };
}

const noted = ({ message }: Question, key: string): string =>
  `${message}\n\n(The agent asks several things under one id, ${JSON.stringify(key)}. It gets their answers as one list, in the order in which it asked.)`;
