// Asking people from a program, and waiting for the answer: through restarts of Holdpoint, and of the program by the same id.
import type { Client } from 'openapi-fetch';
import type { components, paths } from './api-types.ts';
import { HoldpointError } from './errors.ts';
import { sleep } from './retry.ts';

type Schemas = components['schemas'];
type Question = Omit<Schemas['AskBody'], 'wait' | 'id'> & { id: string };
export type AskReply = Schemas['AskReply'];

export interface AskOptions {
  /** The program's own name for the question: the same again, in a new process too, waits for the same answer. */
  id?: string | undefined;
  title?: string | undefined;
  /** Missing: the one of Holdpoint's configuration. */
  policy?: string | undefined;
  /** Ends the wait with `NotAnswered` (`waiting`); the question stays open. Missing: as long as its policy says. */
  timeoutMs?: number | undefined;
  /** How long Holdpoint may not answer before the wait ends with a HoldpointError of code `network`; 10 minutes. */
  outageMs?: number | undefined;
  /** Is sent one POST when the question has ended. */
  callbackUrl?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface QuestionOptions extends AskOptions {
  /** JSON Schema of the answer, type object; missing: a text (`values.text`). */
  schema?: Record<string, unknown> | undefined;
  defaults?: Record<string, unknown> | undefined;
}

export interface ApprovalOptions extends AskOptions {
  /** Why the tool is called, and what cannot be undone. */
  why?: string | undefined;
}

export interface ToolCall {
  name: string;
  args?: Record<string, unknown> | undefined;
  /** People may change the arguments. */
  editable?: boolean | undefined;
}

export interface Answer {
  id: string;
  holdId: string;
  values: Record<string, unknown>;
  by: string;
  reason: string | null;
  /** No one answered in time, and the policy took the proposed answer. */
  assumed: boolean;
  /** Signed proof (JWS), where the policy gives one; `@holdpoint/client/receipt` verifies it. */
  receipt?: string;
}

export interface Approval {
  id: string;
  holdId: string;
  approved: boolean;
  /** What to call the tool with; empty without an approval. */
  args: Record<string, unknown>;
  by: string;
  reason: string | null;
  assumed: boolean;
  /** As that of an answer. */
  receipt?: string;
}

type Outcome = 'refused' | 'expired' | 'cancelled' | 'waiting';

/** There is no answer: a person refused, no one answered in time, it was cancelled, or the wait is over. */
export class NotAnswered extends Error {
  override name = 'NotAnswered';
  readonly outcome: Outcome;
  readonly id: string;
  readonly by: string | null;
  readonly reason: string | null;

  constructor(outcome: Outcome, { id, by, reason }: Pick<AskReply, 'id' | 'by' | 'reason'>) {
    super(`the question ${id} was not answered: ${outcome}${reason === null ? '' : ` (${reason})`}`);
    this.outcome = outcome;
    this.id = id;
    this.by = by;
    this.reason = reason;
  }
}

export interface Asking {
  /** Asks a question; throws NotAnswered, or a HoldpointError where Holdpoint refuses or cannot be reached. */
  ask(message: string, options?: QuestionOptions): Promise<Answer>;
  /** Asks whether a tool may be called; a no is `approved: false`. Throws as `ask`, but for a refusal. */
  approve(tool: string | ToolCall, options?: ApprovalOptions): Promise<Approval>;
  /** People are not asked any longer; one that was answered stays answered. */
  withdraw(id: string): Promise<AskReply>;
}

/** One request waits so long; proxies between often cut longer ones. */
const waitS = 50;
const defaultOutageMs = 600_000;
const pauseMs = { first: 500, most: 10_000 };

type Unwrap = <T>(result: { data?: T; error?: unknown; response: Response }) => T;

export function askingOf(api: Client<paths>, unwrap: Unwrap): Asking {
  /** Until the question has ended; `waiting` at the end of `timeoutMs`. */
  async function ended(body: Question, options: AskOptions): Promise<AskReply> {
    const { id } = body;
    const { timeoutMs = Infinity, outageMs = defaultOutageMs, signal } = options;
    const endsAtMs = performance.now() + timeoutMs;
    let isAsked = false;
    let awaySinceMs: number | null = null;
    let againMs = pauseMs.first;
    for (;;) {
      signal?.throwIfAborted();
      const wait = Math.max(Math.min(waitS, Math.round((endsAtMs - performance.now()) / 1000)), 0);
      const more = signal === undefined ? {} : { signal };
      try {
        const reply: AskReply = isAsked
          ? unwrap(await api.GET('/api/ask', { params: { query: { id, wait } }, ...more }))
          : unwrap(await api.POST('/api/ask', { body: { ...body, wait }, ...more }));
        [isAsked, awaySinceMs, againMs] = [true, null, pauseMs.first];
        if (reply.status !== 'waiting' || performance.now() >= endsAtMs) return reply;
      } catch (error) {
        if (!(error instanceof HoldpointError && error.isRetryable)) throw error;
        awaySinceMs ??= performance.now();
        if (performance.now() - awaySinceMs >= outageMs) throw error;
        await sleep(againMs * (0.5 + Math.random() / 2), signal);
        againMs = Math.min(againMs * 2, pauseMs.most);
      }
    }
  }

  return {
    async ask(message, options = {}) {
      const { schema, defaults } = options;
      const reply = await ended({ ...bodyOf(options), ...given({ message, schema, defaults }) }, options);
      const { id, holdId, values, by, reason, assumed } = answeredOnly(reply);
      if (reply.status === 'declined') throw new NotAnswered('refused', reply);
      return { id, holdId, values, by, reason, assumed, ...receiptIn(reply) };
    },
    async approve(tool, options = {}) {
      const call = typeof tool === 'string' ? { name: tool } : tool;
      const asked = { name: call.name, args: call.args ?? {}, editable: call.editable ?? false };
      const reply = await ended({ ...bodyOf(options), ...given({ message: options.why }), tool: asked }, options);
      const { id, holdId, by, reason, assumed } = answeredOnly(reply);
      const approved = reply.approved === true;
      return {
        id,
        holdId,
        approved,
        args: approved ? (reply.args ?? {}) : {},
        by,
        reason,
        assumed,
        ...receiptIn(reply),
      };
    },
    async withdraw(id) {
      return unwrap(await api.DELETE('/api/ask', { params: { query: { id } } }));
    },
  };
}

const receiptIn = ({ receipt }: AskReply): { receipt?: string } => (receipt === undefined ? {} : { receipt });

/** Without what is undefined: optional fields of a body are there or not. */
function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // Safe: what is missing stays missing.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function bodyOf({ id, title, policy, callbackUrl }: AskOptions): Question {
  const callback = callbackUrl === undefined ? undefined : { url: callbackUrl };
  return { id: id ?? crypto.randomUUID(), ...given({ title, policy, callback }) };
}

function answeredOnly(reply: AskReply): Answer {
  const { id, status, holdId, values, by, reason, assumed } = reply;
  if (status === 'waiting' || status === 'expired') throw new NotAnswered(status, reply);
  if (status === 'cancelled' || status === 'withdrawn') throw new NotAnswered('cancelled', reply);
  return { id, holdId: holdId ?? '', values: values ?? {}, by: by ?? '', reason, assumed };
}
