// Public names: other folders, operators and scripts rely on them (docs/spec.md).
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  AmendCommand,
  AmendReply,
  DecideCommand,
  DecideReply,
  FormResponseInput,
  MessageInput,
  MessageReply,
} from '../contract/holds/decision.ts';
import type { Hold } from '../contract/holds/hold.ts';
import type { RunCommand, RunReply } from '../contract/tasks/run.ts';
import type { TaskError, TaskStatus } from '../contract/tasks/task.ts';

export const taskWorkflowType = 'a2aTask';
export const reconcileWorkflowType = 'reconcileTasks';
export const noticeWorkflowType = 'notice';
export const pushWorkflowType = 'push';
/** Workflows and turns: a turn starts on the worker that has its workflow. */
export const taskQueue = 'holdpoint';
/** Short work on Holdpoint's own database, which never queues behind turns. */
export const shortQueue = 'holdpoint-short';

/** Admits a run; returns at admission, never at the end of the turn. */
export const runUpdate = defineUpdate<RunReply, [RunCommand]>('run');
/** One person's answer to one hold, confirmed. */
export const decideUpdate = defineUpdate<DecideReply, [DecideCommand]>('decide');
/** While a hold is open: takes one's own vote back, or moves the question to others. */
export const amendUpdate = defineUpdate<AmendReply, [AmendCommand]>('amend');
/** A person's message to the agent, whether it works or waits. */
export const messageUpdate = defineUpdate<MessageReply, [MessageInput]>('message');
/** The same as `decide` without confirmation, for Temporal CLI and UI. */
export const formResponseSignal = defineSignal<[FormResponseInput]>('formResponse');
/** A turn that takes longer reports whether the agent has its message. */
export const turnDeliveredSignal =
  defineSignal<[{ turn: number; firstExecutionRunId: string; isDelivered: boolean }]>('turnDelivered');

/** Who cancels, sent just before Temporal's own cancellation, which names nobody. */
export const cancelBySignal = defineSignal<[{ taskId: string; by: string }]>('cancelBy');
/** A watch reports that the agent's task has changed; `mark` names the pause, or wake of a turn, that it watched. */
export const agentMovedSignal =
  defineSignal<[{ kind: 'turn' | 'pause'; watchVersion: number; firstExecutionRunId: string }]>('agentMoved');

/** There is more to send to the receiver of a push. */
export const pushSignal = defineSignal('more');

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
  resumes: number;
  /** Since when the agent has sent nothing, while no stream from it is open. */
  parkedSince: string | null;
  /** The agent's message with which the current pause began. */
  pauseMessageId: string | null;
  /** Who started talk-back, while the agent has not answered. */
  asking: string | null;
  runId: string;
  holds: Hold[];
  past: {
    interruptId: string;
    status: string;
    by: string | null;
    at: string | null;
    why: string | null;
    supersededBy: string | null;
  }[];
  /** A note for operators: a message that did not reach the agent. */
  note: string | null;
  error: TaskError | null;
}
export const taskQuery = defineQuery<TaskQueryView>('task');
