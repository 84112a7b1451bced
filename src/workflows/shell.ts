// The mutable side of one task: the state the reducer made, the effects it asked for, and who waits.
import type { TaskStart } from '../contract/run.ts';
import type { TaskRef } from '../contract/task.ts';
import { reduce } from '../core/task.ts';
import type { Reply, TaskEffect, TaskFact, TaskState } from '../core/task-state.ts';
import { workflowInfo } from '@temporalio/workflow';
import { showState } from './operator-view.ts';

export interface Shell {
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
  endBeside: Set<() => void>;
  /** Cancels supervisors being asked that the state knows of: the next execution asks them on. */
  endCalls: Set<() => void>;
  /** Why the last signal was not taken; shown to operators. */
  note: string | null;
  /** Why the last supervisor agent did not decide. */
  supervisorNote: string | null;
}

export const nowIso = (): string => new Date(Date.now()).toISOString();

export function createShell(start: TaskStart, state: TaskState): Shell {
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
    endBeside: new Set(),
    endCalls: new Set(),
    note: null,
    supervisorNote: null,
  };
}

/** Takes a fact: new state, effects queued, view for operators brought up to date. */
export function dispatch(shell: Shell, fact: TaskFact): Reply {
  const { state, effects, reply } = reduce(shell.state, fact, nowIso());
  shell.state = state;
  shell.effects.push(...effects);
  showState(shell);
  return reply;
}
