// A surface: a place where people are, such as Slack, in which questions are shown and decided.
import type { HoldId } from '../../contract/base/id-types.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Digest } from '../../core/questions/digest-text.ts';
import type { ShownQuestion } from '../../core/questions/shown-question.ts';
import type { SurfaceLimits } from '../../core/questions/surface-question.ts';

/** Where a message goes: a person of the surface, or one of its channels. */
export type Recipient = { person: string } | { channel: string };

/** Names one message, so that no attempt sends it twice. */
export interface MessageName {
  id: string;
  /** ISO time of an earlier attempt, which may have sent it; null: there was none. */
  begunAt: string | null;
}

interface About {
  /** The surface's id of the person who pressed. */
  person: string;
  /** Of the workspace that they belong to; '' where the callback does not name it. */
  team: string;
  holdId: HoldId;
  /** Digest of the question as it was shown. */
  digest: string;
}

/** What a person did, read from a callback whose sender was verified. */
export type SurfaceCallback =
  | { kind: 'challenge'; challenge: string }
  /** `place`: where they pressed, for dialogs and answers. */
  | (About & { kind: 'pressed'; choice: 'yes' | 'no' | 'reason' | 'form'; place: JsonObject })
  /** A dialog; `reason` null: a form, with the texts of its fields. */
  | (About & { kind: 'submitted'; reason: string | null; texts: Record<string, string> })
  | { kind: 'list'; person: string; team: string }
  | { kind: 'home'; person: string; team: string }
  | { kind: 'other' };

/** A failure of the vendor's service; `isFinal` if a retry would fail as well. */
export class SurfaceError extends Error {
  override name = 'SurfaceError';
  readonly isFinal: boolean;
  readonly retryAfterMs: number | null;
  constructor(message: string, isFinal: boolean, retryAfterMs: number | null = null) {
    super(message);
    this.isFinal = isFinal;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface Surface {
  readonly limits: SurfaceLimits;
  /** Sends a question once; returns the handle of the message. Throws SurfaceError. */
  show(question: ShownQuestion, to: Recipient, name: MessageName): Promise<JsonObject>;
  /** Brings a message up to date; the same again is harmless. Throws SurfaceError. */
  update(handle: JsonObject, question: ShownQuestion): Promise<void>;
  /** Finds the message of an earlier attempt, which may not have finished; null: it was not sent. Throws SurfaceError. */
  find(to: Recipient, name: MessageName): Promise<JsonObject | null>;
  /** Sends a list of what waits, once; it is dated and never updated. Returns its handle. Throws SurfaceError. */
  list(digest: Digest, to: Recipient, name: MessageName): Promise<JsonObject>;
  /** Adds a text to the thread of a message, once; returns its handle. Throws SurfaceError. */
  reply(handle: JsonObject, reply: { text: string; question: ShownQuestion }, name: MessageName): Promise<JsonObject>;
}
