import type { A2aTaskId, HoldId, InterruptId, RunId, TaskId, ThreadId } from '../../contract/base/id-types.ts';
import { isSamePerson } from '../policy/lookalikes.ts';
import type { NoticeStart, RunTarget } from '../../contract/tasks/activity.ts';
import type {
  Outgoing,
  Undone,
  AmendCommand,
  AmendReply,
  DecideCommand,
  DecideReply,
  MessageInput,
  MessageReply,
} from '../../contract/holds/decision.ts';
import type { ClosedHold, Hold, HoldMove } from '../../contract/holds/hold.ts';
import type { PlannedStep } from '../../contract/configuration/policy.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import type { RunCommand, RunReply } from '../../contract/tasks/run.ts';
import type { TaskStatus } from '../../contract/tasks/task.ts';
import type { EndedStatus } from '../../contract/tasks/task-names.ts';
import type { AskedBefore, TurnOutcome, TurnSend } from '../../contract/tasks/turn.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { atStage } from '../consent/stage.ts';

/**
 * The state of a task, as the workflow sees it:
 * new → turn ⇄ (opening → holding) → [stopping] → leaving.
 * `turn`: a turn activity runs, or waits for the agent to move or to be back (`parked`) · `opening`: the pause is in history, its
 * holds are being written · `holding`: people are asked, and may be asking back (`asking`: a turn activity runs meanwhile) ·
 * `stopping`: the agent is asked to stop · `leaving`: the end is being written.
 */
export const phases = ['new', 'turn', 'opening', 'holding', 'stopping', 'leaving'] as const;
export type Phase = (typeof phases)[number];

/** What a parked turn waits for. Times are ISO 8601. */
export type Parked =
  /** That the agent moves; `since`: its last event. */
  | { for: 'news'; since: string }
  /** That the agent is back, or has a slot for it (`isQueued`): it is tried again then. */
  | { for: 'agent'; since: string; again: string; why: string; isQueued?: true };

/** A closed hold of an earlier pause: enough to reply to late answers. */
export interface PastHold {
  holdId: HoldId;
  interruptId: InterruptId;
  status: Exclude<Hold['status'], 'open'>;
  answerFingerprint: string | null;
  decision: Hold['decision'];
  audience: string[];
  exclude: 'requester'[];
  isOperator: boolean;
  ended: Hold['ended'];
  supersededBy: string | null;
  /** Who agreed, with which answer: each of them may repeat it. */
  votes: { by: string; fingerprint: string }[];
}

/** How a task ends. */
export type TaskEnd =
  | { kind: 'completed' }
  | { kind: 'message-only' }
  | { kind: 'already-run' }
  /** The database has its end, from before Temporal was restored to an earlier moment. */
  | { kind: 'ended-before'; status: EndedStatus }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'canceled'; by: string; reason: string };

