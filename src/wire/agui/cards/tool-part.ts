// Data parts in which agents report their tool calls: `{type: "tool-call", id, name, arguments, rawArguments}` and
// `{type: "tool-result", toolCallId, payload}`, and those of ADK, with metadata type `function_call` ({id, name, args})
// and `function_response` ({id, name, response}).
import { isAcceptableA2aId } from '../../../contract/base/ids.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { questionAbout } from './bound-call.ts';
import type { Draft } from '../model/draft.ts';
import { resultId } from '../model/message-ids.ts';
import { callsOf, formatCall, findCall, findMessage, messageId } from '../../../core/agui/messages.ts';
import { type Projection } from '../model/projection.ts';
import { isEqual } from '../../../core/agui/patch.ts';
import { endMessages } from '../model/text.ts';
import { answerCall, carrierId, isAnswered, showCall, type ToolCall } from '../model/tool-call.ts';
import { unknownTool } from '../../../core/consent/known.ts';
import { isObject, objectOf, jsonOrText } from '../../../core/base/json.ts';

type DataPart = Extract<NeutralPart, { kind: 'data' }>;

type ToolPart =
  | ({ kind: 'call'; isFunction: boolean } & ToolCall)
  /** `name`: of its tool, where the result says it · `isFunction`: of ADK, and shown only after its call. */
  | { kind: 'result'; toolCallId: string; name: string | null; content: string; isFunction: boolean };

/**
 * Where a part was sent: in which message or artifact, and at which place in it. With the task it is all that tells two
 * calls apart: ids, names and arguments repeat.
 */
export interface PartPlace {
  key: string;
  /** In an artifact; ADK's older executor sends one event in a status and again in an artifact. */
  isInArtifact: boolean;
  /** In a snapshot, before a person's last message: it may be of an earlier task of the thread. */
  isPast: boolean;
}

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
  if (metadata['standfast.interim'] === true) return true;
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
  const name = typeof data['name'] === 'string' && data['name'] !== '' ? data['name'] : unknownTool;
  if (toolCallId === null || name.startsWith('adk_request_')) return null;
  if (functionKind(part) === 'function_call') {
    const isWaiting = prefixes.some((prefix) => metadata[`${prefix}is_long_running`] === true);
    return isWaiting ? null : { kind: 'call', toolCallId, name, args: asText(data['args'], {}), isFunction: true };
  }
  if (isInterim(metadata, data['response'])) return null;
  return { kind: 'result', toolCallId, name, content: asText(data['response'], null), isFunction: true };
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
      name: typeof name === 'string' && name !== '' ? name : unknownTool,
      args: typeof rawArguments === 'string' ? rawArguments : asText(data['arguments'], {}),
      isFunction: false,
    };
  }
  const toolCallId = data['type'] === 'tool-result' ? usableId(data['toolCallId']) : null;
  const content = asText(data['payload'], null);
  return toolCallId === null ? null : { kind: 'result', toolCallId, name: null, content, isFunction: false };
}

const isApproved = (p: Projection, toolCallId: string): boolean =>
  (questionAbout(p, toolCallId)?.approval ?? null) !== null;

const maxCallsOfId = 50;

/** `id`, `id~2`, …, because some agents restart their call ids in every message. */
const nthId = (id: string, n: number): string => (n === 1 ? id : `${id}~${n}`);

/** The place of what a call or result was shown for; null: Standfast emitted it of its own. */
function placeOf(target: JsonObject | undefined): { key: Json; task: Json; isInArtifact: boolean } | null {
  const { part, task = null, isInArtifact } = objectOf(objectOf(target?.['metadata'])['standfast']);
  return part === undefined ? null : { key: part, task, isInArtifact: isInArtifact === true };
}

/** True for a result that the agent sent; Standfast says some in its place. */
export const isAgentsResult = (event: AguiEvent): boolean =>
  event.type === 'TOOL_CALL_RESULT' && placeOf(event) !== null;

