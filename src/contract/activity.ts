import type { Question } from './form.ts';
import type { ClosedHold, Hold } from './hold.ts';
import type { JsonObject } from './json.ts';
import type { TaskRef, TaskStatus } from './task.ts';
import type { PlannedStep } from './policy.ts';

/** Which run's log the closing events go into; opened by Holdpoint when no client opened it. */
export interface RunTarget {
  runId: string;
  opener: 'client' | 'holdpoint';
  /** Turns begun; names the writer's fence. */
  turn: number;
}

export interface OpenHoldsInput {
  task: TaskRef;
  run: RunTarget;
  a2aTaskId: string | null;
  contextId: string | null;
  pauseMessageId: string | null;
  explanation: string;
  questions: Question[];
  /** Holds opened before this pause. */
  n: number;
  /** The workflow's clock when the pause was known. */
  openedAt: string;
  publicUrl: string;
}

/** What planning added to a question; the question itself is in history already. */
export type OpenedHold = Omit<Hold, 'question' | 'status' | 'decision' | 'answerPrint' | 'stepsTaken'>;

export interface CheckAnswersInput {
  answers: {
    holdId: string;
    schema: JsonObject;
    status: 'resolved' | 'cancelled';
    values: JsonObject;
    reason: string | null;
  }[];
}
export type CheckAnswersResult = {
  prints: { holdId: string; print: string }[];
  errors: { path: string; message: string }[];
};

export interface RecordDecisionsInput {
  task: TaskRef;
  status: TaskStatus;
  holds: ClosedHold[];
  /** The run that brought the answers when no turn will carry them: its log begins now. Null while others are open. */
  run: RunTarget | null;
  skipped: { interruptId: string; code: string }[];
}
export interface RecordStepInput {
  task: TaskRef;
  holdId: string;
  index: number;
  step: PlannedStep;
  audience: string[];
  nextStep: Hold['nextStep'];
  turn: number;
  publicUrl: string;
}

export interface CloseTaskInput {
  task: TaskRef;
  run: RunTarget;
  status: TaskStatus;
  end: { how: string; code: string | null; message: string; by: string | null };
  a2aTaskId: string | null;
  contextId: string | null;
  holds: ClosedHold[];
  skipped: { interruptId: string; code: string }[];
  publicUrl: string;
}

export interface StopAgentInput {
  task: TaskRef;
  a2aTaskId: string | null;
  reason: string;
}
export interface StopAgentResult {
  state: 'completed' | 'canceled' | 'failed' | 'rejected' | 'unknown';
  message: string;
}

export interface InjectInput {
  task: TaskRef;
  runId: string;
  a2aTaskId: string | null;
  contextId: string | null;
}

export interface ReconcileReport {
  checked: number;
  mended: { taskId: string; what: string }[];
  troubled: { workflowId: string; what: string }[];
}
