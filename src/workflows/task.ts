// One A2A task from its first turn to its last: events in, the reducer decides, effects out.
import type { TaskId } from '../contract/base/id-types.ts';
import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  workflowInfo,
} from '@temporalio/workflow';
import type { RawValue } from '@temporalio/common';
import type { Hold } from '../contract/holds/hold.ts';
import type { TaskStart } from '../contract/tasks/run.ts';
import type { EndedStatus } from '../contract/tasks/task-names.ts';
import { assertNever } from '../core/base/errors.ts';
import { callsUnderWay } from '../core/task/supervisors.ts';
import { newTask } from '../core/task/task.ts';
import { nextLimit } from '../core/task/task-limits.ts';
import type { TaskEvent, TaskState } from '../core/task/task-state.ts';
import { requestCancel } from './activity-options.ts';
import { registerHandlers } from './handlers.ts';
import { nextStepSummary } from './operator-view.ts';
import { perform } from './perform.ts';
import { resultForCaller } from './result-for-caller.ts';
import { createRuntime, dispatch, nowIso, type TaskRuntime } from './runtime.ts';

interface TaskResult {
  result: 'completed' | 'message-only' | 'already-run' | 'ended-before' | 'refused';
  taskId: TaskId;
  code?: string;
  /** How it had ended before. */
  status?: EndedStatus;
}

/**
 * Workflow `a2aTask`, id `a2a/<agent>/<threadId>`. `carried` is the state handed over by continue-as-new.
 * Its result is how the task ended, or the answer to a program's question that asked for that (`answerId`).
 * Ends: Completed; Failed with an ApplicationFailure whose type is the problem's code; Canceled.
 */
export async function a2aTask(start: TaskStart, carried?: TaskState): Promise<TaskResult | RawValue> {
  refuseStrangers(start);
  const runtime = createRuntime(start, carried ?? newTask(start));
  if (carried === undefined) {
    const reply = dispatch(runtime, { type: 'run', command: start.opening });
    // Returning in the first workflow task closes the execution again: a refused opening leaves nothing running.
    if (reply.ok === false) return { result: 'refused', taskId: start.taskId, code: reply.code };
  } else {
    // Supervisors that were being asked are asked on, by the same message.
    runtime.effects.push(...runtime.state.holds.flatMap(callsUnderWay));
    dispatch(runtime, { type: 'time.passed' });
  }
  registerHandlers(runtime);
  watchCancel(runtime);
  // Not cancelled by Temporal: after a cancel the reducer decides what is stopped.
  return CancellationScope.nonCancellable(() => live(runtime));
}

/** Started by hand with other input, the workflow task would fail for ever. */
function refuseStrangers(start: unknown): asserts start is TaskStart {
  const { taskId, agent, threadId, opening } = (start ?? {}) as Partial<TaskStart>;
  const isTaskStart = [taskId, agent, threadId, opening?.runId].every((one) => typeof one === 'string');
  if (!isTaskStart)
    throw ApplicationFailure.nonRetryable(
      'Standfast starts this workflow itself; POST /agents/:agent/run starts a task',
      'input_invalid',
    );
}

function watchCancel(runtime: TaskRuntime): void {
  CancellationScope.current().cancelRequested.catch(() => {
    runtime.isCancelRequested = true;
    const by = runtime.cancelledBy;
    const reason = by === null ? 'cancel was requested' : `cancelled by ${by}`;
    dispatch(runtime, { type: 'cancel', by: by ?? 'operator', reason });
  });
}

async function live(runtime: TaskRuntime): Promise<TaskResult | RawValue> {
  for (;;) {
    const effect = runtime.effects.shift();
    if (effect !== undefined) {
      // What is done at once is not awaited: each promise costs time in every replay.
      const underWay = perform(runtime, effect);
      if (underWay !== undefined) await underWay;
    } else if (runtime.state.phase === 'leaving') return leave(runtime);
    else if (runtime.state.phase === 'holding' || runtime.state.phase === 'turn') await park(runtime);
    else await condition(() => runtime.effects.length > 0 || runtime.state.phase === 'leaving');
  }
}

interface Due {
  at: string;
  summary: string;
  event: TaskEvent;
}

/** The next timer, if nothing else happens first. */
function nextDueOf(runtime: TaskRuntime): Due | null {
  const step = runtime.state.phase === 'holding' ? nextStepSummary(runtime) : null;
  const limit = nextLimit(runtime.state, runtime.start.limits);
  const dues: Due[] = [];
  if (step !== null) dues.push({ ...step, event: { type: 'time.passed' } });
  const { parked } = runtime.state;
  if (parked?.for === 'agent')
    dues.push({ at: parked.again, summary: 'try the agent again', event: { type: 'time.passed' } });
  if (limit !== null) {
    const summary = limit.limit === 'silence' ? 'the agent has been silent too long' : 'the agent has taken too long';
    dues.push({ at: limit.at, summary, event: { type: 'limit.passed', limit: limit.limit } });
  }
  return dues.reduce<Due | null>((first, due) => (first === null || due.at < first.at ? due : first), null);
}

