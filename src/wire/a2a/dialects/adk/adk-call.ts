import { cutText } from '../../../../core/base/text.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import { isAcceptableA2aId } from '../../../../contract/base/ids.ts';
import type { JsonObject } from '../../../../contract/base/json.ts';
import type { AgentMessage, NeutralPart } from '../../../../contract/tasks/turn.ts';
import { type DataPart, maxQuestions } from '../base/dialect.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { canonicalJson, isObject, objectOf } from '../../../../core/base/json.ts';

/** A pending function call of an ADK agent (docs/wire.md). */
export interface AdkCall {
  id: string;
  name: string;
  args: JsonObject;
  /** Prefix of the part's metadata keys (`adk_`, `kagent_` or ''); the response uses the same. */
  prefix: string;
  /** The tool's interim response, shown as context; null when there is none. */
  interim: JsonObject | null;
}

/** The function response that answers a call, and a note for what does not fit into it. */
export type AdkResponse = { response: JsonObject; note: string } | { why: string };

const prefixes = ['adk_', 'kagent_', ''];
/** ADK's built-in calls that ask people; older sessions do not list them as long-running. */
const asking = new Set(['adk_request_confirmation', 'adk_request_input', 'adk_request_credential']);
const maxNameChars = 500;

/** The pending calls, without duplicates; a string gives the reason why they cannot be decoded. */
export function readCalls(message: AgentMessage | null, earlier: readonly NeutralPart[] = []): AdkCall[] | string {
  const own = message?.parts ?? [];
  // A pause without any call is not about the calls of earlier messages.
  const parts = waitingParts(message).length === 0 ? own : [...earlier, ...own];
  const interims = new Map(parts.flatMap(interimIn));
  const calls = new Map<string, AdkCall>();
  for (const call of parts.map(pendingCall)) {
    if (typeof call === 'string') return call;
    if (call === null) continue;
    const same = calls.get(call.id);
    if (same !== undefined && !isAlike(same, call)) return 'two of its function calls have the same id';
    if (same === undefined) calls.set(call.id, { ...call, interim: interims.get(call.id) ?? null });
  }
  if (calls.size > maxQuestions) return `it holds ${calls.size} function calls, and at most ${maxQuestions} fit`;
  return [...calls.values()];
}

const isAlike = (one: Omit<AdkCall, 'interim'>, other: Omit<AdkCall, 'interim'>): boolean =>
  one.name === other.name && canonicalJson(one.args) === canonicalJson(other.args);

/** The call of a part that waits for an answer; null: it has none; a string says why it cannot be decoded. */
function pendingCall(part: NeutralPart): Omit<AdkCall, 'interim'> | string | null {
  if (part.kind !== 'data' || !isObject(part.data)) return null;
  const { id, name, args } = part.data;
  const kind = kindOf(part.metadata);
  const isAsking = typeof name === 'string' && asking.has(name);
  if (kind?.type !== 'function_call' || !(kind.isLongRunning || isAsking)) return null;
  if (typeof id !== 'string' || !isAcceptableA2aId(id)) return 'a function call has no usable id';
  if (typeof name !== 'string' || name === '' || name.length > maxNameChars)
    return 'a function call has no usable name';
  if (args !== undefined && args !== null && !isObject(args)) return 'the arguments of a function call are no object';
  return { id, name, args: objectOf(args), prefix: kind.prefix };
}

/** The response of a part, with the id of its call. */
function interimIn(part: NeutralPart): [string, JsonObject][] {
  if (part.kind !== 'data' || !isObject(part.data)) return [];
  const { id, response } = part.data;
  const isResponse = kindOf(part.metadata)?.type === 'function_response';
  return isResponse && typeof id === 'string' && isObject(response) ? [[id, response]] : [];
}

/** Parts with pending calls; ADK's older executor sends each in its own message and pauses with the last one only. */
export function waitingParts(message: AgentMessage | null): NeutralPart[] {
  if (message?.role !== 'agent') return [];
  return message.parts.filter(
    (part) => part.kind === 'data' && kindOf(part.metadata)?.type === 'function_call' && isWaiting(part.metadata),
  );
}

/** True for calls and responses of functions, and any other data with a type of ADK's. */
export const isFunctionPart = ({ metadata }: DataPart): boolean => kindOf(metadata) !== null;

const isWaiting = (metadata: JsonObject): boolean => kindOf(metadata)?.isLongRunning === true;

function kindOf(metadata: JsonObject): { prefix: string; type: string; isLongRunning: boolean } | null {
  for (const prefix of prefixes) {
    const type = metadata[`${prefix}type`];
    if (typeof type === 'string') return { prefix, type, isLongRunning: metadata[`${prefix}is_long_running`] === true };
  }
  return null;
}

/** Builds the question about a call; `reply` keeps what the function response must repeat. */
export function questionOf(
  call: AdkCall,
  asked: Pick<Question, 'kind' | 'title' | 'hasOwnTitle' | 'message' | 'schema'> & Partial<Question>,
): Question {
  return {
    ...plainFields(),
    ...asked,
    dialect: 'adk',
    formId: call.id,
    reply: { ...asked.reply, name: call.name, prefix: call.prefix },
  };
}

/** The `function_response` part that answers the question's call. */
export function responsePart({ formId, reply }: Question, response: JsonObject): NeutralPart {
  const prefix = typeof reply['prefix'] === 'string' ? reply['prefix'] : 'adk_';
  return {
    kind: 'data',
    data: { id: formId ?? '', name: reply['name'] ?? '', response },
    metadata: { [`${prefix}type`]: 'function_response' },
  };
}

/** A tool's name, bounded for titles and sentences. */
export function labelOfCall(name: string): string {
  return cutText(name.replace(/\s+/gu, ' '), 100);
}
