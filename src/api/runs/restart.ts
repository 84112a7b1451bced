// A task that failed, tried again: the next execution of its workflow id, with the message it began with.
import type { TaskId } from '../../contract/base/id-types.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import { errorOf, StandfastError } from '../../core/base/errors.ts';
import { taskIdOf } from '../../core/base/ids.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import type { NewIntake, TaskRow } from '../../store/store.ts';
import { messagesOfRun } from '../../wire/agui/input/run-messages.ts';
import { asItCame, submitRun, keepRun, type SubmitDeps } from './submit-run.ts';
import { followBegin } from '../engine/follow-rows.ts';
import { restartRunIdOf } from '../tasks/task-chat.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';
import type { PolicyReads, RowWrites, WithClock } from '../api-parts.ts';

const notRestartable = (why: string): StandfastError => new StandfastError('not_restartable', why);

/** Ended without a result that anybody gave: failed, or cancelled by the clock. */
async function refuseUnlessFailed({ store, config }: PolicyReads, task: TaskRow): Promise<void> {
  // A question over MCP is asked again by its program.
  if (!Object.hasOwn(config.agents, task.agent)) throw notRestartable('no agent of the configuration has this task');
  if (!isEndedStatus(task.status)) throw notRestartable('this task is not over');
  if (task.status === 'FAILED') return;
  const holds = task.status === 'CANCELED' ? await store.holds.ofTask(task.taskId) : [];
  if (!holds.some((hold) => hold.ended?.why === 'expired')) {
    throw notRestartable(`a task that is ${task.status} is not tried again`);
  }
}

/** The intake row that opened the task, with another name. */
async function intakeAgain(
  api: RowWrites & Pick<SubmitDeps, 'prover'>,
  task: TaskRow,
  principal: Principal,
): Promise<Omit<NewIntake, 'mac'>> {
  const opening = await api.store.runs.opening(task);
  const first = opening === null ? null : await api.store.intake.get(opening);
  if (first !== null) asItCame(api, first);
  if (first === null || messagesOfRun(first.body, first.messageIds).length === 0) {
    throw notRestartable('the message that opened this task is not kept');
  }
  const runId = restartRunIdOf(task.taskId);
  const body: JsonObject = { ...first.body, runId };
  const { agent, threadId, messageIds } = first;
  const receivedAt = api.now().toISOString();
  const plan = {
    kind: 'message' as const,
    task: null,
    owner: task.owner,
    contextId: null,
    restartOf: task.taskId,
    seen: await api.store.tasks.seen(agent, threadId),
  };
  const fingerprint = fingerprintOf(body);
  return { agent, threadId, runId, body, messageIds, plan, fingerprint, principal, receivedAt };
}

/** Whose task another one is, on the same thread. */
export class ThreadBusyError extends StandfastError {
  constructor(taskId: TaskId) {
    super('busy', `this thread has a task that is not over (${taskId})`);
  }
}

/** The task that tries this one again; a repeated request returns the same. */
export async function restartTask(api: SubmitDeps & WithClock, task: TaskRow, principal: Principal): Promise<TaskRow> {
  const { store } = api;
  const runId = restartRunIdOf(task.taskId);
  const nextId = taskIdOf(sha1Hex, task.agent, task.threadId, runId);
  if (task.restartedAs === null) {
    await refuseUnlessFailed(api, task);
    const newest = await store.tasks.newest(task.agent, task.threadId);
    if (newest !== null && newest.taskId !== nextId && !isEndedStatus(newest.status))
      throw new ThreadBusyError(newest.taskId);
    const again = await intakeAgain(api, task, principal);
    const admission = await submitRun(api, await keepRun(api, again, again.fingerprint));
    if (admission.result === 'refused') throw errorOf(admission.refusal);
    if (admission.result === 'unanswered') throw await noAnswerError(api, admission.by, 'worker_unavailable');
  }
  const next = await followBegin(api, task, task.restartedAs ?? nextId);
  if (next === null) throw await noAnswerError(api, 'worker', 'worker_unavailable');
  return next;
}
