// A message on its way to an agent: what is known of it, what is met, and what is done next. The rules are in `send.ts`.
import type { A2aErrorInfo } from '../../contract/tasks/agent-error.ts';
import type { TurnEvent } from '../../contract/tasks/turn.ts';
import type { Missing, Pace, PaceBounds } from './pace.ts';
import type { SendFailure } from './send-failures.ts';

/** `stream`: by a stream where the agent has streams; `send`: by one blocking request. */
export type Mode = 'stream' | 'send';

/** Which messages this agent is known not to take by a stream. */
export type SendsWithout = 'all' | 'follow-ups' | null;

/** What does not change while a message is sent. */
export interface SendGiven {
  /** As the run asks for it. */
  mode: Mode;
  /** For a task that is there; else a first message. */
  isFollowUp: boolean;
  /** An earlier attempt saw this first message make a task. */
  hasMadeTask: boolean;
  /** The agent has it, as was found before: it is probed for, and never requested. */
  isFoundOnly: boolean;
  /** Where there may be no intent yet: it is written and fenced by one statement. */
  mayBegin: boolean;
  resend: 'ask' | 'safe' | 'never' | undefined;
  /** Null: the message is tried within this attempt alone. */
  away: Away | null;
  bounds: PaceBounds;
}

/** A message that leaves its slot while its agent is away, and is tried again by a later attempt. */
export interface Away {
  /** Since when no attempt before this one got through; null: this is the first. */
  sinceMs: number | null;
  /** It is tried until it gets through, whatever `outageMs` is. */
  isKept: boolean;
  /** How long one attempt tries. */
  tryForMs: number;
}

/** Whether the agent has the message, as far as asking it shows. */
export type Probe =
  | { seen: 'delivered'; task: TurnEvent | null; isInHistory: boolean }
  | { seen: 'absent' }
  /** The agent has lost the task that the message is for, so sending it again is useless. */
  | { seen: 'task-gone'; why: string }
  | { seen: 'unknown'; why: string }
  /** The agent could not be asked for as long as an attempt may try. */
  | { seen: 'away'; why: string };

type Failed = { known: A2aErrorInfo; isStreaming: boolean };

export type SendPhase =
  | { name: 'beginning' }
  | { name: 'finding' }
  /** An attempt that is gone knew the answer to this first message. */
  | { name: 'recalling' }
  /** The intent of an attempt whose request may still be on its way. */
  | { name: 'probing'; attempt: number }
  | { name: 'requesting' }
  | ({ name: 'reading-card' } & Failed)
  /** The agent answered by an error that proves nothing. */
  | { name: 'probing-answered'; known: A2aErrorInfo; failure: Extract<SendFailure, { kind: 'answered' }> }
  | { name: 'resting' }
  | { name: 'over' };
export type SendPhaseName = SendPhase['name'];

export interface SendState {
  phase: SendPhase;
  given: SendGiven;
  mode: Mode;
  sendsWithout: SendsWithout;
  /** Why the last request of this attempt failed. */
  lastFailure: A2aErrorInfo | null;
  pace: Pace;
  /** Since when the requests of this attempt have failed. */
  failsSinceMs: number | null;
  /** Set while the agent says that it does not know the task that the message is for. */
  missing: Missing | null;
}

export type SendObservation =
  /** The first intent of the message is written. */
  | { type: 'begun' }
  | { type: 'intent.found'; intent: { attempt: number; isDelivered: boolean } | null }
  | { type: 'probed'; probe: Probe }
  | { type: 'answered' }
  /** The agent shows the message although it has not answered yet. */
  | { type: 'seen'; task: TurnEvent | null }
  | { type: 'failed'; known: A2aErrorInfo; isStreaming: boolean }
  | { type: 'card.read'; hasStreams: boolean }
  /** A later attempt has the message. */
  | { type: 'fenced' }
  | { type: 'woke' };

/** Why the reply to a message that the agent has may be lost; `isRefused`: in the agent's words, by which it refuses it. */
export interface LostReply {
  why: string;
  isRefused: boolean;
}

export type Settled =
  /** `answer`: the stream of this attempt's request · `probe`: the task as it was found. */
  | { is: 'delivered'; by: 'answer' }
  | { is: 'delivered'; by: 'probe'; task: TurnEvent | null; lost: LostReply | null }
  | { is: 'delivery-unknown'; what: string }
  /** `isAboutPush`: it refuses the push address, and would take the message without it. */
  | { is: 'refused'; message: string; isAboutPush?: boolean }
  | { is: 'unreachable'; message: string }
  /** The agent is away: the message waits for a later attempt. */
  | { is: 'away'; sinceMs: number; message: string; retryAfterMs?: number }
  | { is: 'fenced' };

export type SendAction =
  /** Writes the first intent, unless there is one. */
  | { type: 'begin'; mode: Mode }
  | { type: 'find' }
  /** `when-sent`: once nothing can be in flight any more, twice where it is absent · `now`: once. */
  | { type: 'probe'; when: 'when-sent' | 'now' }
  /** Under the intent that was begun, else under one of this attempt's own. */
  | { type: 'request'; mode: Mode }
  | { type: 'readCard' }
  | { type: 'wait'; ms: number; atLeastMs: number }
  | { type: 'settle'; settled: Settled };

/** Written down before the action. */
export type Write =
  /** Its agent has the message: no attempt sends it again. */
  | { kind: 'delivered' }
  /** Nothing of this attempt's reached the agent. */
  | { kind: 'forget'; attempt: number | 'own' }
  | { kind: 'sends-without'; which: 'all' | 'follow-ups'; why: string }
  | { kind: 'goes-otherwise'; why: string }
  | { kind: 'not-through'; known: A2aErrorInfo; result: 'not-taken' | 'unknown' };

export interface SendStep {
  state: SendState;
  writes: Write[];
  action: SendAction;
}
