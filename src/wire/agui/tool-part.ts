// Data parts in which an agent tells of its own tool calls: `{type: "tool-call", id, name, arguments, rawArguments}`
// and `{type: "tool-result", toolCallId, payload}`.
import { isAcceptableA2aId } from '../../contract/ids.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import type { Draft } from './draft.ts';
import { callsOf, callWords, findCall, messageId, type Projection } from './projection.ts';
import { isEqual, isObject } from './state-patch.ts';
import { answerCall, carrierId, isAnswered, showCall, type ToolCall } from './tool-call.ts';

export type ToolPart = ({ kind: 'call' } & ToolCall) | { kind: 'result'; toolCallId: string; content: string };

const usableId = (value: Json | undefined): string | null =>
  typeof value === 'string' && isAcceptableA2aId(value) ? value : null;

const asText = (value: Json | undefined, otherwise: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? otherwise);

/** What a data part tells of a tool call; null when it tells of none. */
export function readToolPart(data: Json): ToolPart | null {
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
  return toolCallId === null ? null : { kind: 'result', toolCallId, content: asText(data['payload'], null) };
}

const maxCallsOfId = 50;

/** `id`, `id~2`, …: agents exist that count their calls anew in every message. */
const nthId = (id: string, n: number): string => (n === 1 ? id : `${id}~${n}`);

const partOf = (target: JsonObject | undefined): Json | undefined => {
  const metadata = target?.['metadata'];
  const own = isObject(metadata) ? metadata['holdpoint'] : undefined;
  return isObject(own) ? own['part'] : undefined;
};

function parsed(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

function isSameCall(there: JsonObject, part: ToolCall, partKey: string): boolean {
  const { name, args } = callWords(there);
  return partOf(there) === partKey || (name === part.name && isEqual(parsed(args), parsed(part.args)));
}

/** The id under which a call is shown, or was shown before; null when the agent has made too many of one id. */
function shownCallId(p: Projection, part: ToolCall, partKey: string, isOpen: (id: string) => boolean): string | null {
  for (let n = 1; n <= maxCallsOfId; n++) {
    const id = nthId(part.toolCallId, n);
    const there = findCall(p, id);
    if (there === undefined || isOpen(id) || isSameCall(there, part, partKey)) return id;
  }
  return null;
}

/** The newest call of an id that has no result; the id itself when there is none of it. */
function answeredCallId(p: Projection, toolCallId: string): string | null {
  let found: string | null = null;
  for (let n = 1; n <= maxCallsOfId; n++) {
    const id = nthId(toolCallId, n);
    if (findCall(p, id) === undefined) return n === 1 ? id : found;
    if (!isAnswered(p, id)) found = id;
  }
  return found;
}

/** Shows a call or its result, once; `partKey` names the part in its message. */
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
  const toolCallId = answeredCallId(draft.p, part.toolCallId);
  if (toolCallId === null) return;
  // A result whose call was never told: clients want to see what it belongs to.
  const unknown = { toolCallId, name: 'unknown_tool', args: '{}' };
  if (findCall(draft.p, toolCallId) === undefined || draft.p.openCalls.includes(toolCallId)) {
    showCall(draft, unknown, carrierId(draft.p, parentMessageId), metadata);
  }
  answerCall(draft, toolCallId, part.content, metadata);
}

/**
 * Gives every call that an agent has told a result before its task ends. A client takes a call of the run without one
 * for its own to make (AG-UI's `pendingToolCallIds`), and model providers refuse a conversation in which one is missing.
 */
export function answerRest(draft: Draft): void {
  const why = { status: 'unknown', message: 'The agent ended without telling a result of this call.' };
  const told = draft.p.messages
    .flatMap(callsOf)
    .filter((call) => partOf(call) !== undefined)
    .map(messageId);
  for (const toolCallId of new Set([...told, ...draft.p.unanswered]))
    answerCall(draft, toolCallId, JSON.stringify(why));
}
