import type { A2aTaskId, HoldId, InterruptId, RunId } from '../base/id-types.ts';
import type { OpenedHold } from './activity.ts';
import type { Question } from '../holds/question.ts';
import type { ClosedHold } from '../holds/hold.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { TaskRef } from './task.ts';

/** A2A task states, spelled as in A2A 0.3; `unknown` is whatever we do not know. */
export type A2aState =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'auth-required'
  | 'completed'
  | 'canceled'
  | 'failed'
  | 'rejected'
  | 'unknown';

/** A part of an A2A message or artifact, cleaned (no NUL, well-formed Unicode) and bounded. */
export type NeutralPart =
  /** `isReasoning`: a model's reasoning, shown separately and never part of an answer. */
  | { kind: 'text'; text: string; metadata: JsonObject; isReasoning?: true }
  /** `isOfDialect`: people see what it asks in the questions read from it; the rest may contain credentials. */
  | { kind: 'data'; data: Json; metadata: JsonObject; isOfDialect?: true }
  | { kind: 'file'; name: string; mediaType: string; uri: string | null; base64: string | null; metadata: JsonObject };

export interface AgentMessage {
  messageId: string;
  role: 'agent' | 'user';
  parts: NeutralPart[];
  metadata: JsonObject;
  extensions: string[];
  /** Text or data of it was left out: it is longer, or nested deeper, than what is read of one event. */
  isCut?: true;
}

/** A message of a task's past, as its agent tells it to a reader: words and files; data is for programs and stays there. */
export interface AgentHistoryMessage {
  /** '' when it has none. */
  messageId: string;
  role: AgentMessage['role'];
  text: string;
  /** `url`: what a person can open, else null. */
  files: { name: string; mediaType: string; url: string | null }[];
  hasData: boolean;
}

/** An agent's own history of a task's conversation, newest last, or why there is none. */
export type AgentHistoryResult =
  | { result: 'read'; messages: AgentHistoryMessage[] }
  /** `away`: it cannot be reached, or is slow · `not-shared`: it answers, but without the history. */
  | { result: 'away' | 'not-shared'; why: string };

export interface NeutralArtifact {
  artifactId: string;
  name: string;
  description: string;
  parts: NeutralPart[];
  metadata: JsonObject;
  /** As of a message. */
  isCut?: true;
  /** It asks: people see it in the questions of the pause that follows, and not as a result. */
  isQuestion?: true;
}

/** An agent's message, in one shape for every A2A version and transport. */
export type TurnEvent = EventOfAgent & {
  /** Texts that are the digits of numbers which a double does not hold: in it, or in earlier answers to its client. */
  digits?: string[];
};

type EventOfAgent =
  | { type: 'message'; message: AgentMessage; contextId: string | null }
  | {
      /** A whole task (first event, getTask): artifacts REPLACE what was gathered. */
      type: 'task';
      a2aTaskId: A2aTaskId;
      contextId: string;
      state: A2aState;
      message: AgentMessage | null;
      artifacts: NeutralArtifact[];
      history: AgentMessage[];
    }
  | { type: 'status'; a2aTaskId: A2aTaskId; contextId: string; state: A2aState; message: AgentMessage | null }
  | {
      type: 'artifact';
      a2aTaskId: A2aTaskId;
      contextId: string;
      artifact: NeutralArtifact;
      append: boolean;
      lastChunk: boolean;
    }
  | { type: 'unknown'; what: string };

/** What a turn sends: the message of a run (kept in its intake row), answers, or nothing (follow the stream). */
export type TurnSend =
  | { kind: 'message' }
  | { kind: 'answers'; answers: TurnAnswer[] }
  /** Talk-back: a person asks the agent something before a decision. */
  | { kind: 'talk'; messageId: string; text: string; by: string }
  | { kind: 'nothing' };

/** The question itself is read from the hold's row: it is in history once already. */
export interface TurnAnswer {
  interruptId: InterruptId;
  closed: ClosedHold;
}

