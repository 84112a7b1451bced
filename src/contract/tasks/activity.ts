import type { A2aTaskId, HoldId, InterruptId, RunId, TaskId, WorkflowId } from '../base/id-types.ts';
import type { Question } from '../holds/question.ts';
import type { ClosedHold, Hold, HoldMove } from '../holds/hold.ts';
import type { DecisionBody, DecisionProof, Outgoing, Undone, Vote } from '../holds/decision.ts';
import type { JsonObject } from '../base/json.ts';
import type { LadderPlan, PlannedStep } from '../configuration/policy.ts';
import type { TaskRef, TaskStatus } from './task.ts';
import type { NoticeEvent } from '../configuration/notice-names.ts';

/** Which run's log the closing events go into; opened by Standfast when no client opened it. */
export interface RunTarget {
  runId: RunId;
  opener: 'client' | 'standfast';
  /** Turns begun; names the writer's fence. */
  turn: number;
}

export interface OpenHoldsInput {
  task: TaskRef;
  run: RunTarget;
  a2aTaskId: A2aTaskId | null;
  contextId: string | null;
  pauseMessageId: string | null;
  explanation: string;
  questions: Question[];
  /** Holds opened before this pause. */
  n: number;
  /** The workflow's clock when the pause was known. */
  openedAt: string;
  publicUrl: string;
  /** What each question asks again, in their order; null: it is new. */
  again: (AskedAgain | null)[];
  /** Holds that end as these open: the agent was asked back about them. */
  closed: ClosedHold[];
}

/** A question that was asked before, under another hold. */
export interface AskedAgain {
  holdId: HoldId;
  /** After talk-back: times and people of the old hold, so that talking buys no time. Null: the agent refused an answer. */
  inherits:
    | (Pick<Hold, 'stepsTaken' | 'audience' | 'openedAt' | 'expiresAt'> & {
        plan: LadderPlan;
        /** It asks the very same: what silence says was there to be read all the time. */
        isSame: boolean;
      })
    | null;
}

/** What planning added to a question; the question itself is in history already. */
export type OpenedHold = Pick<
  Hold,
  | 'holdId'
  | 'interruptId'
  | 'n'
  | 'digest'
  | 'canRefuse'
  | 'audience'
  | 'plan'
  | 'stepsTaken'
  | 'nextStep'
  | 'openedAt'
  | 'expiresAt'
  | 'pause'
  | 'supersedes'
>;

export interface CheckAnswersInput {
  answers: {
    holdId: HoldId;
    schema: JsonObject;
    status: 'resolved' | 'cancelled';
    values: JsonObject;
    reason: string | null;
    /** Set when the question has secret fields: their values are references. */
    sealed?: { holdId: HoldId; secrets: string[] };
  }[];
}
export type CheckAnswersResult = {
  fingerprints: { holdId: HoldId; fingerprint: string }[];
  errors: { path: string; message: string }[];
};

export interface RecordDecisionsInput {
  task: TaskRef;
  status: TaskStatus;
  holds: ClosedHold[];
  /** The run that brought the answers when no turn will carry them: its log begins now. Null while others are open. */
  run: RunTarget | null;
  skipped: { interruptId: InterruptId; code: string }[];
}
export interface RecordStepInput {
  task: TaskRef;
  holdId: HoldId;
  index: number;
  step: PlannedStep;
  audience: string[];
  nextStep: Hold['nextStep'];
  /** As the step left it, where it has changed since the hold opened. */
  plan?: LadderPlan;
  /** The workflow's clock when the step was taken. */
  takenAt: string;
  turn: number;
  publicUrl: string;
  /** The agent is being asked back: its run is open, and no other is to end meanwhile. */
  isQuiet: boolean;
}

/** When the reminder comes again, found in the plan's calendar; null: another step is planned, or it has none. */
export interface RecordStepResult {
  repeatAt: string | null;
}

/** Votes, audience and `asking` of open holds, as the workflow has them now. */
export interface AmendHoldsInput {
  task: TaskRef;
  status: TaskStatus;
  holds: {
    holdId: HoldId;
    votes: Vote[];
    audience: string[];
    asking: boolean;
    plan?: LadderPlan;
    /** Set where the deadline was extended, or the plan made again. */
    nextStep?: Hold['nextStep'];
    /** Set where the plan was made again. */
    stepsTaken?: number;
    /** Missing: its policy lets nothing wait. */
    outgoing?: Outgoing | null;
  }[];
  /** Ends with what is open now; null: only the rows show it. */
  run: RunTarget | null;
  skipped: { interruptId: InterruptId; code: string }[];
  /** The hold that was handed to others; missing or null: none was. */
  moved?: (HoldMove & { holdId: HoldId }) | null;
  /** The waiting decision that was taken back; missing or null: none was. */
  undone?: (Undone & { holdId: HoldId }) | null;
  /** Why a person's word did not reach the agent; null: none was sent. */
  failed: string | null;
  publicUrl: string;
  /** The pause is polled again from now on; null: it is already, or a turn follows. */
  watch: { watchVersion: number; a2aTaskId: A2aTaskId; pauseMessageId: string | null } | null;
}

