/*
 * One decision on its way, as a state machine. "Recorded" is shown after the server's 200 alone; what may or may not have
 * arrived is sent again under the same key, and until the truth is known no other answer can be given.
 */
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import type { ApiError } from '../../base/live/api-error.ts';
import { isDict } from '../values/dict.ts';
import { codeWords, isFactCode } from '../words/code-words.ts';

/** What is about to be sent; kept for the tab's life, so that a reload can go on with it. */
export interface Intent {
  holdId: string;
  /** Whose answer it is: at a shared browser the next one signs in under another name. */
  by: string;
  key: string;
  /** Signed, once it has a `passkey`. */
  body: DecisionBody;
  sinceMs: number;
  /** Its person has to sign it, and pressed for that. */
  isToSign?: true;
}

export type Sending =
  | { state: 'idle' }
  | { state: 'sending'; intent: Intent; attempt: number }
  /** Not confirmed: sent again at `atMs` under the same key. `code` null: no answer came. */
  | { state: 'waiting'; intent: Intent; attempt: number; atMs: number; code: string | null }
  /** The server failed without an outcome: a person asks it to check again. */
  | { state: 'unknown'; intent: Intent; attempt: number; requestId: string | null }
  | { state: 'recorded'; intent: Intent; isStaged: boolean }
  | { state: 'refused'; intent: Intent; refusal: Refusal };

export type Refusal = Pick<ApiError, 'code' | 'detail' | 'errors' | 'data' | 'requestId'>;

export type SendingEvent =
  | { what: 'submit'; intent: Intent }
  | { what: 'accepted'; isStaged: boolean }
  | { what: 'signed'; body: DecisionBody }
  | { what: 'failed'; refusal: Refusal | null; retryAfterMs: number | null; nowMs: number }
  | { what: 'due' }
  /** The hold's own truth came by another way (live event, reload). */
  | { what: 'settled' }
  | { what: 'dismiss' };

/** Codes after which the same request may and should be made again. */
const again = new Set([
  'decision_not_confirmed',
  'worker_unavailable',
  'store_unavailable',
  'engine_unavailable',
  'busy',
  'rate_limited',
  'not_authenticated',
]);
/** The answer was not taken, which its words say: it may be changed. */
const isRefusal = (code: string): boolean => !again.has(code) && (isFactCode(code) || codeWords(code) !== null);
const delaysMs = [1_000, 3_000, 5_000, 10_000, 15_000];

export const delayOf = (attempt: number): number => delaysMs[Math.min(attempt, delaysMs.length) - 1] ?? 15_000;

export function sendingAfter(now: Sending, event: SendingEvent): Sending {
  switch (event.what) {
    case 'submit':
      // A second press while the first is on its way is the same intention.
      return isOpen(now) ? now : { state: 'sending', intent: event.intent, attempt: 1 };
    case 'signed':
      return now.state === 'sending' ? { ...now, intent: { ...now.intent, body: event.body } } : now;
    case 'accepted':
      return 'intent' in now ? { state: 'recorded', intent: now.intent, isStaged: event.isStaged } : now;
    case 'failed':
      return now.state === 'sending' ? afterFailure(now, event) : now;
    case 'due':
      return now.state === 'waiting' || now.state === 'unknown'
        ? { state: 'sending', intent: now.intent, attempt: now.attempt + 1 }
        : now;
    case 'settled':
      return isFinal(now) ? now : { state: 'idle' };
    case 'dismiss':
      return isOpen(now) ? now : { state: 'idle' };
    default:
      return event satisfies never;
  }
}

function afterFailure(
  { intent, attempt }: { intent: Intent; attempt: number },
  { refusal, retryAfterMs, nowMs }: Extract<SendingEvent, { what: 'failed' }>,
): Sending {
  // A device asks for a signature when its person presses, never later.
  if (isUnsigned(intent)) return { state: 'refused', intent, refusal: unlessFinal(refusal) };
  if (refusal === null || again.has(refusal.code)) {
    // Signed out: it goes on after the next sign-in, and sends nothing until then.
    const waitMs = refusal?.code === 'not_authenticated' ? 3_600_000 : Math.max(retryAfterMs ?? 0, delayOf(attempt));
    return { state: 'waiting', intent, attempt, atMs: nowMs + waitMs, code: refusal?.code ?? null };
  }
  if (isRefusal(refusal.code)) return { state: 'refused', intent, refusal };
  return { state: 'unknown', intent, attempt, requestId: refusal.requestId };
}

/** True while its person is still to be asked for a signature. */
export const isUnsigned = (intent: Intent): boolean => intent.isToSign === true && intent.body.passkey === undefined;

const stopped: Refusal = { code: 'passkey_stopped', detail: '', errors: [], data: {}, requestId: null };

const unlessFinal = (refusal: Refusal | null): Refusal =>
  refusal !== null && (isRefusal(refusal.code) || refusal.code === 'not_authenticated') ? refusal : stopped;

/** True while an answer may be on its way: nothing else can be sent. */
export function isOpen(sending: Sending): boolean {
  return sending.state === 'sending' || sending.state === 'waiting' || sending.state === 'unknown';
}

/** True once nothing more is needed of anybody. */
export const isFinal = (sending: Sending): boolean => sending.state === 'recorded' && !sending.isStaged;

const prefix = 'intent.';

/** Where intents outlive a reload; `sessionStorage`, or a map in tests. */
interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Never with a secret in it: then a reload reads the hold's truth instead. */
export function keepIntent(shelf: Shelf, intent: Intent, hasSecrets: boolean): void {
  if (hasSecrets) return;
  try {
    shelf.setItem(prefix + intent.holdId, JSON.stringify(intent));
  } catch {
    // A full or forbidden storage only means that a reload asks the server.
  }
}

export function dropIntent(shelf: Shelf, holdId: string): void {
  try {
    shelf.removeItem(prefix + holdId);
  } catch {
    // As above.
  }
}

export function keptIntent(shelf: Shelf, holdId: string, by: string): Intent | null {
  try {
    const kept: unknown = JSON.parse(shelf.getItem(prefix + holdId) ?? 'null');
    return isIntent(kept) && kept.holdId === holdId && kept.by === by ? kept : null;
  } catch {
    return null;
  }
}

const isIntent = (value: unknown): value is Intent =>
  isDict(value) && 'by' in value && typeof value['key'] === 'string' && 'body' in value && 'sinceMs' in value;