const metadataOf = ({ ctx }: Draft, { key, isInArtifact }: PartPlace): JsonObject => ({
  part: key,
  task: ctx.taskId,
  ...(isInArtifact ? { isInArtifact } : {}),
});

/** Whether this was shown for the part at that place. */
function isAt({ ctx }: Draft, target: JsonObject | undefined, { key, isPast }: PartPlace): boolean {
  const there = placeOf(target);
  return there !== null && there.key === key && (isPast || there.task === ctx.taskId);
}

const isAsOtherChannel = (target: JsonObject | undefined, { isInArtifact }: PartPlace, isFunction: boolean): boolean =>
  isFunction && (placeOf(target)?.isInArtifact ?? isInArtifact) !== isInArtifact;

const isResultAt = (draft: Draft, place: PartPlace): boolean =>
  draft.p.messages.some((message) => message['role'] === 'tool' && isAt(draft, message, place));

/**
 * The keys of calls among these parts, in their order, whose results after them were shown: such a call is one that was
 * made, sent again where it was carried out.
 */
export function callsMade(draft: Draft, parts: readonly { part: DataPart; place: PartPlace }[]): Set<string> {
  const made = new Set<string>();
  const answered = new Set<string>();
  for (const { part, place } of parts.toReversed()) {
    const tool = readToolPart(part);
    if (tool?.kind === 'call' && answered.has(tool.toolCallId)) made.add(place.key);
    if (tool?.kind !== 'result') continue;
    if (isResultAt(draft, place)) answered.add(tool.toolCallId);
    else answered.delete(tool.toolCallId);
  }
  return made;
}

/**
 * Whether a call that was shown is this one sent again: it was shown for this very part, or it has no result yet and is
 * alike. An approved call is repeated when it is executed, with the approved arguments.
 */
function compareCall(draft: Draft, id: string, there: JsonObject, part: CallPart, place: PartPlace): 'same' | 'other' {
  if (isAt(draft, there, place)) return 'same';
  const { name, args } = formatCall(there);
  if (name !== part.name) return 'other';
  const isAlike = isEqual(jsonOrText(args), jsonOrText(part.args));
  if (isAnswered(draft.p, id)) return isAlike && isAsOtherChannel(there, place, part.isFunction) ? 'same' : 'other';
  return isAlike || isApproved(draft.p, id) ? 'same' : 'other';
}

type CallPart = Extract<ToolPart, { kind: 'call' }>;
type ResultPart = Extract<ToolPart, { kind: 'result' }>;

/** The id under which a call is or was shown; null when the agent reused its id too often. */
function shownCallId(draft: Draft, part: CallPart, place: PartPlace): string | null {
  for (let n = 1; n <= maxCallsOfId; n++) {
    const id = nthId(part.toolCallId, n);
    const there = findCall(draft.p, id);
    if (there === undefined || draft.p.openCalls.includes(id)) return id;
    if (compareCall(draft, id, there, part, place) === 'same') return id;
  }
  return null;
}

function showOwnCall(draft: Draft, part: CallPart, place: PartPlace, parentMessageId: string): void {
  const toolCallId = shownCallId(draft, part, place);
  if (toolCallId === null) return;
  const metadata = { standfast: metadataOf(draft, place) };
  const { name, args } = part;
  if (findCall(draft.p, toolCallId) === undefined) endMessages(draft, parentMessageId);
  showCall(draft, { toolCallId, name, args }, carrierId(draft.p, parentMessageId), metadata);
}

/** The calls of an id that were shown, in order, and the id that the next one gets. */
function callsOfId(p: Projection, toolCallId: string): { ids: string[]; next: string | null } {
  const ids: string[] = [];
  for (let n = 1; n <= maxCallsOfId; n++) {
    const id = nthId(toolCallId, n);
    if (findCall(p, id) === undefined) return { ids, next: id };
    ids.push(id);
  }
  return { ids, next: null };
}

