// One A2A task from first turn to last: facts in, the reducer decides, effects out.
import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  workflowInfo,
} from '@temporalio/workflow';
import type { TaskStart } from '../contract/run.ts';
import { assertNever } from '../core/assert-never.ts';
import { newTask } from '../core/task.ts';
import type { TaskState } from '../core/task-state.ts';
import { requestCancel } from './activity-options.ts';
import { openDoors } from './doors.ts';
import { nextStepSummary } from './operator-view.ts';
import { perform } from './perform.ts';
import { createShell, dispatch, nowIso } from './shell.ts';
import type { Shell } from './shell.ts';

export interface TaskResult {
  result: 'completed' | 'message-only' | 'already-run' | 'refused';
  taskId: string;
  code?: string;
}

/**
 * Workflow `a2aTask`, id `a2a/<agent>/<threadId>`. `carried` is the state handed over by continue-as-new.
 * Ends: Completed; Failed with an ApplicationFailure whose type is our code; Canceled.
 */
export async function a2aTask(start: TaskStart, carried?: TaskState): Promise<TaskResult> {
  const shell = createShell(start, carried ?? newTask(start));
  if (carried === undefined) {
    const reply = dispatch(shell, { type: 'run', door: start.opening });
    // Returning in the first task closes the execution again: a refused opening leaves nothing running.
    if (reply.ok === false) return { result: 'refused', taskId: start.taskId, code: reply.code };
  } else {
    dispatch(shell, { type: 'time.passed' });
  }
  openDoors(shell);
  watchCancel(shell);
  // Everything runs to an honest end, also after a cancel: what is to stop is stopped by the reducer's word.
  return CancellationScope.nonCancellable(() => live(shell));
}

function watchCancel(shell: Shell): void {
  CancellationScope.current().cancelRequested.catch(() => {
    shell.isCancelRequested = true;
    dispatch(shell, { type: 'cancel', by: 'operator', reason: 'cancel was requested' });
  });
}

async function live(shell: Shell): Promise<TaskResult> {
  for (;;) {
    const effect = shell.effects.shift();
    if (effect !== undefined) await perform(shell, effect);
    else if (shell.state.phase === 'leaving') return leave(shell);
    else if (shell.state.phase === 'holding') await hold(shell);
    else await condition(() => shell.effects.length > 0 || shell.state.phase === 'leaving');
  }
}

/** People are asked: wait for a door or the next step, one timer at a time. */
async function hold(shell: Shell): Promise<void> {
  if (workflowInfo().continueAsNewSuggested) await carryOver(shell);
  const next = nextStepSummary(shell);
  const isWoken = (): boolean =>
    shell.effects.length > 0 ||
    shell.state.phase !== 'holding' ||
    nextStepSummary(shell)?.at !== next?.at ||
    workflowInfo().continueAsNewSuggested;
  if (next === null) return condition(isWoken);
  const waitMs = Date.parse(next.at) - Date.now();
  const isEarly = waitMs > 0 && (await condition(isWoken, waitMs, { summary: next.summary }));
  if (isEarly) return undefined;
  // An answer that came in time is being checked: it goes before the clock.
  await condition(() => shell.checking === 0);
  if (shell.state.phase === 'holding') dispatch(shell, { type: 'time.passed' });
  return undefined;
}

/** Nothing visible outside changes: same ids, same holds, same deadlines. */
async function carryOver(shell: Shell): Promise<void> {
  await condition(allHandlersFinished);
  if (shell.effects.length > 0 || shell.state.phase !== 'holding') return;
  await continueAsNew<typeof a2aTask>(shell.start, shell.state);
}

async function leave(shell: Shell): Promise<TaskResult> {
  for (const end of shell.endBeside) end();
  await condition(allHandlersFinished);
  const { end, taskId } = shell.state;
  if (end === null) throw ApplicationFailure.nonRetryable('left without an end', 'internal');
  switch (end.how) {
    case 'completed':
    case 'message-only':
    case 'already-run':
      return { result: end.how, taskId };
    case 'refused':
      return { result: end.how, taskId, code: end.code };
    case 'failed':
      throw ApplicationFailure.create({ type: end.code, message: end.message, nonRetryable: true });
    case 'canceled':
      return endCanceled(shell, end.reason);
    default:
      return assertNever(end);
  }
}

/** An execution ends Canceled only after the server was asked for it; a cancel from inside asks now. */
async function endCanceled(shell: Shell, reason: string): Promise<never> {
  if (!shell.isCancelRequested) {
    const { workflowId, firstExecutionRunId } = shell.ref;
    await requestCancel({ workflowId, firstExecutionRunId });
    await condition(() => shell.isCancelRequested);
  }
  throw new CancelledFailure(`canceled at ${nowIso()}: ${reason}`);
}
