// Withdraws a program's question: its workflow ends it only if no answer came first.
import type { AmendCommand } from '../../contract/holds/decision.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import { errorOf, StandfastError } from '../../core/base/errors.ts';
import type { NewestHold } from '../../store/ports/hold-notes.ts';
import type { TaskRow } from '../../store/store.ts';
import type { TaskActs } from '../api-parts.ts';
import { followEnd, rowsFollowMs } from '../engine/follow-rows.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';
import { cancelTask, cancelShowsMs } from '../tasks/cancel-task.ts';
import { refuseUnfitId } from './ask-runs.ts';
import { followAsks, neverAsked } from './follow-asks.ts';

/** Its program needs no answer any more: people are not asked any longer. One that was answered stays answered. */
export async function withdrawAsk(api: TaskActs, id: string, principal: Principal): Promise<void> {
  const { hold, row } = await openedOf(api, id, principal);
  if (isEndedStatus(row.status)) return;
  const receivedAt = api.now().toISOString();
  const command: AmendCommand = { kind: 'withdraw', hold: hold.holdId, principal, receivedAt };
  const result = await api.tasks.amend(row, command);
  if (result.kind === 'unanswered') throw await noAnswerError(api, result.by, 'worker_unavailable');
  // Answered before: what people approved is done.
  if (result.kind === 'refusal' && result.refusal.code !== 'hold_closed') throw errorOf(result.refusal);
  if (result.kind === 'answer') await followEnd(api, row, cancelShowsMs);
}

/** Another question takes its place: its task ends, also where its answer has not been sent. */
export async function endReplaced(api: TaskActs, id: string, principal: Principal): Promise<{ isEnded: boolean }> {
  const { row } = await openedOf(api, id, principal);
  return cancelTask(api, row, principal.id);
}

/** Of a question whose only call was cancelled no call can come for the answer: waits until it is open, which takes moments. */
export async function withdrawAbandoned(api: TaskActs, id: string, principal: Principal): Promise<void> {
  await holdOf(api, id, principal, rowsFollowMs);
  await withdrawAsk(api, id, principal);
}

async function openedOf(api: TaskActs, id: string, principal: Principal): Promise<{ hold: NewestHold; row: TaskRow }> {
  refuseUnfitId(id);
  const hold = await holdOf(api, id, principal, 0);
  const row = hold === null ? null : await api.store.tasks.get(hold.taskId);
  if (hold === null || row === null)
    throw new StandfastError('worker_unavailable', 'the question is kept and not open yet; withdraw it again');
  return { hold, row };
}

async function holdOf(api: TaskActs, id: string, principal: Principal, timeoutMs: number): Promise<NewestHold | null> {
  const wait = {
    until: 'opened',
    timeoutMs,
    signal: new AbortController().signal,
  } as const;
  const { asks, unknown } = await followAsks(api, [id], principal, wait);
  if (unknown.length > 0) throw neverAsked(id);
  return asks[0]?.hold ?? null;
}