/** Sent before in a status and now in an artifact, or the other way round. */
function isSentOtherwise({ p }: Draft, ids: readonly string[], part: ResultPart, place: PartPlace): boolean {
  return ids.some((id) => {
    const result = findMessage(p, resultId(id));
    return result?.['content'] === part.content && isAsOtherChannel(result, place, part.isFunction);
  });
}

/**
 * The call that a result is of: the one that was shown for it, else the newest without a result. Where each has its own,
 * the tool ran once more than was sent: that is another call. Null: it says nothing new.
 */
function answeredCallId(draft: Draft, part: ResultPart, place: PartPlace): string | null {
  const { p } = draft;
  const { ids, next } = callsOfId(p, part.toolCallId);
  const own = ids.find((id) => isAt(draft, findCall(p, id), place));
  if (own !== undefined) return own;
  const waiting = ids.findLast((id) => !isAnswered(p, id));
  if (waiting !== undefined) {
    // While people are still asked it cannot be the approved call's: ADK says so that it waits, others that it ran.
    const isAsked = questionAbout(p, waiting)?.isOpen === true;
    return isAsked ? (part.isFunction ? null : next) : waiting;
  }
  const last = ids.at(-1);
  if (last === undefined) return next;
  // Standfast’s own, in the place of the agent’s: of a call that was refused, or whose result never came.
  if (placeOf(findMessage(p, resultId(last))) === null) return null;
  return isSentOtherwise(draft, ids, part, place) ? null : next;
}

function showOwnResult(draft: Draft, part: ResultPart, place: PartPlace, parentMessageId: string): void {
  if (isResultAt(draft, place)) return;
  const { p } = draft;
  const toolCallId = answeredCallId(draft, part, place);
  if (toolCallId === null) return;
  const there = findCall(p, toolCallId);
  const last = findCall(p, callsOfId(p, part.toolCallId).ids.at(-1) ?? '');
  const isOpen = p.openCalls.includes(toolCallId);
  const asked = questionAbout(p, toolCallId);
  const reported = there ?? last;
  const isReported =
    reported !== undefined && (placeOf(reported) !== null || questionAbout(p, messageId(reported)) !== null);
  // A call cut off by a crash is completed by the call part itself.
  if (part.isFunction && (!isReported || isOpen)) return;
  // Clients expect a call for every result.
  const name = part.name ?? (last === undefined ? unknownTool : formatCall(last).name);
  const metadata = metadataOf(draft, place);
  endMessages(draft, parentMessageId);
  if (there === undefined || isOpen)
    showCall(draft, { toolCallId, name, args: '{}' }, carrierId(draft.p, parentMessageId), { standfast: metadata });
  const approved: JsonObject = asked === null || asked.approval === null ? {} : { approval: asked.approval };
  answerCall(draft, toolCallId, part.content, { standfast: { ...metadata, ...approved } });
}

/** Emits a call or its result once; what the agent may still be writing ends before what is new, but its own message. */
export function showToolPart(draft: Draft, part: ToolPart, place: PartPlace, parentMessageId: string): void {
  if (part.kind === 'call') showOwnCall(draft, part, place, parentMessageId);
  else showOwnResult(draft, part, place, parentMessageId);
}

/**
 * Emits a result for every open call before the task ends: AG-UI clients treat a call without result as theirs to
 * execute (`pendingToolCallIds`), and model providers reject such a history.
 */
export function answerRest(draft: Draft): void {
  const why = { status: 'unknown', message: 'The agent ended without telling a result of this call.' };
  const emitted = draft.p.messages
    .flatMap(callsOf)
    .filter((call) => placeOf(call) !== null)
    .map(messageId);
  for (const toolCallId of new Set([...emitted, ...draft.p.unanswered]))
    answerCall(draft, toolCallId, JSON.stringify(why));
}