/** The whole state of one task; plain JSON, crosses continue-as-new as it is. */
export interface TaskState {
  version: 1;
  taskId: TaskId;
  agent: string;
  threadId: ThreadId;
  owner: string;
  phase: Phase;
  status: TaskStatus;
  a2aTaskId: A2aTaskId | null;
  contextId: string | null;
  /** Turns begun. */
  turn: number;
  /** How often the current turn was parked and resumed. */
  resumes: number;
  /** The agent has the message of the current turn: what goes on with it only follows. */
  isDelivered: boolean;
  /** Set while the current turn is parked: no activity runs. */
  parked: Parked | null;
  /** Since when the agent has taken no message of the current turn; null: it is not known to be away. */
  awaySince: string | null;
  /** The last attempt of a turn whose agent was reported to have moved, or to be back, before it had parked. */
  woken?: { turn: number; resumes: number };
  /** Set during talk-back: a person's message is at the agent while its questions are open; answers wait. */
  asking: { messageId: string; by: string } | null;
  /** How long the agent has had the task, without the time people took; `since` is set while it has it. */
  worked: { ms: number; since: string | null };
  /** Who sent messages to the agent in addition to the owner: where the requester may not decide, neither may they. */
  spoke: string[];
  /** Number of votes, moves and messages about open holds; it names the short runs that report them. */
  amended: number;
  /** Why a person's message did not reach the agent; shown to operators. */
  note: string | null;
  /** Holds opened, over all dialects and pauses. */
  n: number;
  /** The run whose log is written now or was written last. */
  runId: RunId;
  opener: 'client' | 'standfast';
  isResendAllowed: boolean;
  send: TurnSend;
  skipped: { interruptId: InterruptId; code: string }[];
  pauseMessageId: string | null;
  explanation: string;
  /** Questions of a pause whose holds are not open yet. */
  questions: Question[];
  holds: Hold[];
  /** While a pause is opened again because of them: the holds whose call an answer edited. */
  edited?: HoldId[];
  past: PastHold[];
  askedBefore: AskedBefore[];
  /** People's messages that were accepted, by message id. */
  messages: { messageId: string; kind: MessageReply['kind']; textFingerprint: string }[];
  runs: { runId: RunId; fingerprint: string; kind: RunReply['kind']; skipped: RunReply['skipped'] }[];
  /** Set after a request to cancel, or when a limit was exceeded: the task then fails with this code. */
  cancel: { by: string; reason: string; code?: 'agent_silent' } | null;
  end: TaskEnd | null;
}

/** A `message` with everything it may leave out. */
export type MessageCommand = Required<Omit<MessageInput, 'checked' | 'proof' | 'seen'>> &
  Pick<MessageInput, 'checked' | 'proof' | 'seen'> & {
    /** The fingerprint of the answer, if the message answers a text hold. */
    fingerprint: string;
  };

/** What happened to a task; docs/vocabulary.md lists these with their comments (scripts/vocabulary.mjs). */
export type TaskEvent =
  /** A run was started or resumed on the task's thread: a message, or answers to its pause. */
  | { type: 'run'; command: RunCommand }
  /** One hold was decided, from the page, by REST, by a link, a supervisor agent or a signal. */
  | { type: 'decide'; command: DecideCommand }
  /** A hold was changed without an answer: a vote withdrawn, a move to others, a decision undone. */
  | { type: 'amend'; command: AmendCommand }
  /** A person sent a message to the task: into the working turn, or back to the agent before they decide. */
  | { type: 'message'; command: MessageCommand }
  /** A watch saw that the agent's task has changed. */
  | { type: 'agent.moved'; kind: 'turn' | 'pause'; watchVersion: number }
  /** The agent sent nothing for too long, or has had the task for too long. */
  | { type: 'limit.passed'; limit: 'silence' | 'total' }
  /** The agent has the turn's message. */
  | { type: 'turn.delivered' }
  /** The turn ended, with the questions or the end that it wrote. */
  | { type: 'turn.done'; outcome: TurnOutcome; now: string }
  /** The holds of the pause are written. */
  | { type: 'holds.opened'; holds: Hold[] }
  /** A timer is due: a step of a ladder, an expiry, a grace. */
  | { type: 'time.passed' }
  /** The next time of a repeating reminder was computed with its calendar. */
  | { type: 'repeat.found'; holdId: HoldId; index: number; at: string }
  /** A supervisor agent has answered, or did not decide (`why`). */
  | { type: 'supervisor.done'; holdId: HoldId; agent: string; call: number; why: string | null }
  /** A person or program cancelled the task. */
  | { type: 'cancel'; by: string; reason: string }
  /** The database shows that the task ended before: Temporal was restored to an earlier moment. */
  | { type: 'task.over'; status: EndedStatus }
  /** The agent was asked to stop, and this is the state of its task. */
  | { type: 'agent.stopped'; state: 'completed' | 'canceled' | 'failed' | 'rejected' | 'unknown'; message: string };
export type TaskEventType = TaskEvent['type'];

/** The run that brought the answers, or one by Standfast: it carries them, or ends with what is still open. */
export interface Carrier {
  runId: RunId;
  opener: 'client' | 'standfast';
  skipped: { interruptId: InterruptId; code: string }[];
}

