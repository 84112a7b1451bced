// Asking people from a program, and waiting for the answer: through restarts of Standfast, and of the program by the same id.
import type { Client } from 'openapi-fetch';
import type { components, paths } from './api-types.ts';
import { StandfastError } from './errors.ts';
import { followMany } from './follow-many.ts';
import { limitOf, outageOf, untilAnswered, type Limit } from './limit.ts';
import { newId } from './new-id.ts';

type Schemas = components['schemas'];
type Question = Omit<Schemas['AskBody'], 'wait' | 'id'> & { id: string };
export type AskReply = Schemas['AskReply'];

export interface WaitOptions {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface AskOptions {
  /** The program's own name for the question: the same again, in a new process too, waits for the same answer. */
  id?: string | undefined;
  title?: string | undefined;
  /** Missing: the one of Standfast's configuration. */
  policy?: string | undefined;
  /** Bounds the whole call: it ends with `NotAnswered` (`waiting`), or with code `network` if it was not asked. 0 puts it alone. */
  timeoutMs?: number | undefined;
  /** How long Standfast may not answer before the wait ends with a StandfastError of code `network`; 10 minutes. */
  outageMs?: number | undefined;
  /** How risky it is, one line, and why it asks: shown as your words. */
  risk?: string | undefined;
  reasoning?: string | undefined;
  links?: { url: string; title?: string }[] | undefined;
  /** Shown with the question, at most ten; each is part of what is approved. */
  files?: { name: string; mediaType: string; data: Uint8Array }[] | undefined;
  /** A deadline of its own, from its opening (`4h`): it then ends without an answer, never later than its policy says. */
  expireAfter?: string | undefined;
  /** Of an `id` that was used for another text: refuse (default), wait for the answer to that, or ask this in its place. */
  ifChanged?: 'refuse' | 'wait' | 'replace' | undefined;
  /** Is sent one POST, or one signal with the reply, when the question has ended. */
  callback?: Question['callback'];
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
  /** Signed proof (JWS), where the policy gives one; `@standfast/client/receipt` verifies it. */
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
export class NotAnswered extends StandfastError {
  override name = 'NotAnswered';
  readonly outcome: Outcome;
  readonly id: string;
  /** The question's page, where it has one. */
  readonly link: string | null;
  readonly by: string | null;
  readonly reason: string | null;

  constructor(outcome: Outcome, { id, by, reason, link }: Pick<AskReply, 'id' | 'by' | 'reason' | 'link'>) {
    const detail = `the question ${id} was not answered: ${outcome}${reason === null ? '' : ` (${reason})`}`;
    super(200, { code: 'not_answered', detail });
    this.link = link;
    this.outcome = outcome;
    this.id = id;
    this.by = by;
    this.reason = reason;
  }
}

/** A question that people are asked: its page and its end first, then its answer. */
export interface Pending<T> {
  id: string;
  holdId: string;
  /** Null: it has ended already. */
  link: string | null;
  expiresAt: string | null;
  /** Waits for the answer, as `ask` or `approve` does. */
  answer(options?: WaitOptions): Promise<T>;
}

/** What is used of Standard Schema, as Zod, Valibot and ArkType have it. */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly validate: (value: unknown) => StandardResult<T> | Promise<StandardResult<T>>;
  };
}

type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** A schema of the program: what an answer is checked by, and its JSON Schema, such as `z.toJSONSchema(of)`. */
export interface FormOf<T> {
  of: StandardSchema<T>;
  jsonSchema: Record<string, unknown>;
}

export interface Asking {
  /** Asks a question; throws NotAnswered, or a StandfastError where Standfast refuses or cannot be reached. */
  ask(message: string, options?: QuestionOptions): Promise<Answer>;
  /** Asks by the form of a schema (Zod, or any of Standard Schema); the answer is its value, checked. */
  askFor<T>(message: string, schema: FormOf<T>, options?: Omit<QuestionOptions, 'schema'>): Promise<T>;
  /** As `ask` and `approve`, and resolves once people are asked: with the link, before the answer. */
  startAsk(message: string, options?: QuestionOptions): Promise<Pending<Answer>>;
  startApprove(tool: string | ToolCall, options?: ApprovalOptions): Promise<Pending<Approval>>;
  /** The answer to what was asked under this id before; an Approval of a tool call. */
  wait(id: string, options?: WaitOptions): Promise<Answer | Approval>;
  /** Asks whether a tool may be called; a no is `approved: false`. Throws as `ask`, but for a refusal. */
  approve(tool: string | ToolCall, options?: ApprovalOptions): Promise<Approval>;
  /** People are not asked any longer; one that was answered stays answered. */
  withdraw(id: string): Promise<AskReply>;
}

const defaultOutageMs = 600_000;

type Unwrap = <T>(result: { data?: T; error?: unknown; response: Response }) => T;

