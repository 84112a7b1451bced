// What the record is read for: how questions and agents fared.
import type { HoldKind, Question } from '../../contract/form.ts';
import type { HoldEnd } from '../../contract/hold.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Overview } from '../../contract/operate.ts';
import type { TaskError, TaskStatus } from '../../contract/task.ts';

/** A quarter of an hour, by its number since 1970, in which so many were asked and ended so. */
export interface QuarterCounts {
  quarter: number;
  asked: number;
  approved: number;
  refused: number;
  expired: number;
  other: number;
}

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

/** A question that has ended, as far as it tells whether its sort is a rule. */
export interface EndedQuestion {
  agent: string;
  kind: HoldKind;
  policy: string;
  question: Question;
  values: JsonObject | null;
  isEdited: boolean;
  openedAt: string;
  endedAt: string;
  why: HoldEnd['why'];
}

/** Reads alone; times are of the last so many milliseconds. */
export interface QuestionRecord {
  overview(sinceMs: number): Promise<Omit<Overview, 'days' | 'zone' | 'volume' | 'hours'>>;
  quarters(sinceMs: number): Promise<QuarterCounts[]>;
  agents(sinceMs: number): Promise<AgentRecord[]>;
  /** Of each agent the last task; with `failed`, the last that failed by its agent's fault. */
  lastTasks(sinceMs: number, failed: boolean): Promise<LastTask[]>;
  /** The newest forms, tool calls, and yes or no questions that people or a deadline ended. */
  ended(limit: number): Promise<EndedQuestion[]>;
  /** How many wait, by policy. */
  openByPolicy(): Promise<Map<string, number>>;
}
