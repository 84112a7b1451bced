// The mutable side of one task: the state the reducer made, the effects it asked for, and who waits.
import type { TaskStart } from '../contract/run.ts';
import type { TaskRef } from '../contract/task.ts';
import { reduce } from '../core/task/task.ts';
import type { Reply, TaskEffect, TaskEvent, TaskState } from '../core/task/task-state.ts';
import { workflowInfo } from '@temporalio/workflow';
import { showState } from './operator-view.ts';

export interface TaskRuntime {
  start: TaskStart;
  ref: TaskRef;
  state: TaskState;
  effects: TaskEffect[];
  /** Answers being checked now: the clock takes no step meanwhile. */
  checking: number;
  /** The last turn that takes long enough to be shown to operators while it runs. */
  shownTurn: number;
  /** Update handlers waiting now. */
  waiters: number;
  isCancelRequested: boolean;
  /** Cancels the running turn, while one runs. */
  stopTurn: (() => void) | null;
  /** Cancels what runs beside the turn (injections, and supervisors of holds that keep no count of them). */
  cancelBackground: Set<() => void>;
  /** Cancels supervisors being asked that the state knows of: the next execution asks them on. */
  cancelCalls: Set<() => void>;
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
    stopTurn: null,
    cancelBackground: new Set(),
    cancelCalls: new Set(),
    note: null,
    supervisorNote: null,
  };
}

/** Takes a fact: new state, effects queued, view for operators brought up to date. */
export function dispatch(runtime: TaskRuntime, event: TaskEvent): Reply {
  const { state, effects, reply } = reduce(runtime.state, event, nowIso());
  runtime.state = state;
  runtime.effects.push(...effects);
  showState(runtime);
  return reply;
}
