// What lists of tasks are narrowed by, and the tasks of agents that are polled.
import type { TaskStatus } from '../../contract/tasks/task.ts';

/** Names of the configuration for what the rows know by an id. */
export interface SearchAliases {
  agents: { id: string; name: string }[];
  owners: { id: string; name: string }[];
}

/** What a list of tasks is narrowed by. */
export interface TaskFilter {
  /** How the task's id begins. */
  idPrefix?: string;
  statuses?: TaskStatus[];
  agent?: string;
  cursor?: string;
  limit?: number;
  /** Only threads of this owner (null: all). */
  owner?: string | null;
  /** Words that all occur in what they began with, or in the names of agent and owner, case ignored. */
  q?: string;
  /** By which names agents and people are searched in addition to their own. */
  aliases?: SearchAliases;
}

/** An agent's task that is polled, with its last seen state, by which the next poll tells whether it has moved. */
export interface Watch {
  taskId: string;
  agent: string;
  workflowId: string;
  firstExecutionRunId: string;
  a2aTaskId: string;
  /** `pause`: people are asked · `turn`: the turn parked a working task. */
  kind: 'pause' | 'turn';
  /** resume of the turn, or n of the pause's first hold: a late signal about an earlier one is known. */
  watchVersion: number;
  /** Hash of what the agent last reported of it; '' before the first poll. */
  seen: string;
  /** Polls so far. */
  probes: number;
}
