// Questions by programs without an A2A task of their own (`POST /api/ask`, MCP): parsed, bounded, then like any other.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { AskBody } from '../../contract/views/ask.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { objectOf } from '../base/json.ts';
import { ownEntry } from '../base/own-entry.ts';
import { readProfile } from './form-profile.ts';
import { plainFields } from './plain-fields.ts';
import { distinctLinks, readLink, withExpiry, withWords } from './stated.ts';
import { onlyYesNoField } from '../consent/deciding-field.ts';
import { withDecisionRequired } from '../consent/verdict.ts';
import { approvedField, rejectionField } from '../base/approval-fields.ts';
import { askDialect } from '../base/ids.ts';

export interface Ask {
  question: string;
  title: string | null;
  /** JSON Schema of the answer, an object; null: a free text. */
  schema: JsonObject | null;
  defaults: JsonObject;
}

interface ToolAsk {
  name: string;
  title?: string | undefined;
  args: JsonObject;
  why: string;
  isEditable: boolean;
}

type Read = { ok: true; question: Question } | { ok: false; why: string };

/** What is read of the body of a program's question; `untitled`: its title as it would be without one of its own. */
export type ReadAsk = { ok: true; question: Question; untitled: string } | { ok: false; why: string };

const maxTitleChars = 200;

function firstLine(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  const chars = Array.from(line);
  return chars.length <= maxTitleChars ? line : `${chars.slice(0, maxTitleChars - 1).join('')}…`;
}

const plain = {
  dialect: askDialect,
  ...plainFields(),
} satisfies Partial<Question>;

const textSchema: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string', title: 'Answer', minLength: 1 } },
  required: ['text'],
};

/** Secret fields are refused for this source: the answer goes back in clear. */
function hasSecret(part: Json): boolean {
  if (Array.isArray(part)) return part.some(hasSecret);
  if (typeof part !== 'object' || part === null) return false;
  return part['format'] === 'password' || part['writeOnly'] === true || Object.values(part).some(hasSecret);
}

/** The title of a question without one: its first words. */
export const titleOfAsk = ({ question, title }: Pick<Ask, 'question' | 'title'>): string =>
  firstLine(title ?? question);

export function questionOfAsk({ question, title, schema, defaults }: Ask): Read {
  const base = { ...plain, title: titleOfAsk({ question, title }), hasOwnTitle: true, message: question, defaults };
  if (schema === null) return { ok: true, question: { ...base, kind: 'text', schema: textSchema, defaults: {} } };
  const profile = readProfile(schema);
  if (!profile.ok) return { ok: false, why: `schema: ${profile.why}` };
  if (hasSecret(schema))
    return { ok: false, why: 'schema: a secret (format password, writeOnly) cannot be asked for here' };
  const kind = onlyYesNoField(profile.schema) !== null ? 'confirmation' : 'form';
  return { ok: true, question: withDecisionRequired({ ...base, kind, schema: profile.schema }) };
}

/** Arguments by which a coding agent's call is known at a glance. */
const tellingArgs = ['command', 'file_path', 'url'] as const;

/** The title of a tool call without one: what a shell would run, a file or an address, where its arguments have one. */
export function titleOfToolCall({ name, args }: { name: string; args: JsonObject }): string {
  const about = tellingArgs.map((key) => args[key]).find((value) => typeof value === 'string' && value.trim() !== '');
  return firstLine(typeof about === 'string' ? `${name}: ${about}` : `Approve ${name}?`);
}

export function questionOfToolCall({ name, title, args, why, isEditable }: ToolAsk, callId: string): Question {
  return {
    ...plain,
    kind: 'tool_call',
    title: title === undefined ? titleOfToolCall({ name, args }) : firstLine(title),
    hasOwnTitle: title !== undefined,
    message: why,
    schema: {
      type: 'object',
      properties: {
        approved: approvedField,
        reason: rejectionField,
        ...(isEditable ? { [editedArgsField]: { type: 'object', title: 'Arguments' } } : {}),
      },
      required: ['approved'],
      additionalProperties: false,
    },
    defaults: isEditable ? { [editedArgsField]: args } : {},
    tool: { callId, name, args, isEditable },
  };
}

type AskedBody = Pick<
  AskBody,
  'title' | 'message' | 'schema' | 'defaults' | 'tool' | 'risk' | 'reasoning' | 'links' | 'expireAfter'
>;

