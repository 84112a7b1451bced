import type { NoticeStart, RunTarget } from '../../contract/activity.ts';
import type {
  AmendCommand,
  AmendReply,
  DecideCommand,
  DecideReply,
  MessageInput,
  MessageReply,
} from '../../contract/decision.ts';
import type { ClosedHold, Hold, HoldMove } from '../../contract/hold.ts';
import type { PlannedStep } from '../../contract/policy.ts';
import type { Refusal } from '../../contract/problem.ts';
import type { RunCommand, RunReply } from '../../contract/run.ts';
import type { TaskStatus } from '../../contract/task.ts';
import type { AskedBefore, TurnOutcome, TurnSend } from '../../contract/turn.ts';
import type { Question } from '../../contract/form.ts';

/**
 * Where a task stands, as the workflow sees it:
 * new → turn ⇄ (opening → holding) → [stopping] → leaving.
 * `turn`: a turn activity runs, or waits for the agent to move (`waiting`) · `opening`: the pause is in history, its
 * holds are being written · `holding`: people are asked, and may be asking back (`asking`: a turn activity runs beside) ·
 * `stopping`: the agent is asked to stop · `leaving`: the end is being written.
 */
export const phases = ['new', 'turn', 'opening', 'holding', 'stopping', 'leaving'] as const;
export type Phase = (typeof phases)[number];

/** A closed hold of an earlier pause: enough to answer whoever comes late. */
export interface PastHold {
  holdId: string;
  interruptId: string;
  status: Exclude<Hold['status'], 'open'>;
  answerFingerprint: string | null;
  decision: Hold['decision'];
  audience: string[];
  exclude: 'requester'[];
  isOperator: boolean;
  ended: Hold['ended'];
  supersededBy: string | null;
  /** Who agreed, and by which answer: each of them may send it again. */
  votes: { by: string; fingerprint: string }[];
}

/** How a task ends. */
export type TaskEnd =
  | { kind: 'completed' }
  | { kind: 'message-only' }
  | { kind: 'already-run' }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'canceled'; by: string; reason: string };

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
  /** How often the present turn let go and went on. */
  resumes: number;
  /** The present turn let go: no activity runs until the agent moves. `since`: its last word. */
  parked: { since: string } | null;
  /** A person's word is at the agent while its questions stand: answers wait. */
  asking: { messageId: string; by: string } | null;
  /** How long the agent has had the task, without the time people took; `since`: it has it now. */
  worked: { ms: number; since: string | null };
  /** Who brought words to the agent beside the owner: where the requester may not decide, neither may they. */
  spoke: string[];
  /** Votes, moves and words of people about open holds: names the short runs that tell them. */
  amended: number;
  /** Why a person's word did not reach the agent; shown to operators. */
  note: string | null;
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
  askedBefore: AskedBefore[];
  /** People's words taken, by message id. */
  messages: { messageId: string; kind: MessageReply['kind']; textFingerprint: string }[];
  runs: { runId: string; fingerprint: string; kind: RunReply['kind']; skipped: RunReply['skipped'] }[];
  /** Somebody asked to cancel, or a limit was passed: then the task fails with this code. */
  cancel: { by: string; reason: string; code?: 'agent_silent' } | null;
  end: TaskEnd | null;
}

/** A `message` with everything it may leave out. */
export type MessageCommand = Required<Omit<MessageInput, 'checked' | 'seen'>> &
  Pick<MessageInput, 'checked' | 'seen'> & {
    /** Of the answer it is, where it answers a text hold. */
    fingerprint: string;
  };

/** What happened to a task. */
export type TaskEvent =
  | { type: 'run'; command: RunCommand }
  | { type: 'decide'; command: DecideCommand }
  | { type: 'amend'; command: AmendCommand }
  | { type: 'message'; command: MessageCommand }
  /** The watcher saw that the agent's task is not as it was; `mark` as in `Watch`. */
  | { type: 'agent.moved'; kind: 'turn' | 'pause'; watchVersion: number }
  /** The agent said nothing for too long, or has had the task for too long. */
  | { type: 'limit.passed'; limit: 'silence' | 'total' }
  | { type: 'turn.delivered' }
  | { type: 'turn.done'; outcome: TurnOutcome; now: string }
  | { type: 'holds.opened'; holds: Hold[] }
  | { type: 'time.passed' }
  /** When the reminder after a step comes again, where only a calendar knows. */
  | { type: 'repeat.found'; holdId: string; index: number; at: string }
  /** A supervisor agent has answered, or did not decide (`why`). */
  | { type: 'supervisor.done'; holdId: string; agent: string; call: number; why: string | null }
  | { type: 'cancel'; by: string; reason: string }
  | { type: 'agent.stopped'; state: 'completed' | 'canceled' | 'failed' | 'rejected' | 'unknown'; message: string };
export type TaskEventType = TaskEvent['type'];

/** The run that answers came with, or one of ours: it carries them, or ends with what is open still. */
export interface Carrier {
  runId: string;
  opener: 'client' | 'holdpoint';
  skipped: { interruptId: string; code: string }[];
}

/** What the workflow is to do next; done in order. */
export type TaskEffect =
  | { kind: 'turn' }
  | { kind: 'openHolds'; openedAt: string }
  /** Passes a message to the working agent: of the run named, or `say`. */
  | { kind: 'inject'; runId: string; message: { messageId: string; text: string; by: string } | null }
  /** `run`: its log begins now, and goes on with whatever comes next. */
  | { kind: 'recordDecisions'; holds: ClosedHold[]; run: RunTarget | null }
  | { kind: 'recordStep'; holdId: string; index: number; step: PlannedStep }
  /** Votes, audience or `asking` of these have changed. `failed`: why a person's word did not reach the agent. */
  | {
      kind: 'amendHolds';
      holdIds: string[];
      run: Carrier | null;
      failed: string | null;
      /** Set when one of them was handed to others. */
      moved?: HoldMove & { holdId: string };
    }
  /** A supervisor agent is asked, beside everything else; its answer comes by the update `decide`. */
  | { kind: 'askSupervisor'; holdId: string; agent: string; stepIndex: number }
  | ({ kind: 'notify' } & NoticeStart)
  | { kind: 'stopTurn' }
  /** Ask the agent to stop; also where the end is already written, as at `fail`. */
  | { kind: 'stopAgent' }
  | { kind: 'close' };

export type Reply =
  | { ok: true; run: RunReply }
  | { ok: true; decide: DecideReply }
  | { ok: true; amend: AmendReply }
  | { ok: true; message: MessageReply }
  | { ok: true }
  /** Not now: ask again when the state has changed. `isBounded`: it may never make sense, and is refused in the end. */
  | { ok: 'later'; isBounded?: true }
  | Refusal;

export interface Outcome {
  state: TaskState;
  effects: TaskEffect[];
  reply: Reply;
}

export const pastKept = 200;
export const runsKept = 200;
export const messagesKept = 50;

export function openHoldsOf(state: TaskState): Hold[] {
  return state.holds.filter((hold) => hold.status === 'open');
}

/** Operator holds are no business of clients: a resume neither names nor covers them. */
export function askedHoldsOf(state: TaskState): Hold[] {
  return openHoldsOf(state).filter((hold) => hold.question.kind !== 'operator');
}

/** The agent has the task: a turn runs or waits, or it is being asked back. */
export const isAtAgent = (state: TaskState): boolean => state.phase === 'turn' || state.asking !== null;
