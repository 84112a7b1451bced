// Calls of tools that have to be asked about (`agents.<name>.mustAsk`), and that have a result without anybody's decision.
import type { Decision } from '../../contract/holds/decision.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { CallResult } from '../../contract/tasks/task.ts';

/** An id that an agent uses again is shown with a number: it is another call. */
export function undecidedCalls(
  mustAsk: readonly string[],
  results: readonly CallResult[],
  holds: readonly { question: Pick<Question, 'tool'>; decision: Decision | null }[],
): CallResult[] {
  const decided = new Set(
    holds.flatMap(({ question, decision }) => (decision === null ? [] : (question.tool?.callId ?? []))),
  );
  return results.filter(({ callId, tool }) => mustAsk.includes(tool) && !decided.has(callId));
}
