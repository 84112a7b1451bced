import type { DecideDoor, DecideReply } from '../contract/decision.ts';
import type { Hold } from '../contract/hold.ts';
import type { PlannedStep } from '../contract/policy.ts';
import type { Refusal } from '../contract/problem.ts';
import type { RunDoor, RunReply } from '../contract/run.ts';
import type { TaskStatus } from '../contract/task.ts';
import type { TurnOutcome, TurnSend } from '../contract/turn.ts';
import type { Question } from '../contract/form.ts';

/**
 * Where a task stands, as the workflow sees it:
 * new → turn ⇄ (opening → holding) → [stopping] → leaving.
 * `turn`: a turn activity runs · `opening`: the pause is in history, its holds are being written ·
 * `holding`: people are asked · `stopping`: the agent is asked to stop · `leaving`: the end is being written.
 */
export const phases = ['new', 'turn', 'opening', 'holding', 'stopping', 'leaving'] as const;
export type Phase = (typeof phases)[number];

/** A closed hold of an earlier pause: enough to answer whoever comes late. */
export interface PastHold {
  holdId: string;
  interruptId: string;
  status: Exclude<Hold['status'], 'open'>;
  answerPrint: string | null;
  decision: Hold['decision'];
  audience: string[];
  exclude: 'requester'[];
  isOperator: boolean;
}

/** How a task ends. */
export type TaskEnd =
  | { how: 'completed' | 'message-only' | 'already-run' }
  | { how: 'refused'; code: string; message: string }
  | { how: 'failed'; code: string; message: string }
  | { how: 'canceled'; by: string; reason: string };

/** The whole state of one task; plain JSON, crosses continue-as-new as it is. */
export interface TaskState {
  version: 1;
  taskId: string;
  agent: string;
  threadId: string;
  owner: string;
  phase: Phase;
  status: TaskStatus;
  a2aTaskId: string | null;
  contextId: string | null;
  /** Turns begun. */
  turn: number;
  /** Holds opened, over all dialects and pauses. */
  n: number;
  /** The run whose log is written now or was written last. */
  runId: string;
  opener: 'client' | 'holdpoint';
  isResendAllowed: boolean;
  send: TurnSend;
  skipped: { interruptId: string; code: string }[];
  pauseMessageId: string | null;
  explanation: string;
  /** Questions of a pause whose holds are not open yet. */
  questions: Question[];
  holds: Hold[];
  past: PastHold[];
  runs: { runId: string; print: string; as: RunReply['as']; skipped: RunReply['skipped'] }[];
  /** Somebody asked to cancel. */
  cancel: { by: string; reason: string } | null;
  end: TaskEnd | null;
}

/** What happened to a task. */
export type TaskFact =
  | { type: 'run'; door: RunDoor }
  | { type: 'decide'; door: DecideDoor }
  | { type: 'turn.delivered' }
  | { type: 'turn.done'; outcome: TurnOutcome; now: string }
  | { type: 'holds.opened'; holds: Hold[] }
  | { type: 'time.passed' }
  | { type: 'cancel'; by: string; reason: string }
  | { type: 'agent.stopped'; state: 'completed' | 'canceled' | 'failed' | 'rejected' | 'unknown'; message: string };
export type FactType = TaskFact['type'];

/** What the workflow is to do next; done in order. */
export type TaskEffect =
  | { do: 'turn' }
  | { do: 'openHolds'; openedAt: string }
  | { do: 'inject'; runId: string }
  | { do: 'recordDecisions'; holdIds: string[] }
  | { do: 'recordStep'; holdId: string; index: number; step: PlannedStep }
  | { do: 'stopTurn' }
  /** Ask the agent to stop; also where the end is already written, as at `fail`. */
  | { do: 'stopAgent' }
  | { do: 'close' };

export type Reply =
  | { ok: true; run: RunReply }
  | { ok: true; decide: DecideReply }
  | { ok: true }
  /** Not now: ask again when the state has changed. */
  | { ok: 'later' }
  | Refusal;

export interface Outcome {
  state: TaskState;
  effects: TaskEffect[];
  reply: Reply;
}

export const pastKept = 200;
export const runsKept = 200;

export function openHoldsOf(state: TaskState): Hold[] {
  return state.holds.filter((hold) => hold.status === 'open');
}

/** Operator holds are no business of clients: a resume neither names nor covers them. */
export function askedHoldsOf(state: TaskState): Hold[] {
  return openHoldsOf(state).filter((hold) => hold.question.kind !== 'operator');
}