/** The message to a supervisor called just now may still be on its way; two executions would wait for the answer. */
const areCallsSettled = ({ plan }: Hold): boolean =>
  plan.supervisors.every(({ doneAt, at }) => doneAt !== null || Date.now() - Date.parse(at) > callSettlesMs);
const callSettlesMs = 10_000;

/** True between turns, when nothing in progress would be lost. */
const mayCarryOver = ({ state, cancelBackground }: TaskRuntime): boolean =>
  workflowInfo().continueAsNewSuggested &&
  state.asking === null &&
  cancelBackground.size === 0 &&
  state.holds.every(areCallsSettled) &&
  (state.phase === 'holding' || state.parked !== null);

/** People are asked, or the agent has the task: waits for a message or the next timer, one timer at a time. */
async function park(runtime: TaskRuntime): Promise<void> {
  if (mayCarryOver(runtime)) await carryOver(runtime);
  const { phase } = runtime.state;
  const next = nextDueOf(runtime);
  const isWoken = (): boolean =>
    runtime.effects.length > 0 ||
    runtime.state.phase !== phase ||
    nextDueOf(runtime)?.at !== next?.at ||
    mayCarryOver(runtime);
  if (next === null) return condition(isWoken);
  const waitMs = Date.parse(next.at) - Date.now();
  const isEarly = waitMs > 0 && (await condition(isWoken, waitMs, { summary: next.summary }));
  if (isEarly) return undefined;
  // An answer that came in time is being checked: it comes before the timer. It may itself wait for an effect, which
  // only the caller performs.
  if (runtime.checking > 0) await condition(() => runtime.checking === 0 || isWoken());
  if (!isWoken()) dispatch(runtime, next.event);
  return undefined;
}

/** Continues as new. Nothing visible changes: same ids, same holds, same deadlines. */
async function carryOver(runtime: TaskRuntime): Promise<void> {
  const isDisturbed = (): boolean => runtime.effects.length > 0 || !mayCarryOver(runtime);
  // A handler may wait for what only the caller performs.
  await condition(() => allHandlersFinished() || isDisturbed());
  if (isDisturbed()) return;
  await continueAsNew<typeof a2aTask>(runtime.start, runtime.state);
}

async function leave(runtime: TaskRuntime): Promise<TaskResult | RawValue> {
  for (const end of [...runtime.cancelBackground, ...runtime.cancelCalls]) end();
  if (!allHandlersFinished()) await condition(allHandlersFinished);
  const { end, taskId } = runtime.state;
  if (end === null) throw ApplicationFailure.nonRetryable('left without an end', 'internal');
  // Who withdrew its own question, or stopped it by Temporal's own tools, waits for no answer.
  const isAskersEnd = end.kind === 'canceled' && [runtime.start.owner, 'operator'].includes(end.by);
  if (runtime.answer !== null && !isAskersEnd) return resultForCaller(runtime.answer);
  switch (end.kind) {
    case 'completed':
    case 'message-only':
    case 'already-run':
      return { result: end.kind, taskId };
    case 'ended-before':
      return { result: end.kind, taskId, status: end.status };
    case 'refused':
      return { result: end.kind, taskId, code: end.code };
    case 'failed':
      throw failureOf(runtime.start, end);
    case 'canceled':
      return endCanceled(runtime, end.reason);
    default:
      return assertNever(end);
  }
}

/** With payload encryption the failure's text is in a detail, which is encrypted. */
function failureOf({ hidesText }: TaskStart, { code, message }: { code: string; message: string }): ApplicationFailure {
  const hidden = { message: `${code} (encrypted)`, details: [{ message }] };
  return ApplicationFailure.create({
    type: code,
    nonRetryable: true,
    ...(hidesText === true ? hidden : { message }),
  });
}

/** An execution ends Canceled only if the server was asked to cancel it; a cancel by update asks now. */
async function endCanceled(runtime: TaskRuntime, reason: string): Promise<never> {
  if (!runtime.isCancelRequested) {
    const { workflowId, firstExecutionRunId } = runtime.ref;
    await requestCancel({ workflowId, firstExecutionRunId });
    await condition(() => runtime.isCancelRequested);
  }
  throw new CancelledFailure(`canceled at ${nowIso()}: ${reason}`);
}
