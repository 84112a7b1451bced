// The mutable side of one task: the reducer's state, its queued effects, and waiting handlers.
import type { JsonObject } from '../contract/base/json.ts';
import type { TaskStart } from '../contract/tasks/run.ts';
import type { TaskRef } from '../contract/tasks/task.ts';
import { reduce } from '../core/task/task.ts';
import type { Reply, TaskEffect, TaskEvent, TaskState } from '../core/task/task-state.ts';
import { workflowInfo, ApplicationFailure } from '@temporalio/workflow';
import { showState } from './operator-view.ts';

export interface TaskRuntime {
  start: TaskStart;
  ref: TaskRef;
  state: TaskState;
  effects: TaskEffect[];
  /** Answers being checked now; timers wait for them. */
  checking: number;
  /** The last turn that takes long enough to be shown to operators while it runs. */
  shownTurn: number;
  /** Update handlers waiting now. */
  waiters: number;
  isCancelRequested: boolean;
  /** Who announced the cancellation that comes next; null: an operator, by Temporal's own tools. */
  cancelledBy: string | null;
  /** Cancels the running turn, while one runs. */
  stopTurn: (() => void) | null;
  /** Cancels what runs in the background of the turn (injections, and supervisors of holds that keep no count of them). */
  cancelBackground: Set<() => void>;
  /** Cancels the calls of supervisors that are in the state: the next execution continues them. */
  cancelCalls: Set<() => void>;
  /** Of messages in the background that waited for their agent, which try was woken. */
  woken: Map<string, number>;
  /** What became of a program's question, where that is the workflow's result. */
  answer: JsonObject | null;
  /** Why the last signal was not taken; shown to operators. */
  note: string | null;
  /** Why the last supervisor agent did not decide. */
  supervisorNote: string | null;
}

export const nowIso = (): string => new Date(Date.now()).toISOString();

export function createRuntime(start: TaskStart, state: TaskState): TaskRuntime {
  const info = workflowInfo();
  return {
    start,
    ref: {
      taskId: start.taskId,
      agent: start.agent,
      threadId: start.threadId,
      workflowId: info.workflowId,
      firstExecutionRunId: info.firstExecutionRunId,
      owner: start.owner,
    },
    state,
    effects: [],
    checking: 0,
    shownTurn: 0,
    waiters: 0,
    isCancelRequested: false,
    cancelledBy: null,
    stopTurn: null,
    cancelBackground: new Set(),
    cancelCalls: new Set(),
    woken: new Map(),
    answer: null,
    note: null,
    supervisorNote: null,
  };
}

/** Applies an event: new state, queued effects, updated view for operators. */
export function dispatch(runtime: TaskRuntime, event: TaskEvent): Reply {
  const { state, effects, reply } = reduce(runtime.state, event, nowIso());
  runtime.state = state;
  runtime.effects.push(...effects);
  showState(runtime);
  return reply;
}

/** Why something failed, in short: from the cause of an activity's failure, or from its encrypted detail. */
export function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return (hiddenIn(cause) ?? (cause instanceof Error ? cause.message : String(cause))).slice(0, 500);
}

function hiddenIn(error: unknown): string | null {
  const detail: unknown = error instanceof ApplicationFailure ? error.details?.[0] : null;
  if (typeof detail !== 'object' || detail === null || !('hidden' in detail)) return null;
  return String(detail.hidden);
}
