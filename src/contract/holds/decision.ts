import type { HoldId, InterruptId, TaskId } from '../base/id-types.ts';
import { z } from 'zod';
import { plainText } from '../base/text-schemas.ts';
import type { JsonObject } from '../base/json.ts';
import type { Principal } from '../base/principal.ts';
import type { LadderPlan } from '../configuration/policy.ts';
import { type GrantWithYes, GrantScopeSchema, type ProvenGrant } from '../base/grant.ts';
import { AssertionSchema, type PasskeyProof } from './passkey.ts';

/** Body of `POST /api/holds/:id/decision`. */
export const DecisionBodySchema = z
  .discriminatedUnion('status', [
    z.object({
      status: z.literal('resolved'),
      values: z.record(z.string(), z.unknown()),
      digest: z.string().max(100).optional(),
      planDigest: z.string().max(100).optional(),
      passkey: AssertionSchema.optional(),
      /** Calls like it are not asked about any more, so far; counts once this yes was sent. */
      grant: GrantScopeSchema.optional(),
    }),
    z.object({
      status: z.literal('cancelled'),
      reason: plainText(2000).optional(),
      digest: z.string().max(100).optional(),
      planDigest: z.string().max(100).optional(),
      passkey: AssertionSchema.optional(),
    }),
  ])
  .meta({ id: 'DecisionBody' });
export type DecisionBody = z.infer<typeof DecisionBodySchema>;

/** what an answer came through. */
export const decisionSources = [
  'resume',
  'rest',
  'page',
  'bulk',
  'chat',
  'link',
  'slack',
  'teams',
  'push',
  'signal',
  'agent',
  'mcp',
  'clock',
  'grant',
] as const;
export type DecisionSource = (typeof decisionSources)[number];

/** What of a hold's plan a receipt repeats. */
export interface ReceiptTerms {
  policy: string;
  /** A hash of the policy as it was when the question opened. */
  version: string;
  quorum: number;
  /** How long the receipt is valid, and how long its decision may wait before it is sent. */
  forMs: number;
  graceMs: number;
  sign: 'passkey' | null;
  /** Set where several groups must agree. */
  stages?: { sameAgain: boolean; list: { name: string; quorum: number }[] };
}

/**
 * Why an answer is believed: the process that knew its author made it, with a key that neither the database nor Temporal has
 * (src/core/consent/proof.ts).
 */
export interface DecisionProof {
  version: 1;
  kind: 'people' | 'agent';
  /** Of the question that was answered. */
  digest: string;
  /** Entries of an audience that its author is, and those they stood in for. */
  entries: string[];
  alsoFor: string[];
  /** As `fingerprint` of the answer. */
  answer: string;
  /** Of the caller's own message, which goes to the agent as it came; missing: its dialect writes the answer. */
  message?: string;
  /** Null: its policy gives no receipts. */
  terms: ReceiptTerms | null;
  /** Numbers of the stages that asked its author; missing: its policy has none. */
  stages?: number[];
  /** ISO time at which that process took it. */
  at: string;
  /** HMAC-SHA-256, base64url. */
  mac: string;
}

/** How an answer was given; the evidence keeps it, too. */
export interface HowAnswered {
  source: DecisionSource;
  /** Digest that the answer named as what was shown; null: it named none. */
  seenDigest: string | null;
  /** `key:<id>` or `session:<id>`; null: given without either (signals, agents, policies). */
  credential: string | null;
  /** The back end that answered in the name of `by`; null: they did themselves. */
  actor: string | null;
  /** Entries of the audience by which they were asked, `role:finance`; missing: given without a person. */
  as?: string[];
  /** Users in whose stead they answered; missing: in their own right. */
  inPlaceOf?: string[];
  /** Numbers of the stages in which it may count; missing: its policy has none. */
  stages?: number[];
  /** Set where the policy has answers signed. */
  passkey?: PasskeyProof;
  /** Missing: it has no receipt (Temporal's own tools, the clock). */
  proof?: DecisionProof;
  /** Set where its author granted calls like it with the same press. */
  grant?: GrantWithYes;
}

/** HMAC-SHA-256, base64url. */
export interface SentMark {
  mac: string;
  /** Of its words where it has no proof: they may be erased later. */
  answer?: string;
}

/** What a hold keeps of its decision. */
export interface Decision extends HowAnswered {
  by: string;
  at: string;
  status: 'resolved' | 'cancelled';
  values: JsonObject;
  reason: string | null;
  /** Digest of the question this answer was given to. */
  digest: string;
  /** Set where no one was asked: the grant that the call was within. */
  granted?: ProvenGrant;
  /** That a worker recorded the end that it made; missing while it has not been sent. */
  sent?: SentMark;
}

/** A decision that was taken and not sent yet, and can still be taken back. */
export interface Outgoing {
  decision: Decision;
  /** As `answerFingerprint` of a hold. */
  fingerprint: string;
  /** When it is sent to the agent. */
  at: string;
}

