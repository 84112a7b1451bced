// DOOR: the names other rooms, operators and other people's scripts hold on to (docs/spec.md).
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { DecideDoor, DecideReply, FormResponseDoor } from '../contract/decision.ts';
import type { Hold } from '../contract/hold.ts';
import type { RunDoor, RunReply } from '../contract/run.ts';
import type { TaskError, TaskStatus } from '../contract/task.ts';

export const taskWorkflowType = 'a2aTask';
export const reconcileWorkflowType = 'reconcileTasks';
export const taskQueue = 'holdpoint';
export const turnQueue = 'holdpoint-turns';

/** Admits a run; returns at admission, never at the end of the turn. */
export const runUpdate = defineUpdate<RunReply, [RunDoor]>('run');
/** One person's answer to one hold, confirmed. */
export const decideUpdate = defineUpdate<DecideReply, [DecideDoor]>('decide');
/** The same without confirmation, for Temporal CLI and UI. */
export const formResponseSignal = defineSignal<[FormResponseDoor]>('formResponse');
/** A turn says that its message is at the agent. */
export const turnDeliveredSignal = defineSignal<[{ turn: number; firstExecutionRunId: string }]>('turnDelivered');

/** Answer of the query `task`: the whole view an operator needs. */
export interface TaskQueryView {
  taskId: string;
  agent: string;
  threadId: string;
  owner: string;
  a2aTaskId: string | null;
  contextId: string | null;
  status: TaskStatus;
  phase: string;
  turn: number;
  runId: string;
  holds: Hold[];
  past: { interruptId: string; status: string; by: string | null; at: string | null }[];
  error: TaskError | null;
}
export const taskQuery = defineQuery<TaskQueryView>('task');