/** Input of `askSupervisor`: bounded by the hold's next step. */
export interface AskSupervisorInput {
  task: TaskRef;
  holdId: HoldId;
  /** Name of the supervisor agent. */
  agent: string;
  /** The step that asks it: names its message. */
  stepIndex: number;
  /** ISO; later its word counts no more. */
  until: string;
  waited: Waited;
}
/** What is known of a message that its agent did not take when it was tried before. */
export interface Waited {
  /** How often it was left to wait. */
  times: number;
  /** Since when, ISO; null: this is its first try. */
  since: string | null;
}
/** Its agent does not take the message now: the workflow tries again then, or once a signal says that the agent is back. */
export interface MessageWaits {
  kind: 'waits';
  since: string;
  again: string;
}
export interface AskSupervisorResult {
  decision: SupervisorDecision | null;
  /** Why there is none. */
  why: string | null;
}
export interface SupervisorDecision {
  status: DecisionBody['status'];
  values: JsonObject;
  reason: string | null;
  fingerprint: string;
  /** That this agent answered so. */
  proof: DecisionProof;
}

/** Input of the workflow `notice`: one event of one hold, to every channel that wants it. */
export interface NoticeStart extends NoticeInput {
  channels: string[];
  /** How long a message is tried again. */
  giveUpAfterMs: number;
}
/** Input of the activity `deliverNotice`. */
export interface DeliverNoticeInput extends NoticeInput {
  channel: string;
}

export interface CloseTaskInput {
  task: TaskRef;
  run: RunTarget;
  status: TaskStatus;
  end: { kind: string; code: string | null; message: string; by: string | null };
  a2aTaskId: A2aTaskId | null;
  contextId: string | null;
  holds: ClosedHold[];
  skipped: { interruptId: InterruptId; code: string }[];
  publicUrl: string;
  /** Why the agent is asked to stop once the end is written; missing: it is not asked here. */
  stop?: string;
  /** As in `TaskStart`. */
  answerId?: string;
}
export interface CloseTaskResult {
  /** The agent has answered; false: it is to be asked again. */
  isStopped: boolean;
  /** To the question of `answerId`, as its asker reads it. */
  answer?: JsonObject;
}

export interface StopAgentInput {
  task: TaskRef;
  a2aTaskId: A2aTaskId | null;
  reason: string;
}
export interface StopAgentResult {
  state: 'completed' | 'canceled' | 'failed' | 'rejected' | 'unknown';
  message: string;
}

export interface InjectInput {
  task: TaskRef;
  /** Names the short run that passes it on: the client's own, or one by Standfast for what came without a run. */
  runId: RunId;
  /** What came without a run; null: the message lies in the run's intake row. */
  message: { messageId: string; text: string; by: string } | null;
  a2aTaskId: A2aTaskId | null;
  contextId: string | null;
  waited: Waited;
}

export interface ReconcileReport {
  checked: number;
  repaired: { taskId: TaskId; what: string }[];
  unresolved: { workflowId: WorkflowId; what: string }[];
}

/** Input of the activity `rebuild` and of the workflow of the same name. */
export interface RebuildInput {
  /** Writes nothing, and asks no agent. */
  isDryRun: boolean;
  /** Who had it done, for the evidence. */
  by: string;
  /** Tasks come back without what their agents have made. */
  isWithoutAgents: boolean;
}

export interface RebuildReport {
  /** Tasks that Temporal knows. */
  tasks: number;
  /** Those that lacked nothing. */
  there: number;
  /** What came back, or would. */
  open: number;
  ended: number;
  questions: number;
  /** Tasks that could not be restored, or not whole. */
  failed: number;
  /** The first hundred of them. */
  faults: { workflowId: WorkflowId; what: string }[];
}

/** Input of the activity `deliverNotice` and of the workflow `notice`: one event of one hold. */
export interface NoticeInput {
  holdId: HoldId;
  event: NoticeEvent;
  /** Which reminder or escalation of the hold it is, from 0. Of a move: which change of its task; of a reassignment request: after how many moves. */
  k: number;
  /** Who passed it on, to whom as well, or who requested it, and with which note. */
  cause?: NoticeCause;
}

/** Input of the activity `sendDigest` and of the workflow `digest`. */
export interface DigestStart {
  user: string;
  /** ISO time at which it is sent. */
  at: string;
}

export interface NoticeCause {
  by: string;
  to: string[];
  note: string | null;
}
