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