/** That a decision was taken back before it was sent, and by whom. */
export interface Undone {
  by: string;
  at: string;
  credential: string | null;
  actor: string | null;
  /** Who had given it. */
  decidedBy: string;
}

/** One agreement on the way to a quorum; any refusal decides at once and is not a vote. */
export interface Vote extends HowAnswered {
  by: string;
  at: string;
  values: JsonObject;
  reason: string | null;
  /** As `answerFingerprint` of a hold. */
  fingerprint: string;
  /** Set as the question closed: its author was no user any more. */
  isGone?: true;
}

/** One answer to one hold, as it enters the workflow (resume entry, REST decision, signal). */
export interface AnswerEntry {
  /** Hold id or interrupt id. */
  hold: string;
  status: 'resolved' | 'cancelled';
  values: JsonObject;
  reason: string | null;
  digest: string | null;
  /** Canonical JSON digest of status + values (+ reason) as received. */
  fingerprint: string;
  /** The values fit the question with this digest; missing (signals, supervisor agents): an activity has to check them. */
  checked?: { digest: string };
  /** Set by the api alone, which has checked it: the answer's own, by this person. */
  passkey?: PasskeyProof;
  /** Of this answer by this author, from whichever process knew them. */
  proof?: DecisionProof;
  /** What its author granted with it. */
  grant?: GrantWithYes;
}

/** Argument of the update `decide`. */
export interface DecideCommand {
  entry: AnswerEntry;
  principal: Principal;
  /** ISO time at which the api received it. */
  receivedAt: string;
  /** Missing: `rest`. */
  source?: DecisionSource;
}

/** Result of the update `decide`. */
export interface DecideReply {
  holdId: HoldId;
  /** Null while the answer is a vote that waits for others. */
  decision: Decision | null;
  votes: { have: number; need: number };
  /** True when this very answer had been taken before. */
  isRepeat: boolean;
  /** It can be taken back until then; missing: it has been sent, or is a vote. */
  sendAt?: string;
  taskStatus: string;
}

/**
 * Argument of the update `amend`: who is asked and until when, one's own vote, a decision that was not sent yet, and that the one
 * who asks does not ask any more, while a hold is open.
 */
export type AmendCommand = { hold: string; principal: Principal; receivedAt: string } & (
  | { kind: 'withdraw-vote' }
  /** Ends the task of a question, by the one who asks: never one that has been answered. */
  | { kind: 'withdraw' }
  /** Takes a decision back that has not been sent. */
  | { kind: 'undo' }
  /** Moves the deadline to this later time (ISO 8601). */
  | { kind: 'extend'; until: string; note: string | null }
  /** Plans the question again, under its policy as the api has it now. */
  | { kind: 'reapply'; audience: string[]; plan: LadderPlan }
  /** Moves the question to others; escalations to come still add theirs. */
  | {
      kind: 'reassign';
      to: string[];
      note: string | null;
      /** Personal channels of those who get it. Missing (Temporal CLI): there is no notice. */
      notify?: string[];
      /** Where only those of the policy may be asked: the entry of it by which a user is one, as the configuration has it. */
      within?: Record<string, string>;
    }
);

/** Result of the update `amend`. */
export interface AmendReply {
  holdId: HoldId;
  audience: string[];
  votes: { have: number; need: number };
}

/**
 * What the writer of a message could see of the thread's newest task: the database may be ahead of the workflow, which
 * then waits for the running turn's result before it takes the message.
 */
export interface SeenTask {
  taskId: TaskId;
  /** Holds opened so far. */
  n: number;
  isEnded: boolean;
}

/** Argument of the update `message` by Temporal's CLI, in the operator's name. */
export interface UnsignedMessage {
  text: string;
  /** Names the message (UUID); the same again is taken once. Missing: the update's own id. */
  messageId?: string;
}

/** What the update `message` brings signed: a person's word to the agent, whether it works or waits. */
export interface MessageInput {
  text: string;
  /** Names the message (UUID); the same again is taken once. */
  messageId: string;
  principal: Principal;
  receivedAt: string;
  /** sha256 of the words: the same messageId with others is `run_conflict`. Missing: they are not compared. */
  textFingerprint?: string;
  /** The words answer the text question with this digest, and fit it; `fingerprint` is that of the answer. */
  checked?: { digest: string; fingerprint: string };
  /** Of the words as that answer. */
  proof?: DecisionProof;
  /** What the database showed of the thread's newest task when this came. */
  seen?: SeenTask;
}

/** Result of the update `message`. */
export interface MessageReply {
  messageId: string;
  /** decided: it answered a text hold · asked: talk-back before a decision · injected: into a working task. */
  kind: 'decided' | 'asked' | 'injected';
  taskStatus: string;
}

/** What the signal `cancelBy` brings: whose cancellation comes next. */
export interface CancelCommand {
  taskId: TaskId;
  by: string;
}

/** Argument of the signal `formResponse` (Temporal CLI and UI, so written by people). */
export interface FormResponseInput {
  interruptId: InterruptId;
  status?: 'resolved' | 'cancelled';
  values?: JsonObject;
  reason?: string;
}
