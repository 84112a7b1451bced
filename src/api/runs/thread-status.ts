// The true status of a thread, for answers that only read: a replayed resume, a way out, subscribeOnly.
import type { AguiEvent } from '../../contract/tasks/run.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import { isOpenAt } from '../../core/answers/time-up.ts';
import { mayDecide } from '../../core/policy/audience.ts';
import type { HoldRow, RunRow, TaskRow } from '../../store/store.ts';
import { openInterrupts } from '../../wire/agui/cards/open-holds.ts';
import type { Outcome } from '../../wire/agui/project/restate.ts';
import type { ApiContext } from '../api-context.ts';
import { isObject, stringOf } from '../../core/base/json.ts';
import type { ViewReads } from '../api-parts.ts';

/** A run that is being written, the settled status, or neither yet (between two runs of a task). */
export type ThreadStatus = { kind: 'running'; run: RunRow } | Settled | { kind: 'between' };

export interface Settled {
  kind: 'settled';
  outcome: Outcome;
  /** Questions of the pause that wait for the others: answered, and no run tells of it yet. */
  answered: HoldRow[];
}

const settled = (outcome: Outcome, answered: HoldRow[] = []): Settled => ({ kind: 'settled', outcome, answered });

export async function threadStatusOf(
  api: ViewReads,
  task: TaskRow | null,
  principal: Principal,
): Promise<ThreadStatus> {
  if (task === null) return settled({ type: 'success' });
  const running = (await api.store.runs.openOf(task.taskId)).findLast((run) => !run.isControl);
  if (running !== undefined) return { kind: 'running', run: running };
  // Read after the runs: what a run that has just ended left behind is there by now.
  const [now, holds] = await Promise.all([api.store.tasks.get(task.taskId), api.store.holds.ofTask(task.taskId)]);
  const { status, error } = now ?? task;
  if (isEndedStatus(status)) return settled(endedOutcome(status, error));
  const interrupts = interruptsOf(api, now ?? task, holds, principal);
  if (interrupts.length > 0) {
    const answered = holds.filter((hold) => hold.status === 'decided' || hold.status === 'cancelled');
    return settled({ type: 'interrupt', interrupts }, answered);
  }
  const isAskedOfOperators = holds.some((hold) => hold.status === 'open' && hold.question.kind === 'operator');
  if (!isAskedOfOperators) return { kind: 'between' };
  // Never an interrupt, so the client must drop its cards; the result describes what is waited for.
  const deliveryUnknown = {
    code: 'delivery_unknown',
    message: 'an operator must settle whether the agent got the last message',
  };
  return settled({ type: 'success', result: { status, error: deliveryUnknown } });
}

function endedOutcome(status: TaskRow['status'], error: TaskRow['error']): Outcome {
  const result: JsonObject = {
    status,
    ...(error === null ? {} : { error: { code: error.code, message: error.message } }),
  };
  return { type: status === 'DONE' ? 'success' : 'cancelled', result };
}

function interruptsOf(
  api: Pick<ApiContext, 'now' | 'publicUrl'>,
  task: TaskRow,
  holds: HoldRow[],
  principal: Principal,
): JsonObject[] {
  const at = api.now().toISOString();
  return openInterrupts(holds, {
    taskId: task.taskId,
    a2aTaskId: task.a2aTaskId,
    contextId: task.contextId,
    publicUrl: api.publicUrl,
    mayDecide: (hold) => isOpenAt(hold, at) && mayDecide(hold, principal, task.owner),
  });
}

/** How an ended run ended, by its last event; null when it asked something, since that may be answered by now. */
export function outcomeOfLast(last: AguiEvent | null): Outcome | null {
  if (last?.type === 'RUN_ERROR') {
    const { code, message } = last;
    return {
      type: 'error',
      code: typeof code === 'string' ? code : 'internal',
      message: stringOf(message),
    };
  }
  if (last?.type !== 'RUN_FINISHED') return null;
  const outcome = isObject(last['outcome']) ? last['outcome']['type'] : 'success';
  if (outcome === 'interrupt') return null;
  const result = isObject(last['result']) ? { result: last['result'] } : {};
  return { type: outcome === 'cancelled' ? 'cancelled' : 'success', ...result };
}
