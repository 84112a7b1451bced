// A turn that follows its agent: what it knows, what it meets, and what it does next. The rules are in `follow.ts`.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import type { A2aErrorInfo } from '../../contract/tasks/agent-error.ts';
import type { TurnEvent, TurnOutcome } from '../../contract/tasks/turn.ts';
import type { Missing, Pace, PaceBounds } from './pace.ts';
import type { LostReply } from './send-state.ts';
import type { SeenTask, TurnView } from './view.ts';

/*
 *                    stream.event                          shown, goes on
 *        ┌────────► showing ──────────────┐   ┌──────────────────────────────┐
 *        │                                ▼   │                              │
 *     reading ◄─────────────────────── (read) ┴── resting ◄── opening ◄── taking ──► parked
 *        │  stream.ended, .silent, .broke         │   ▲          ▲            ▲
 *        └──────────────────────────────► asking ◄┘   │          │ lost reply │ task.read
 *                                           └─────────┴──────────┴────────────┘
 *   An end that a stream joined late reports is compared first: comparing → settling → over.
 */

/** How a stream is read. `whole`: from its start, so it is complete; one `joined` later may have lost or repeated something. */
export interface Reading {
  way: 'whole' | 'joined';
  /** What the agent answers to the message comes by it, to the end; else it only says that the message is there. */
  isLive: boolean;
  hasNews: boolean;
}

/** What is still to be dealt with once the agent was asked: why its stream broke, and whether it ended without a word. */
export interface Pending {
  fault: { message: string; retryAfterMs: number | undefined } | null;
  isIdle: boolean;
}

/**
 * What the time of reading a task says about it. Judged once, before the task is shown, which takes time itself: a silence
 * that gets long meanwhile must not park of a pause that it would have made new.
 */
export interface Judged {
  atMs: number;
  /** The agent has sent nothing new for so long that the turn may park. */
  isLong: boolean;
  /** The task itself, where the turn is over with it. */
  ending: SeenEnd['event'] | null;
}

export type Phase =
  | ({ name: 'reading' } & Reading)
  | ({ name: 'showing'; event: TurnEvent; ending: SeenEnd['event'] | null } & Reading)
  | { name: 'asking'; pending: Pending }
  | { name: 'taking'; task: TurnEvent; judged: Judged; pending: Pending }
  | { name: 'opening'; pending: Pending }
  | { name: 'resting'; next: 'read' | 'ask' }
  | { name: 'comparing'; end: SeenEnd }
  | { name: 'settling'; end: SeenEnd }
  | { name: 'over' };
export type PhaseName = Phase['name'];

/** What became of the agent's reply to the message of this turn. */
export type Reply =
  | { is: 'open' }
  /** Its stream came to an end. */
  | { is: 'finished' }
  /** The agent ended it by an error of its own; when its task showed something new last. */
  | { is: 'broken-off'; message: string; newsMs: number }
  /** It may be lost, and why; since when the task is seen as if the message had never arrived. */
  | (LostReply & { is: 'perhaps-lost'; hasJoined: boolean; sinceMs: number | null });

/** Bounds of a turn in milliseconds. */
export interface FollowBounds extends PaceBounds {
  /** How long a turn reads an agent that is away, before it leaves its slot; missing: for `outageMs`. */
  tryForMs?: number;
  silenceMs: number;
  parkAfterMs: number;
  stalePauseMs: number;
  reportedErrorMs: number;
}

export interface FollowState {
  phase: Phase;
  view: TurnView;
  reply: Reply;
  /** False once the agent has answered that it has no streams. */
  mayStream: boolean;
  pace: Pace;
  /** Set while the agent says that it does not know its task. */
  missing: Missing | null;
  startedMs: number;
  /** When the agent sent something new last. */
  newsMs: number;
  /** Since when reads of this attempt have failed. */
  failsSinceMs: number | null;
  /** Since when its task is seen in the pause that was answered. */
  pausedSinceMs: number | null;
  /** Events of other tasks so far. */
  foreign: number;
  bounds: FollowBounds;
}

export type Observation =
  | { type: 'stream.event'; event: TurnEvent }
  | { type: 'stream.ended' }
  | { type: 'stream.silent' }
  | { type: 'stream.broke'; known: A2aErrorInfo }
  | { type: 'stream.opened' }
  /** The agent's card says that it has none. */
  | { type: 'stream.absent' }
  | { type: 'task.read'; task: TurnEvent }
  | { type: 'task.refused'; known: A2aErrorInfo }
  /** `refused`: the turn ends with this, as the task belongs to another, or is too large. */
  | { type: 'shown'; isNews: boolean; refused: TurnOutcome | null }
  | { type: 'woke' };

/** Seen in an event of the task. `reason`: why it failed, where the agent does not say. */
export interface SeenEnd {
  kind: 'seen';
  event: Extract<TurnEvent, { type: 'task' | 'status' }>;
  /** The question that was answered is in the history, and no other has replaced it: it is asked again. */
  isUnanswered: boolean;
  /** The error by which the agent replied to the message, though it has it; null: it gave none. */
  refusal: string | null;
  reason: string;
}

export type End =
  | SeenEnd
  | { kind: 'message-only' }
  /** The agent has the message, but its task is as if it had never arrived. */
  | { kind: 'lost'; why: string }
  | { kind: 'failed'; code: 'agent_failed' | 'agent_unreachable'; message: string }
  | { kind: 'refused'; outcome: TurnOutcome };

export type Action =
  /** The stream's next event; after this long without one it is given up. */
  | { type: 'read'; silenceMs: number }
  /** `bind`: the view whose ids are to be written; null: they are known. */
  | { type: 'show'; event: TurnEvent; bind: TurnView | null }
  | { type: 'getTask'; a2aTaskId: A2aTaskId }
  /** A new stream, with its events unchanged. */
  | { type: 'subscribe'; a2aTaskId: A2aTaskId }
  /** A new stream, with the task read again where the two may not meet. */
  | { type: 'join'; a2aTaskId: A2aTaskId }
  /** With jitter; a server's own Retry-After is the least. */
  | { type: 'wait'; ms: number; atLeastMs: number }
  /** Leaves the task, as it was last seen, to the watch. */
  | { type: 'park'; task: SeenTask; silentMs: number }
  /** The agent is away, since then: leaves its slot, and goes on when the agent is back. */
  | { type: 'leave'; sinceMs: number; message: string; retryAfterMs: number }
  | { type: 'finish'; end: End };

export interface Step {
  state: FollowState;
  action: Action;
  /** That the agent cannot be read, and why; null: it can again; missing: nothing new about that. */
  note?: string | null;
}
