import type { A2aTaskId, InterruptId, RunId, TaskId, ThreadId } from '../base/id-types.ts';
import type { AnswerEntry, DecisionSource, SeenTask } from '../holds/decision.ts';
import type { Question } from '../holds/question.ts';
import type { Principal } from '../base/principal.ts';
import type { KnownTask } from './task.ts';
import type { JsonObject } from '../base/json.ts';

interface RunSource {
  runId: RunId;
  /** sha256 of the canonical body: the same runId with another body is `run_conflict`. */
  fingerprint: string;
  principal: Principal;
  /** ISO time at which the api received it. */
  receivedAt: string;
}

/** Brings a message, which lies in the intake row; `seen`: what the database showed of the thread's newest task when it came. */
export type MessageRun = RunSource & { kind: 'message'; seen: SeenTask | null };
/** Continues a task of the agent's that no open task here has. */
type AdoptRun = RunSource & { kind: 'adopt'; adoption: Adoption; seen: SeenTask | null };
/** Questions of a program without a task at an agent (MCP): they are opened at once, and their answers end the task. */
type AskRun = RunSource & { kind: 'ask'; questions: Question[]; filesKey?: string };
/** Through what the answers of a run come. */
export type AnswerSource = Extract<DecisionSource, 'resume' | 'page'>;
/** Answers to open questions, from Standfast's own chat or a front end of others. */
export type ResumeRun = RunSource & { kind: 'resume'; entries: AnswerEntry[]; source: AnswerSource };

/** What a task begins with. */
export type OpeningRun = MessageRun | AdoptRun | AskRun;
/** Argument of the update `run`. */
export type RunCommand = OpeningRun | ResumeRun;

/** A task that was started elsewhere, or that an ended Standfast task left behind. */
export interface Adoption {
  a2aTaskId: A2aTaskId;
  /** Holds opened about it before: their numbers go on counting. */
  n: number;
  /** The run brings no message: the task is only followed. */
  isSilent: boolean;
}

/**
 * What a kept run is for: decided once, when it came, by what its sender could see. Whatever hands it to Temporal, then or
 * later, only sends this.
 */
export type IntakePlan =
  /** Answers to questions of this task. */
  | { kind: 'resume'; task: KnownTask; entries: AnswerEntry[]; source: AnswerSource }
  | {
      kind: 'message';
      /** An open task of another thread, to which alone it goes; null: the thread's open task, or its next one. */
      task: KnownTask | null;
      owner: string;
      /** In which the thread's next task begins; null: in the one bound to the thread by then, or in a new one. */
      contextId: string | null;
      /** The failed task that the next one tries again. */
      restartOf: string | null;
      seen: SeenTask | null;
    }
  /** Continues a task of the agent's that no open task here has. */
  | {
      kind: 'adopt';
      /** As the run names it, by the agent's id for it or by Standfast's. */
      names: string;
      isSilent: boolean;
      owner: string;
      contextId: string | null;
      seen: SeenTask | null;
    }
  /** Questions of a program, without a task at an agent. `answerId`: as in `TaskStart`; `filesKey`: under which its files are kept. */
  | { kind: 'ask'; questions: Question[]; owner: string; answerId?: string; filesKey?: string };

/** Result of the update `run`: how the run was admitted. */
export interface RunReply {
  runId: RunId;
  /** opened: first of its task · resumed: carries answers · injected: a message into a working task. */
  kind: 'opened' | 'resumed' | 'injected';
  taskId: TaskId;
  /** Entries left out because their holds were closed meanwhile. */
  skipped: { interruptId: InterruptId; code: string }[];
}

/** Start arguments of the workflow `a2aTask`. */
export interface TaskStart {
  /** Of the protocol between workflow and activities: later changes of the workflow tell executions apart by it. */
  version: 1;
  taskId: TaskId;
  agent: string;
  threadId: ThreadId;
  owner: string;
  opening: OpeningRun;
  /** Context bound to the thread, if one is. */
  contextId: string | null;
  /** Absolute address of Standfast's pages, for links. */
  publicUrl: string;
  /** Milliseconds an agent may be silent, and may work in all; null: no bound. */
  limits: { silenceMs: number | null; totalMs: number | null };
  /** The failed task this one tries again. */
  restartOf: string | null;
  /** Failures say in an encrypted detail what they would say in clear. */
  hidesText?: boolean;
  /** The asker's own id of its question, whose answer is the result of the workflow; missing: the result is how the task ended. */
  answerId?: string;
}

/** One entry of a run's event log: `seq` counts 1, 2, … without gaps within its run. */
export interface LogEntry {
  seq: number;
  event: JsonObject & { type: string };
}

export type AguiEvent = JsonObject & { type: string };

/** How a run ended, or `open`. */
export type RunStatus = 'open' | 'interrupt' | 'success' | 'cancelled' | 'error';

export interface RunKey {
  agent: string;
  threadId: ThreadId;
  runId: RunId;
}