/** The question of a program's body, for whichever interface brings it. */
export function readAsk(body: AskedBody, id: string): ReadAsk {
  const asked = readAsked(body, id);
  return asked.ok ? withStated(asked, body) : asked;
}

function readAsked({ title, message, tool, ...body }: AskedBody, id: string): ReadAsk {
  // Safe, here and below: it came as JSON.
  const schema = (body.schema ?? null) as JsonObject | null;
  if (tool !== undefined) {
    if (body.schema !== undefined || body.defaults !== undefined)
      return { ok: false, why: 'tool: expected no schema and no defaults with it' };
    const { name, editable, args } = tool as { name: string; editable: boolean; args: JsonObject };
    const question = questionOfToolCall({ name, title, args, why: message ?? '', isEditable: editable }, id);
    return { ok: true, question, untitled: titleOfToolCall({ name, args }) };
  }
  if (message === undefined || message === '')
    return { ok: false, why: 'message: missing; expected message, or tool with the call to approve' };
  const defaults = (body.defaults ?? {}) as JsonObject;
  const read = questionOfAsk({ question: message, title: title ?? null, schema, defaults });
  return read.ok ? { ...read, untitled: titleOfAsk({ question: message, title: null }) } : read;
}

function withStated(
  asked: Extract<ReadAsk, { ok: true }>,
  { risk = '', reasoning = '', links = [], expireAfter }: AskedBody,
): ReadAsk {
  const read = links.map(({ url, title }) => readLink(url, title));
  const unfit = read.indexOf(null);
  if (unfit >= 0)
    return { ok: false, why: `links.${unfit}.url: expected an http(s) address without a user and a password in it` };
  const question = withWords({ ...asked.question, links: distinctLinks(read) }, { risk, reasoning });
  const timed = expireAfter === undefined ? question : withExpiry(question, expireAfter);
  if (timed === null)
    return { ok: false, why: 'expireAfter: expected a duration of a second or more, such as 30m, 4h or PT4H' };
  return { ...asked, question: timed };
}

/** The channel of notices that is the asking program itself; no channel of the configuration can have this name. */
export const askerChannel = '@asker';

/** A signal to a workflow of somebody else's. */
export interface AskSignal {
  namespace: string;
  workflowId: string;
  signal: string;
}

/** Where the end of a question is reported to; `id` is the program's own of the question. */
export type AskCallback = { id: string } & ({ url: string } | { temporal: AskSignal });

export function withCallback(question: Question, callback: AskCallback): Question {
  const given = 'url' in callback ? { url: callback.url } : { temporal: { ...callback.temporal } };
  return { ...question, reply: { ...question.reply, callback: { id: callback.id, ...given } } };
}

/** Null: nowhere. */
export function callbackOf({ dialect, reply }: Pick<Question, 'dialect' | 'reply'>): AskCallback | null {
  const { url, temporal, id } = objectOf(reply['callback']);
  if (dialect !== askDialect || typeof id !== 'string') return null;
  if (typeof url === 'string') return { url, id };
  const { namespace, workflowId, signal } = objectOf(temporal);
  return typeof namespace === 'string' && typeof workflowId === 'string' && typeof signal === 'string'
    ? { temporal: { namespace, workflowId, signal }, id }
    : null;
}

/** How the ids of Standfast's own workflows begin. */
const ownWorkflows = ['a2a/', 'notice/', 'push/', 'digest/', 'standfast-'];

/**
 * Why a program may not have this signal sent; null: it may. Standfast sends it by its own rights, so that the configuration
 * names each signal, and none goes to a workflow of Standfast's own.
 */
export function whyNotSignalled(
  { namespace, workflowId, signal }: AskSignal,
  { signals = {} }: { signals?: Record<string, string[]> | undefined },
  ownNamespace: string,
): string | null {
  if (!(ownEntry(signals, namespace) ?? []).includes(signal))
    return `ask.signals of the configuration names no signal ${signal} of the namespace ${namespace}`;
  if (namespace === ownNamespace && ownWorkflows.some((prefix) => workflowId.startsWith(prefix)))
    return `${workflowId} is a workflow of Standfast's own`;
  return null;
}

/** How a question that is not open any more ended, as its program reads it. */
export function askStatusOf({
  status,
  decision,
}: Pick<Hold, 'status' | 'decision'>): 'answered' | 'declined' | 'expired' | 'withdrawn' | 'cancelled' {
  if (decision !== null) return decision.status === 'resolved' ? 'answered' : 'declined';
  return status === 'expired' || status === 'cancelled' ? status : 'withdrawn';
}
