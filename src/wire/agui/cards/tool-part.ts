// Data parts in which agents report their tool calls: `{type: "tool-call", id, name, arguments, rawArguments}` and
// `{type: "tool-result", toolCallId, payload}`, and those of ADK, with metadata type `function_call` ({id, name, args})
// and `function_response` ({id, name, response}).
import { isAcceptableA2aId } from '../../../contract/base/ids.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { questionAbout } from './bound-call.ts';
import type { Draft } from '../model/draft.ts';
import { callsOf, formatCall, findCall, messageId, type Projection } from '../model/projection.ts';
import { isEqual } from '../model/state-patch.ts';
import { answerCall, carrierId, isAnswered, showCall, type ToolCall } from '../model/tool-call.ts';
import { isObject, objectOf, jsonOrText } from '../../../core/base/json.ts';

type DataPart = Extract<NeutralPart, { kind: 'data' }>;

type ToolPart =
  | ({ kind: 'call' } & ToolCall)
  /** `isLone`: shown even when its call was never announced. */
  | { kind: 'result'; toolCallId: string; content: string; isLone: boolean };

const usableId = (value: Json | undefined): string | null =>
  typeof value === 'string' && isAcceptableA2aId(value) ? value : null;

const asText = (value: Json | undefined, otherwise: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? otherwise);

const prefixes = ['adk_', 'kagent_', ''];

/** ADK's type of the part according to its metadata. */
function functionKind({ metadata }: DataPart): 'function_call' | 'function_response' | null {
  const types = prefixes.map((prefix) => metadata[`${prefix}type`]);
  return types.find((type) => type === 'function_call' || type === 'function_response') ?? null;
}

/** True for ADK's calls and responses, which are never shown as the agent's data. */
export const isFunctionPart = (part: NeutralPart): part is DataPart =>
  part.kind === 'data' && functionKind(part) !== null;

export const isFunctionResponse = (part: NeutralPart): boolean =>
  part.kind === 'data' && functionKind(part) === 'function_response';

/** Interim responses of pending ADK tools, for agents that send no other sign of them. */
const describeWaiting = /^(This tool call requires confirmation|Pending User Authorization)/;

function isInterim(metadata: JsonObject, response: Json | undefined): boolean {
  if (metadata['holdpoint.interim'] === true) return true;
  const { error, result }: JsonObject = objectOf(response);
  return [error, result].some((text) => typeof text === 'string' && describeWaiting.test(text));
}

/**
 * The ordinary calls of an ADK agent. Pending calls are emitted by the holds about them; ADK's own `adk_request_…`
 * calls are never shown, because they may contain credentials.
 */
function readFunctionPart(part: DataPart): ToolPart | null {
  const { data, metadata } = part;
  if (!isObject(data)) return null;
  const toolCallId = usableId(data['id']);
  const name = typeof data['name'] === 'string' && data['name'] !== '' ? data['name'] : 'unknown_tool';
  if (toolCallId === null || name.startsWith('adk_request_')) return null;
  if (functionKind(part) === 'function_call') {
    const isWaiting = prefixes.some((prefix) => metadata[`${prefix}is_long_running`] === true);
    return isWaiting ? null : { kind: 'call', toolCallId, name, args: asText(data['args'], {}) };
  }
  if (isInterim(metadata, data['response'])) return null;
  return { kind: 'result', toolCallId, content: asText(data['response'], null), isLone: false };
}

/** The tool call or result in a data part; null when it contains neither. */
export function readToolPart(part: DataPart): ToolPart | null {
  const { data } = part;
  if (functionKind(part) !== null) return readFunctionPart(part);
  if (!isObject(data)) return null;
  if (data['type'] === 'tool-call') {
    const toolCallId = usableId(data['id']);
    const { name, rawArguments } = data;
    if (toolCallId === null) return null;
    return {
      kind: 'call',
      toolCallId,
      name: typeof name === 'string' && name !== '' ? name : 'unknown_tool',
      args: typeof rawArguments === 'string' ? rawArguments : asText(data['arguments'], {}),
    };
  }
  const toolCallId = data['type'] === 'tool-result' ? usableId(data['toolCallId']) : null;
  const content = asText(data['payload'], null);
  return toolCallId === null ? null : { kind: 'result', toolCallId, content, isLone: true };
}

