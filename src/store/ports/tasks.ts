import type { A2aTaskId, TaskId, WorkflowId } from '../../contract/base/id-types.ts';
import type { StuckCause, TaskStatus } from '../../contract/tasks/task.ts';

/** Configured display names of the ids that rows contain, for searching. */
export interface SearchAliases {
  agents: { id: string; name: string }[];
  owners: { id: string; name: string }[];
}

export interface TaskFilter {
  /** Prefix of the task's id. */
  idPrefix?: string;
  statuses?: TaskStatus[];
  agent?: string;
  /** Only open ones that do not go on. */
  isStuck?: boolean;
  /** The newest first, or the one whose open question is due first; those that nothing is due of come last. */
  sort?: 'newest' | 'deadline';
  cursor?: string;
  limit?: number;
  /** Only tasks of this owner; null for all. */
  owner?: string | null;
  /** Search terms, case-insensitive; each must occur in the title or in the agent's or owner's id or name. */
  q?: string;
  aliases?: SearchAliases;
}

/** An agent's task that is polled, with the state last seen, against which the next poll compares. */
export interface Watch {
  taskId: TaskId;
  agent: string;
  workflowId: WorkflowId;
  firstExecutionRunId: string;
  a2aTaskId: A2aTaskId;
  /** `pause`: holds are open · `turn`: the turn parked the task while the agent works. */
  kind: 'pause' | 'turn';
  /** The turn's `resume`, or the `n` of the pause's first hold; tells a late signal about an earlier one. */
  watchVersion: number;
  /** Hash of the state that the agent last reported; '' before the first poll. */
  seen: string;
  /** Polls so far. */
  probes: number;
}

/** Reads of tasks that have not ended, for what compares them with their executions. */
export interface OpenTasks<Row> {
  /** Returns tasks that have not ended, in id order after `afterTaskId`. */
  listOpen(afterTaskId: string | null, limit: number): Promise<Row[]>;
  /** Returns the tasks of these workflows that have not ended. */
  openOf(workflowIds: WorkflowId[]): Promise<Row[]>;
  /** Returns tasks that have not ended and do not go on for this cause, in id order. */
  listStuck(cause: StuckCause, limit: number): Promise<Row[]>;
}
