// What the record is read for: how questions and agents fared.
import type { Overview } from '../../contract/views/operate.ts';
import type { TaskError, TaskStatus } from '../../contract/tasks/task.ts';
import type { QuarterCounts } from '../../core/policy/record-hours.ts';
import type { AnsweredQuestion } from '../../core/policy/record-rules.ts';

/** How an agent's tasks and questions fared. */
export interface AgentRecord {
  agent: string;
  tasks: { open: number; done: number; failed: number; cancelled: number };
  questions: { open: number; asked: number };
}

/** The last task of an agent's, or its last that failed. */
export interface LastTask {
  agent: string;
  taskId: string;
  status: TaskStatus;
  updatedAt: string;
  error: TaskError | null;
}

/** Reads alone; times are of the last so many milliseconds. */
export interface QuestionRecord {
  overview(sinceMs: number): Promise<Omit<Overview, 'days' | 'zone' | 'volume' | 'hours'>>;
  quarters(sinceMs: number): Promise<QuarterCounts[]>;
  agents(sinceMs: number): Promise<AgentRecord[]>;
  /** Of each agent the last task; with `failed`, the last that failed by its agent's fault. */
  lastTasks(sinceMs: number, failed: boolean): Promise<LastTask[]>;
  /** The newest forms, tool calls, and yes or no questions that people or a deadline ended. */
  ended(limit: number): Promise<AnsweredQuestion[]>;
  /** How many wait, by policy. */
  openByPolicy(): Promise<Map<string, number>>;
}
