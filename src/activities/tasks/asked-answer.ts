// The answer to a program's question as its workflow returns it, once the end of its task is written.
import type { JsonObject } from '../../contract/base/json.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';
import { askReplyOf } from '../../core/questions/ask-answer.ts';
import { answerOfRow } from '../../host/secrets/answer-of-row.ts';
import type { ActivityDeps } from '../deps.ts';

/** Null: nothing was asked before the task ended. */
export async function askedAnswer(
  deps: Pick<ActivityDeps, 'store' | 'log' | 'signer' | 'prover' | 'publicUrl'>,
  { taskId }: Pick<TaskRef, 'taskId'>,
  id: string,
): Promise<JsonObject | null> {
  const row = (await deps.store.holds.ofTask(taskId)).at(-1);
  if (row === undefined) return null;
  // Safe: it is plain JSON.
  return askReplyOf(deps, answerOfRow(deps, row, id)) as unknown as JsonObject;
}
