// Public names: other folders, operators and scripts rely on them (docs/operate/run.md).
import type { A2aTaskId, InterruptId, RunId, TaskId, ThreadId } from '../contract/base/id-types.ts';
import { defineSearchAttributeKey } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  AmendReply,
  DecideReply,
  FormResponseInput,
  MessageReply,
  UnsignedMessage,
} from '../contract/holds/decision.ts';
import type { SignedCommand } from '../core/base/signed-command.ts';
import type { Hold } from '../contract/holds/hold.ts';
import type { RunReply } from '../contract/tasks/run.ts';
import { searchAttributes, type SearchAttributes } from '../contract/tasks/search-attribute-names.ts';
import type { TaskError, TaskStatus } from '../contract/tasks/task.ts';

export const taskWorkflowType = 'a2aTask';
export const reconcileWorkflowType = 'reconcileTasks';
export const rebuildWorkflowType = 'rebuild';
export const noticeWorkflowType = 'notice';
export const pushWorkflowType = 'push';
export const digestWorkflowType = 'digest';
/** Workflows, turns, stops, supervisors, and what a task writes: a turn starts on the worker that has its workflow. */
export const taskQueue = 'standfast';
/** What never queues behind turns: notices, digests, pushes, upkeep, rebuilding, and writes while turns have all slots. */
export const shortQueue = 'standfast-short';
/** Where endpoints of Nexus send what workflows of others ask. */
export const nexusQueue = 'standfast-nexus';

export const searchAttributeKeys = Object.fromEntries(
  Object.entries(searchAttributes).map(([key, { name, type }]) => [key, defineSearchAttributeKey(name, type)]),
) as {
  [Key in keyof SearchAttributes]: ReturnType<typeof defineSearchAttributeKey<SearchAttributes[Key]['type']>>;
};

/** Admits a run; returns at admission, never at the end of the turn. */
export const runUpdate = defineUpdate<RunReply, [SignedCommand]>('run');
/** The answer of a person or a supervisor to one hold, confirmed. */
export const decideUpdate = defineUpdate<DecideReply, [SignedCommand]>('decide');
/** What changes an open question and does not decide it, such as moving or withdrawing it (`AmendCommand`). */
export const amendUpdate = defineUpdate<AmendReply, [SignedCommand]>('amend');
/** A person's message to the agent, whether it works or waits; unsigned, by Temporal's CLI, in the operator's name. */
export const messageUpdate = defineUpdate<MessageReply, [SignedCommand | UnsignedMessage]>('message');
/** The same as `decide` without confirmation, for Temporal CLI and UI. */
export const formResponseSignal = defineSignal<[FormResponseInput]>('formResponse');
/** A turn that is still running reports whether the agent has its message. */
export const turnDeliveredSignal =
  defineSignal<[{ turn: number; firstExecutionRunId: string; isDelivered: boolean }]>('turnDelivered');

/** Who cancels (`CancelCommand`), sent just before Temporal's own cancellation, which names no one. */
export const cancelBySignal = defineSignal<[SignedCommand]>('cancelBy');
/** The task ended before, by the database (`OverCommand`): Temporal was restored to an earlier moment. */
export const overSignal = defineSignal<[SignedCommand]>('over');
/**
 * A watch reports that the agent's task has changed; `watchVersion` names the pause, or the resumption of a turn, that it
 * watched. For `message`, `key` names the waiting message and `watchVersion` is how often it was tried.
 */
export const agentMovedSignal =
  defineSignal<
    [{ kind: 'turn' | 'pause' | 'message'; watchVersion: number; key?: string; firstExecutionRunId: string }]
  >('agentMoved');

/** There is more to send to the receiver of a push. */
export const pushSignal = defineSignal('more');

/** Answer of the query `task`: the whole view an operator needs. */
export interface TaskQueryView {
  taskId: TaskId;
  agent: string;
  threadId: ThreadId;
  owner: string;
  a2aTaskId: A2aTaskId | null;
  contextId: string | null;
  status: TaskStatus;
  phase: string;
  turn: number;
  resumes: number;
  /** Since when the agent has sent nothing, while no stream from it is open. */
  parkedSince: string | null;
  /** Set while a parked turn waits for an agent that is away: when it is tried again, and why it could not be reached. */
  away: { again: string; why: string } | null;
  /** The agent's message with which the current pause began. */
  pauseMessageId: string | null;
  /** Who started talk-back, while the agent has not answered. */
  asking: string | null;
  runId: RunId;
  holds: Hold[];
  past: {
    interruptId: InterruptId;
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