/** A question whose answer the agent is getting: should it ask again, the new hold knows the old one. */
export interface AskedBefore {
  holdId: HoldId;
  formId: string | null;
  callId: string | null;
  title: string;
}

/** Input of the activity `runTurn`. */
export interface TurnInput {
  task: TaskRef;
  /** 1, 2, …: names the message (UUIDv5 of the task id and this). */
  turn: number;
  /** How often this turn was parked and resumed; its writers' fences grow with it. */
  resumes: number;
  /** The agent has the message of this turn: it only follows the task. */
  isDelivered: boolean;
  /** Since when the agent has taken no message of this turn, ISO 8601; null: it was not away before. */
  awaySince: string | null;
  /** The run whose log this turn writes. */
  runId: RunId;
  opener: 'client' | 'standfast';
  /** The failed task that this one tries again; null for all others. */
  restartOf: string | null;
  /** The run whose intake row holds the message of a first turn; differs from runId when it is sent again. */
  messageRunId: string | null;
  send: TurnSend;
  a2aTaskId: A2aTaskId | null;
  contextId: string | null;
  /** status.message.messageId of the pause being answered, if the agent gave one. */
  pauseMessageId: string | null;
  /** An operator chose "send again": the intent of this turn is void. */
  isResendAllowed: boolean;
  /** Entries left out of the resume; reported to the client by CUSTOM events. */
  skipped: { interruptId: InterruptId; code: string }[];
  /** Holds opened before this turn: those it opens are numbered from here on. */
  n: number;
  /** Questions whose answers this turn carries. */
  askedBefore: AskedBefore[];
  publicUrl: string;
}

/** What a turn came to; small, and the only thing of it that enters history. */
export type TurnOutcome =
  | {
      kind: 'paused';
      /** Null: the agent asked by a message without a task. */
      a2aTaskId: A2aTaskId | null;
      contextId: string;
      state: 'input-required' | 'auth-required';
      pauseMessageId: string | null;
      explanation: string;
      questions: Question[];
      /** As `TurnEvent` has them, of all events that asked; none once the questions are carried. */
      digits?: string[];
      /** The turn opened these holds in one transaction with this outcome; missing: the workflow has them opened. */
      opened?: OpenedHold[];
    }
  | {
      kind: 'ended';
      a2aTaskId: A2aTaskId | null;
      contextId: string | null;
      state: 'completed' | 'failed' | 'rejected' | 'canceled' | 'message-only';
      message: string;
      /** The turn wrote the task's end in one transaction with this outcome; missing: the workflow has it written. */
      isWritten?: true;
    }
  /** The agent works and says nothing for long: the turn parks, and goes on when the agent has moved. */
  | { kind: 'waiting'; a2aTaskId: A2aTaskId; contextId: string | null; lastEventAt: string }
  /** The agent is away, or has its share of slots: the turn parks, and goes on then, or as soon as the agent is back. */
  | Away
  /** The runs row belongs to another task: nothing was sent. */
  | { kind: 'already-run' }
  /** The agent is not in the configuration any more: nothing was sent to it in this attempt. */
  | { kind: 'agent-gone'; a2aTaskId: A2aTaskId | null; contextId: string | null }
  | { kind: 'delivery-unknown'; a2aTaskId: A2aTaskId | null; contextId: string | null; what: string }
  | { kind: 'failed'; code: string; message: string; a2aTaskId: A2aTaskId | null; contextId: string | null };

/** Times are ISO 8601. */
interface Away {
  kind: 'away';
  a2aTaskId: A2aTaskId | null;
  contextId: string | null;
  since: string;
  again: string;
  why: string;
  /** The agent has the message, and went away after that. */
  isDelivered?: true;
  /** It is not away: other turns of its own wait for it in all of the slots that it may have. */
  isQueued?: true;
}

type Paused = Extract<TurnOutcome, { kind: 'paused' }>;

/** An outcome as its run keeps it: what a pause asked is in the rows of its holds. */
export type KeptOutcome = Exclude<TurnOutcome, Paused> | (Omit<Paused, 'questions' | 'opened'> & { holdIds: HoldId[] });