/** What the workflow is to do next; done in order, and listed as the events are. */
export type TaskEffect =
  /** Begin a turn with the agent. */
  | { kind: 'turn' }
  /** Open the holds of a pause, where the turn did not. */
  | { kind: 'openHolds'; openedAt: string }
  /** Pass a message to the working agent: of the run named, or a person's. */
  | { kind: 'inject'; runId: RunId; message: { messageId: string; text: string; by: string } | null }
  /** Write the decisions of holds, and begin the log of the run that carries them. */
  | { kind: 'recordDecisions'; holds: ClosedHold[]; run: RunTarget | null }
  /** Write that a step of a ladder was taken. */
  | { kind: 'recordStep'; holdId: HoldId; index: number; step: PlannedStep }
  /** Write that votes, audience or a question back to the agent have changed, or why its message `failed`. */
  | {
      kind: 'amendHolds';
      holdIds: HoldId[];
      run: Carrier | null;
      failed: string | null;
      /** Set when one of them was handed to others. */
      moved?: HoldMove & { holdId: HoldId };
      /** Set when a decision was given that waits for its grace. */
      staged?: { holdId: HoldId; outgoing: Outgoing };
      /** Set when such a decision was taken back. */
      undone?: Undone & { holdId: HoldId };
    }
  /** Ask a supervisor agent in the background; its answer comes by the update `decide`. */
  | { kind: 'askSupervisor'; holdId: HoldId; agent: string; stepIndex: number }
  /** Send a notice to the channels of a policy. */
  | ({ kind: 'notify' } & NoticeStart)
  /** Cancel the running turn. */
  | { kind: 'stopTurn' }
  /** Ask the agent to stop; also where the end is already written, as with the expiry action `fail`. */
  | { kind: 'stopAgent' }
  /** Write the end of the task and of its run, where the turn did not. */
  | { kind: 'close' };

export type Reply =
  | { ok: true; run: RunReply }
  | { ok: true; decide: DecideReply }
  | { ok: true; amend: AmendReply }
  | { ok: true; message: MessageReply }
  | { ok: true }
  /** Not now: try again when the state has changed. `isBounded`: refused after a time limit. */
  | { ok: 'later'; isBounded?: true }
  /** `hasEffect`: not taken as it was meant, and something follows all the same. */
  | (Refusal & { hasEffect?: true });

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

/** The number of the newest of open holds, by which rows and execution are compared; null: none is open. */
export const newestOf = (open: readonly Pick<Hold, 'n'>[]): number | null =>
  open.length === 0 ? null : Math.max(...open.map(({ n }) => n));

/** Operator holds are not for clients: a resume neither names nor covers them. */
export function askedHoldsOf(state: TaskState): Hold[] {
  return openHoldsOf(state).filter((hold) => hold.question.kind !== 'operator');
}

/** True while the agent has the task: a turn runs or is parked, or talk-back is under way. */
export const isAtAgent = (state: TaskState): boolean => state.phase === 'turn' || state.asking !== null;

// The sender of a message in a task counts as a requester: where the requester may not decide, neither may they.

/** The state with this person among the speakers, and their votes removed where they may not decide any more. */
export function withSpeaker(state: TaskState, { id, actor }: Principal, now: string): TaskState {
  const added = [id, ...(actor === undefined ? [] : [actor])].filter((one) => one !== state.owner);
  const spoke = [...new Set([...state.spoke, ...added])];
  if (spoke.length === state.spoke.length) return state;
  return {
    ...state,
    spoke,
    holds: state.holds.map((hold) => (hold.status === 'open' ? atStage(withRequesters(hold, spoke), now) : hold)),
  };
}

/** An open hold with those who spoke before it as requesters. */
export function withRequesters(hold: Hold, spoke: readonly string[]): Hold {
  const { plan, votes } = hold;
  if (spoke.length === 0 || !plan.exclude.includes('requester')) return hold;
  return {
    ...hold,
    votes: votes.filter(({ by }) => !spoke.some((one) => isSamePerson(one, by))),
    plan: { ...plan, requesters: [...spoke] },
  };
}
