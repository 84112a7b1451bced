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
import type { Hold } from '../contract/hold.ts';
import type { TaskStart } from '../contract/run.ts';
import { assertNever } from '../core/assert-never.ts';
import { callsUnderWay } from '../core/supervisors.ts';
import { newTask } from '../core/task.ts';
import { nextLimit } from '../core/task-limits.ts';
import type { TaskFact, TaskState } from '../core/task-state.ts';
import { requestCancel } from './activity-options.ts';
import { registerHandlers } from './doors.ts';
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
  refuseStrangers(start);
  const shell = createShell(start, carried ?? newTask(start));
  if (carried === undefined) {
    const reply = dispatch(shell, { type: 'run', command: start.opening });
    // Returning in the first task closes the execution again: a refused opening leaves nothing running.
    if (reply.ok === false) return { result: 'refused', taskId: start.taskId, code: reply.code };
  } else {
    // Whoever was being asked to decide is asked on, by the same message.
    shell.effects.push(...shell.state.holds.flatMap(callsUnderWay));
    dispatch(shell, { type: 'time.passed' });
  }
  registerHandlers(shell);
  watchCancel(shell);
  // Everything runs to an honest end, also after a cancel: what is to stop is stopped by the reducer's word.
  return CancellationScope.nonCancellable(() => live(shell));
}

/** Started by hand with something else, it would be tried for ever. */
function refuseStrangers(start: unknown): asserts start is TaskStart {
  const { taskId, agent, threadId, opening } = (start ?? {}) as Partial<TaskStart>;
  const isOurs = [taskId, agent, threadId, opening?.runId].every((one) => typeof one === 'string');
  if (!isOurs)
    throw ApplicationFailure.nonRetryable(
      'Holdpoint starts this workflow itself; POST /agents/:agent/run starts a task',
      'input_invalid',
    );
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
    if (effect !== undefined) {
      // Nothing is awaited that is done at once: each promise is paid for in every replay.
      const underWay = perform(shell, effect);
      if (underWay !== undefined) await underWay;
    } else if (shell.state.phase === 'leaving') return leave(shell);
    else if (shell.state.phase === 'holding' || shell.state.phase === 'turn') await park(shell);
    else await condition(() => shell.effects.length > 0 || shell.state.phase === 'leaving');
  }
}

interface Due {
  at: string;
  summary: string;
  fact: TaskFact;
}

/** What the clock does next, if nothing else happens first. */
function nextDueOf(shell: Shell): Due | null {
  const step = shell.state.phase === 'holding' ? nextStepSummary(shell) : null;
  const limit = nextLimit(shell.state, shell.start.limits);
  const dues: Due[] = [];
  if (step !== null) dues.push({ ...step, fact: { type: 'time.passed' } });
  if (limit !== null) {
    const summary = limit.limit === 'silence' ? 'the agent has been silent too long' : 'the agent has taken too long';
    dues.push({ at: limit.at, summary, fact: { type: 'limit.passed', limit: limit.limit } });
  }
  return dues.reduce<Due | null>((first, due) => (first === null || due.at < first.at ? due : first), null);
}

/** Its message may still be on its way to an agent that was called just now: two would wait for it. */
const areCallsOld = ({ plan }: Hold): boolean =>
  plan.supervisors.every(({ doneAt, at }) => doneAt !== null || Date.now() - Date.parse(at) > callSettlesMs);
const callSettlesMs = 10_000;

/** Between turns, with nothing under way that would be lost. */
const mayCarryOver = ({ state, endBeside }: Shell): boolean =>
  workflowInfo().continueAsNewSuggested &&
  state.asking === null &&
  endBeside.size === 0 &&
  state.holds.every(areCallsOld) &&
  (state.phase === 'holding' || state.parked !== null);

/** People are asked, or the agent has the task: wait for a door or what the clock does next, one timer at a time. */
async function park(shell: Shell): Promise<void> {
  if (mayCarryOver(shell)) await carryOver(shell);
  const { phase } = shell.state;
  const next = nextDueOf(shell);
  const isWoken = (): boolean =>
    shell.effects.length > 0 || shell.state.phase !== phase || nextDueOf(shell)?.at !== next?.at || mayCarryOver(shell);
  if (next === null) return condition(isWoken);
  const waitMs = Date.parse(next.at) - Date.now();
  const isEarly = waitMs > 0 && (await condition(isWoken, waitMs, { summary: next.summary }));
  if (isEarly) return undefined;
  // An answer that came in time is being checked: it goes before the clock.
  if (shell.checking > 0) await condition(() => shell.checking === 0);
  if (shell.state.phase === phase) dispatch(shell, next.fact);
  return undefined;
}

/** Nothing visible outside changes: same ids, same holds, same deadlines. */
async function carryOver(shell: Shell): Promise<void> {
  await condition(allHandlersFinished);
  if (shell.effects.length > 0 || !mayCarryOver(shell)) return;
  await continueAsNew<typeof a2aTask>(shell.start, shell.state);
}

async function leave(shell: Shell): Promise<TaskResult> {
  for (const end of [...shell.endBeside, ...shell.endCalls]) end();
  if (!allHandlersFinished()) await condition(allHandlersFinished);
  const { end, taskId } = shell.state;
  if (end === null) throw ApplicationFailure.nonRetryable('left without an end', 'internal');
  switch (end.kind) {
    case 'completed':
    case 'message-only':
    case 'already-run':
      return { result: end.kind, taskId };
    case 'refused':
      return { result: end.kind, taskId, code: end.code };
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