export function askingOf(api: Client<paths>, unwrap: Unwrap): Asking {
  const whenOpened = followMany(api, unwrap, 'opened');
  const whenEnded = followMany(api, unwrap, 'ended');

  const put = (body: Question, limit: Limit, { outageMs = defaultOutageMs, signal }: AskOptions): Promise<AskReply> =>
    untilAnswered(
      async (inTime) => unwrap(await api.POST('/api/ask', { body: { ...body, wait: 0 }, signal: inTime })),
      { limit, outage: outageOf(outageMs), waitS: 0, signal },
    );

  /** Until the question has ended; `waiting` at the end of `timeoutMs`. */
  async function ended(body: Question, options: AskOptions): Promise<AskReply> {
    const limit = limitOf(options.timeoutMs);
    const { outageMs = defaultOutageMs, signal } = options;
    const reply = await put(body, limit, options);
    if (reply.status !== 'waiting' || limit.isOver()) return reply;
    return ofSame(reply, await whenEnded(body.id, { limit, outageMs, signal }));
  }

  async function pending<T>(
    body: Question,
    options: AskOptions,
    read: (reply: AskReply) => T | Promise<T>,
  ): Promise<Pending<T>> {
    const limit = limitOf();
    const { outageMs = defaultOutageMs, signal } = options;
    const reply = await put(body, limit, options);
    const opened =
      reply.holdId === null ? ofSame(reply, await whenOpened(body.id, { limit, outageMs, signal })) : reply;
    const { id, holdId, link, expiresAt } = opened;
    const answer = async (more: WaitOptions = {}): Promise<T> => {
      if (opened.status !== 'waiting') return read(opened);
      return read(
        ofSame(opened, await whenEnded(id, { limit: limitOf(more.timeoutMs), outageMs, signal: more.signal })),
      );
    };
    return { id, holdId: holdId ?? '', link, expiresAt, answer };
  }

  return {
    async ask(message: string, options: QuestionOptions = {}) {
      return answerOf(await ended(questionOf(message, options), options));
    },
    async askFor(message, schema, options = {}) {
      const reply = await ended(questionOf(message, { ...options, schema: schema.jsonSchema }), options);
      return validated(schema.of, answerOf(reply).values);
    },
    async approve(tool, options = {}) {
      return approvalOf(await ended(callOf(tool, options), options));
    },
    startAsk: (message, options = {}) => pending(questionOf(message, options), options, answerOf),
    startApprove: (tool, options = {}) => pending(callOf(tool, options), options, approvalOf),
    async wait(id, { timeoutMs, signal } = {}) {
      const reply = await whenEnded(id, { limit: limitOf(timeoutMs), outageMs: defaultOutageMs, signal });
      if (reply === null) throw new NotAnswered('waiting', { id, by: null, reason: null, link: null });
      return typeof reply.approved === 'boolean' ? approvalOf(reply) : answerOf(reply);
    },
    async withdraw(id) {
      return unwrap(await api.DELETE('/api/ask', { params: { query: { id } } }));
    },
  };
}

/** What came of the question that was asked; the answer to one that another program asked in its place is none to it. */
function ofSame(asked: AskReply, found: AskReply | null): AskReply {
  if (found === null || found.version === asked.version) return found ?? asked;
  return { ...asked, status: 'withdrawn', reason: 'another question was asked in its place, under the same id' };
}

function questionOf(message: string, options: QuestionOptions): Question {
  const { schema, defaults } = options;
  return { ...bodyOf(options), ...given({ message, schema, defaults }) };
}

function callOf(tool: string | ToolCall, options: ApprovalOptions): Question {
  const { name, args = {}, editable = false } = typeof tool === 'string' ? { name: tool } : tool;
  return { ...bodyOf(options), ...given({ message: options.why }), tool: { name, args, editable } };
}

function answerOf(reply: AskReply): Answer {
  const { id, holdId, values, by, reason, assumed } = answeredOnly(reply);
  if (reply.status === 'declined') throw new NotAnswered('refused', reply);
  return { id, holdId, values, by, reason, assumed, ...receiptIn(reply) };
}

function approvalOf(reply: AskReply): Approval {
  const { id, holdId, by, reason, assumed } = answeredOnly(reply);
  const approved = reply.approved === true;
  const args = approved ? (reply.args ?? {}) : {};
  return { id, holdId, approved, args, by, reason, assumed, ...receiptIn(reply) };
}

async function validated<T>(of: StandardSchema<T>, values: unknown): Promise<T> {
  const found = await of['~standard'].validate(values);
  if (found.issues === undefined) return found.value;
  const why = found.issues.map(({ message }) => message).join('; ');
  throw new StandfastError(0, { code: 'payload_invalid', detail: `the answer does not fit its schema: ${why}` });
}

const receiptIn = ({ receipt }: AskReply): { receipt?: string } => (receipt === undefined ? {} : { receipt });

/** Without what is undefined: optional fields of a body are there or not. */
function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // Safe: what is missing stays missing.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function bodyOf({ id, ...options }: AskOptions): Question {
  const { title, policy, risk, reasoning, links, expireAfter, ifChanged, callback } = options;
  const files = options.files?.map((file) => ({ ...file, data: base64Of(file.data) }));
  const rest = given({ title, policy, risk, reasoning, links, expireAfter, ifChanged, callback, files });
  return { id: id ?? newId(), ...rest };
}

/** In pieces: a whole file would be too many arguments. */
function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

function answeredOnly(reply: AskReply): Answer {
  const { id, status, holdId, values, by, reason, assumed } = reply;
  if (status === 'waiting' || status === 'expired') throw new NotAnswered(status, reply);
  if (status === 'cancelled' || status === 'withdrawn') throw new NotAnswered('cancelled', reply);
  return { id, holdId: holdId ?? '', values: values ?? {}, by: by ?? '', reason, assumed };
}
