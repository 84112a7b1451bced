// Statistics of questions and agents for the operators' pages.
import type { TaskId } from '../../contract/base/id-types.ts';
import type { Overview } from '../../contract/views/operate.ts';
import type { TaskError, TaskStatus } from '../../contract/tasks/task.ts';
import type { QuarterCounts } from '../../core/policy/days-and-hours.ts';
import type { AnsweredQuestion } from '../../core/policy/record-rules.ts';

/** Counts of an agent's tasks and questions. */
export interface AgentStatistics {
  agent: string;
  tasks: { open: number; done: number; failed: number; cancelled: number };
  questions: { open: number; asked: number };
  /** The last fourteen times 24 hours, the oldest first. */
  lately: { asked: number; failed: number }[];
}

/** An agent's latest task, or its latest failed one. */
export interface LastTask {
  agent: string;
  taskId: TaskId;
  status: TaskStatus;
  updatedAt: string;
  error: TaskError | null;
}

/** Read-only statistics; `sinceMs` is the length of the window that ends now, in milliseconds. */
export interface Statistics {
  overview(sinceMs: number): Promise<Omit<Overview, 'days' | 'zone' | 'volume' | 'hours'>>;
  quarters(sinceMs: number): Promise<QuarterCounts[]>;
  agents(sinceMs: number): Promise<AgentStatistics[]>;
  /** Returns each agent's latest task; with `failed`, the latest that failed with an `agent_…` code. */
  lastTasks(sinceMs: number, failed: boolean): Promise<LastTask[]>;
  /** Returns the forms, tool calls and confirmations that were decided, declined or expired, newest first. */
  ended(limit: number): Promise<AnsweredQuestion[]>;
  /** Counts open holds by policy. */
  openByPolicy(): Promise<Map<string, number>>;
}
