// The runs of programs' questions: a thread for each id of a caller, and a run for each text that was asked under it.
import type { ThreadId } from '../../contract/base/id-types.ts';
import { RunIdSchema } from '../../contract/base/ids.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { RunKey } from '../../contract/tasks/run.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { askAgent } from '../../core/base/ids.ts';
import { askRunId, versionOfRun } from '../../core/questions/ask-answer.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import type { Store } from '../../store/store.ts';

/** Ids are a space of each caller's own: two programs that count from 1 ask two questions. */
export const askThreadId = ({ id: caller }: Pick<Principal, 'id'>, id: string): ThreadId =>
  `ask-${sha1Hex(new TextEncoder().encode(JSON.stringify([caller, id])))}`;

export const askKey = (principal: Pick<Principal, 'id'>, id: string, n: number): RunKey => ({
  agent: askAgent,
  threadId: askThreadId(principal, id),
  runId: askRunId(id, n),
});

export const isFitId = (id: string): boolean => id !== '' && RunIdSchema.safeParse(askRunId(id)).success;

export function refuseUnfitId(id: string): void {
  if (isFitId(id)) return;
  throw new StandfastError('input_invalid', 'id: expected 1 to 120 bytes of plain text without control characters');
}

/** Which question each thread is at, counted from 1; a thread under which nothing is kept is missing. */
export async function newestRuns(
  { store }: { store: { intake: Pick<Store['intake'], 'namesOf'> } },
  threadIds: ThreadId[],
): Promise<Map<ThreadId, number>> {
  const newest = new Map<ThreadId, number>();
  for (const { threadId, runId } of await store.intake.namesOf(askAgent, threadIds)) {
    const n = versionOfRun(runId);
    newest.set(threadId, Math.max(newest.get(threadId) ?? 1, n));
  }
  return newest;
}
