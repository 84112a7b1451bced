// Calls of tools that have to be asked about (`agents.<name>.mustAsk`), and that have a result without anybody's decision.
import type { Decision } from '../../contract/holds/decision.ts';
import type { CallResult } from '../../contract/tasks/task.ts';

/** A question about a call, by the id under which that very call was shown; null: it is about none. */
export interface AskedCall {
  shownCallId: string | null;
  decision: Decision | null;
}

/**
 * Each result is an execution, under the id by which its call was shown: no two calls share one, although agents use
 * their ids again. A decision covers its own call alone.
 */
export function undecidedCalls(
  tools: readonly string[],
  results: readonly CallResult[],
  asked: readonly AskedCall[],
): CallResult[] {
  const decided = new Set(asked.flatMap(({ shownCallId, decision }) => (decision === null ? [] : (shownCallId ?? []))));
  return results.filter(({ callId, tool }) => tools.includes(tool) && !decided.has(callId));
}