const isApproved = (p: Projection, toolCallId: string): boolean =>
  (questionAbout(p, toolCallId)?.approval ?? null) !== null;

const maxCallsOfId = 50;

/** `id`, `id~2`, …, because some agents restart their call ids in every message. */
const nthId = (id: string, n: number): string => (n === 1 ? id : `${id}~${n}`);

const partOf = (target: JsonObject | undefined): Json | undefined => {
  const metadata = target?.['metadata'];
  const own = isObject(metadata) ? metadata['holdpoint'] : undefined;
  return isObject(own) ? own['part'] : undefined;
};

function isSameCall(there: JsonObject, part: ToolCall, partKey: string): boolean {
  const { name, args } = formatCall(there);
  return partOf(there) === partKey || (name === part.name && isEqual(jsonOrText(args), jsonOrText(part.args)));
}

/** The id under which a call is or was shown; null when the agent reused its id too often. */
function shownCallId(p: Projection, part: ToolCall, partKey: string, isOpen: (id: string) => boolean): string | null {
  for (let n = 1; n <= maxCallsOfId; n++) {
    const id = nthId(part.toolCallId, n);
    const there = findCall(p, id);
    if (there === undefined || isOpen(id) || isSameCall(there, part, partKey)) return id;
    // The agent repeats an approved call when it executes it, with the approved arguments.
    if (isApproved(p, id) && !isAnswered(p, id) && formatCall(there).name === part.name) return id;
  }
  return null;
}

/** The latest call with this id that has no result, or the one shown for this result; the id itself when there is none. */
function answeredCallId(p: Projection, toolCallId: string, partKey: string): string | null {
  let found: string | null = null;
  for (let n = 1; n <= maxCallsOfId; n++) {
    const id = nthId(toolCallId, n);
    const call = findCall(p, id);
    if (call === undefined) return n === 1 ? id : found;
    if (!isAnswered(p, id)) found = id;
    if (partOf(call) === partKey) return found;
  }
  return found;
}

/** Emits a call or its result once; `partKey` identifies the part within its message. */
export function showToolPart(draft: Draft, part: ToolPart, partKey: string, parentMessageId: string): void {
  const metadata = { holdpoint: { part: partKey } };
  if (part.kind === 'call') {
    const isOpen = (id: string): boolean => draft.p.openCalls.includes(id);
    const toolCallId = shownCallId(draft.p, part, partKey, isOpen);
    if (toolCallId === null) return;
    showCall(draft, { ...part, toolCallId }, carrierId(draft.p, parentMessageId), metadata);
    return;
  }
  if (draft.p.messages.some((message) => message['role'] === 'tool' && partOf(message) === partKey)) return;
  const toolCallId = answeredCallId(draft.p, part.toolCallId, partKey);
  if (toolCallId === null) return;
  const there = findCall(draft.p, toolCallId);
  const isOpen = draft.p.openCalls.includes(toolCallId);
  const asked = questionAbout(draft.p, toolCallId);
  // A response while the question is open cannot be the approved call's result.
  if (asked?.isOpen === true) return;
  const isReported = there !== undefined && (asked !== null || partOf(there) !== undefined);
  // A call cut off by a crash is completed by the call part itself.
  if (!part.isLone && (!isReported || isOpen)) return;
  // Clients expect a call for every result.
  const unknown = { toolCallId, name: 'unknown_tool', args: '{}' };
  if (there === undefined || isOpen) {
    showCall(draft, unknown, carrierId(draft.p, parentMessageId), metadata);
  }
  const approved: JsonObject = asked === null || asked.approval === null ? {} : { approval: asked.approval };
  answerCall(draft, toolCallId, part.content, { holdpoint: { part: partKey, ...approved } });
}

/**
 * Emits a result for every open call before the task ends: AG-UI clients treat a call without result as theirs to
 * execute (`pendingToolCallIds`), and model providers reject such a history.
 */
export function answerRest(draft: Draft): void {
  const why = { status: 'unknown', message: 'The agent ended without telling a result of this call.' };
  const emitted = draft.p.messages
    .flatMap(callsOf)
    .filter((call) => partOf(call) !== undefined)
    .map(messageId);
  for (const toolCallId of new Set([...emitted, ...draft.p.unanswered]))
    answerCall(draft, toolCallId, JSON.stringify(why));
}
