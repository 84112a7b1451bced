// The AG-UI reducer: the state of a client that applied these events. It is the projector's only memory, so a retry
// after a crash restores it by reducing the run's log.
import type { RunId, ThreadId } from '../../../contract/base/id-types.ts';
import type { AguiEvent, RunStatus } from '../../../contract/tasks/run.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { applyOps, type PatchOp } from './state-patch.ts';
import { isObject, objectOf, objectsIn, stringOf } from '../../../core/base/json.ts';

export interface Projection {
  threadId: ThreadId;
  runId: RunId;
  state: JsonObject;
  /** In order; cards are messages with role `activity`. */
  messages: JsonObject[];
  /** Ids with TEXT_MESSAGE_START but no TEXT_MESSAGE_END yet. */
  openTexts: string[];
  /** Ids of the texts that have ended in this run, in that order. */
  endedTexts: string[];
  /** Ids with REASONING_START but no REASONING_END yet, and those of reasoning messages within them. */
  openSpans: string[];
  openReasoning: string[];
  /** Tool calls with TOOL_CALL_START but no TOOL_CALL_END yet. */
  openCalls: string[];
  /** Tool calls of this run without a result. */
  unanswered: string[];
  /** Values of the CUSTOM events `holdpoint.file` and `holdpoint.data`, in order. */
  attachments: JsonObject[];
  ended: RunStatus;
}

const nothingOpen = { openTexts: [], endedTexts: [], openSpans: [], openReasoning: [], openCalls: [], unanswered: [] };

export function emptyProjection(threadId: ThreadId, runId: RunId): Projection {
  return { threadId, runId, state: {}, messages: [], ...nothingOpen, attachments: [], ended: 'open' };
}

/** Id of a message or tool call; '' when it has none. */
export function messageId(message: JsonObject): string {
  return stringOf(message['id']);
}

/** Text content of a message; '' when it has none. */
export function contentText(message: JsonObject): string {
  return stringOf(message['content']);
}

function indexOfMessage(p: Projection, id: string): number {
  return p.messages.findLastIndex((message) => message['id'] === id);
}

export function findMessage(p: Projection, id: string): JsonObject | undefined {
  return p.messages[indexOfMessage(p, id)];
}

/** A message, or a tool call in one, with the event's metadata merged in. */
function withMetadata(target: JsonObject, event: AguiEvent): JsonObject {
  const added = event['metadata'];
  if (!isObject(added)) return target;
  return { ...target, metadata: { ...objectOf(target['metadata']), ...added } };
}

const including = (ids: string[], id: string): string[] => (ids.includes(id) ? ids : [...ids, id]);
const without = (ids: string[], id: string): string[] => (ids.includes(id) ? ids.filter((one) => one !== id) : ids);

function putMessage(p: Projection, message: JsonObject): Projection {
  const index = indexOfMessage(p, stringOf(message['id']));
  return { ...p, messages: index < 0 ? [...p.messages, message] : p.messages.with(index, message) };
}

function started(p: Projection, event: AguiEvent): Projection {
  const known = new Set(p.messages.map((message) => message['id']));
  const news = objectsIn(objectOf(event['input'])['messages']).filter((message) => !known.has(message['id'] ?? ''));
  return {
    ...p,
    threadId: stringOf(event['threadId']),
    runId: stringOf(event['runId']),
    messages: [...p.messages, ...news],
    ...nothingOpen,
    attachments: [],
    ended: 'open',
  };
}

function textStarted(p: Projection, event: AguiEvent): Projection {
  const id = stringOf(event['messageId']);
  const there = findMessage(p, id);
  const openTexts = including(p.openTexts, id);
  if (there !== undefined && there['role'] === 'activity') return { ...p, openTexts };
  const fresh: JsonObject = { id, role: event['role'] ?? 'assistant', content: '' };
  if (event['name'] !== undefined) fresh['name'] = event['name'];
  return { ...putMessage(p, withMetadata(there ?? fresh, event)), openTexts };
}

/** TEXT_MESSAGE_CONTENT and REASONING_MESSAGE_CONTENT. */
function textContinued(p: Projection, event: AguiEvent): Projection {
  const there = findMessage(p, stringOf(event['messageId']));
  if (there === undefined || there['role'] === 'activity') return p;
  const content = contentText(there) + stringOf(event['delta']);
  return putMessage(p, withMetadata({ ...there, content }, event));
}

function withLastMetadata(p: Projection, event: AguiEvent): Projection {
  const there = findMessage(p, stringOf(event['messageId']));
  const isNothing = there === undefined || event['metadata'] === undefined || there['role'] === 'activity';
  return isNothing ? p : putMessage(p, withMetadata(there, event));
}

function reasoningStarted(p: Projection, event: AguiEvent): Projection {
  const id = stringOf(event['messageId']);
  const there = findMessage(p, id);
  const openReasoning = including(p.openReasoning, id);
  if (there !== undefined && there['role'] === 'activity') return { ...p, openReasoning };
  return {
    ...putMessage(p, withMetadata(there ?? { id, role: 'reasoning', content: '' }, event)),
    openReasoning,
  };
}

/** The tool calls of a message. */
export const callsOf = (message: JsonObject): JsonObject[] => objectsIn(message['toolCalls']);

/** The tool call with this id in any message. */
export function findCall(p: Projection, id: string): JsonObject | undefined {
  const owner = p.messages.findLast((message) => callsOf(message).some((call) => call['id'] === id));
  return owner === undefined ? undefined : callsOf(owner).find((call) => call['id'] === id);
}

function changeCall(p: Projection, id: string, change: (call: JsonObject) => JsonObject): Projection {
  const owner = p.messages.findLast((message) => callsOf(message).some((call) => call['id'] === id));
  if (owner === undefined) return p;
  const toolCalls = callsOf(owner).map((call) => (call['id'] === id ? change(call) : call));
  return putMessage(p, { ...owner, toolCalls });
}

/** Name and arguments of a tool call, as far as they were received. */
export function formatCall(call: JsonObject): { name: string; args: string } {
  const { name, arguments: args } = objectOf(call['function']);
  return { name: stringOf(name), args: stringOf(args) };
}

function callStarted(p: Projection, event: AguiEvent): Projection {
  const id = stringOf(event['toolCallId']);
  const name = stringOf(event['toolCallName']);
  const tally = { openCalls: including(p.openCalls, id), unanswered: including(p.unanswered, id) };
  const renamed = (call: JsonObject): JsonObject =>
    withMetadata({ ...call, function: { ...objectOf(call['function']), name } }, event);
  if (findCall(p, id) !== undefined) return { ...changeCall(p, id, renamed), ...tally };
  const parent = stringOf(event['parentMessageId']);
  const there = parent === '' ? undefined : findMessage(p, parent);
  const call = withMetadata({ id, type: 'function', function: { name, arguments: '' } }, event);
  if (there !== undefined && there['role'] === 'assistant') {
    return { ...putMessage(p, { ...there, toolCalls: [...callsOf(there), call] }), ...tally };
  }
  const owner: JsonObject = {
    id: parent === '' || there !== undefined ? id : parent,
    role: 'assistant',
    toolCalls: [call],
  };
  return { ...p, messages: [...p.messages, owner], ...tally };
}

function callContinued(p: Projection, event: AguiEvent): Projection {
  return changeCall(p, stringOf(event['toolCallId']), (call) => {
    const { name, args } = formatCall(call);
    return withMetadata({ ...call, function: { name, arguments: args + stringOf(event['delta']) } }, event);
  });
}

function callEnded(p: Projection, event: AguiEvent): Projection {
  const id = stringOf(event['toolCallId']);
  const openCalls = without(p.openCalls, id);
  if (event['metadata'] === undefined) return { ...p, openCalls };
  return { ...changeCall(p, id, (call) => withMetadata(call, event)), openCalls };
}

/** A result follows the message with its call, after the results already there. */
function callAnswered(p: Projection, event: AguiEvent): Projection {
  const toolCallId = stringOf(event['toolCallId']);
  const result = withMetadata(
    { id: event['messageId'] ?? '', toolCallId, role: event['role'] ?? 'tool', content: event['content'] ?? '' },
    event,
  );
  const owner = p.messages.findIndex((message) => callsOf(message).some((call) => call['id'] === toolCallId));
  let at = owner < 0 ? p.messages.length : owner + 1;
  while (p.messages[at]?.['role'] === 'tool') at += 1;
  return { ...p, messages: p.messages.toSpliced(at, 0, result), unanswered: without(p.unanswered, toolCallId) };
}

/** Attachments are remembered so that each is emitted once. */
function customReceived(p: Projection, event: AguiEvent): Projection {
  const isAttachment = event['name'] === 'holdpoint.file' || event['name'] === 'holdpoint.data';
  return isAttachment && isObject(event['value']) ? { ...p, attachments: [...p.attachments, event['value']] } : p;
}

/**
 * MESSAGES_SNAPSHOT: known ids stay in place, new ones are appended, missing ones removed; activities and reasoning
 * stay when the snapshot has none.
 */
function restated(p: Projection, event: AguiEvent): Projection {
  const news = objectsIn(event['messages']);
  const byId = new Map(news.map((message) => [message['id'] ?? '', message]));
  const hasRole = (role: string): boolean => news.some((message) => message['role'] === role);
  const keptRoles = ['activity', 'reasoning'].filter((role) => !hasRole(role));
  const kept = p.messages
    .filter((message) => byId.has(message['id'] ?? '') || keptRoles.includes(stringOf(message['role'])))
    .map((message) => byId.get(message['id'] ?? '') ?? message);
  const keptIds = new Set(kept.map((message) => message['id'] ?? ''));
  return { ...p, messages: [...kept, ...news.filter((message) => !keptIds.has(message['id'] ?? ''))] };
}

function activityShown(p: Projection, event: AguiEvent): Projection {
  const id = stringOf(event['messageId']);
  const there = findMessage(p, id);
  if (there !== undefined && event['replace'] === false) return p;
  const card: JsonObject = {
    id,
    role: 'activity',
    activityType: event['activityType'] ?? '',
    content: event['content'] ?? {},
  };
  if (there !== undefined && there['role'] === 'activity' && there['metadata'] !== undefined) {
    card['metadata'] = there['metadata'];
  }
  return putMessage(p, withMetadata(card, event));
}

/** The event's patch operations; malformed ones make the whole patch fail. */
function opsOf(value: Json | undefined): PatchOp[] {
  return objectsIn(value).map((op): PatchOp => {
    const path = stringOf(op['path']);
    if (op['op'] === 'remove') return { op: 'remove', path };
    if (op['op'] === 'add' || op['op'] === 'replace') return { op: op['op'], path, value: op['value'] ?? null };
    return { op: 'remove', path: 'not a pointer' };
  });
}

function activityChanged(p: Projection, event: AguiEvent): Projection {
  const there = findMessage(p, stringOf(event['messageId']));
  if (there === undefined || there['role'] !== 'activity') return p;
  const content = applyOps(there['content'] ?? {}, opsOf(event['patch']));
  return putMessage(p, withMetadata({ ...there, activityType: event['activityType'] ?? '', content }, event));
}

function finished(p: Projection, event: AguiEvent): Projection {
  const kind = objectOf(event['outcome'])['type'];
  const ended: RunStatus = kind === 'interrupt' || kind === 'cancelled' ? kind : 'success';
  return { ...p, ...nothingOpen, ended };
}

type Reducer = (p: Projection, event: AguiEvent) => Projection;

const messageOf = (event: AguiEvent): string => stringOf(event['messageId']);

const reducers = new Map<string, Reducer>(
  Object.entries({
    RUN_STARTED: started,
    RUN_FINISHED: finished,
    RUN_ERROR: (p) => ({ ...p, ...nothingOpen, ended: 'error' }),
    TEXT_MESSAGE_START: textStarted,
    TEXT_MESSAGE_CONTENT: textContinued,
    TEXT_MESSAGE_END: (p, event) => ({
      ...withLastMetadata(p, event),
      openTexts: without(p.openTexts, messageOf(event)),
      endedTexts: including(p.endedTexts, messageOf(event)),
    }),
    REASONING_START: (p, event) => ({ ...p, openSpans: including(p.openSpans, messageOf(event)) }),
    REASONING_MESSAGE_START: reasoningStarted,
    REASONING_MESSAGE_CONTENT: textContinued,
    REASONING_MESSAGE_END: (p, event) => ({
      ...withLastMetadata(p, event),
      openReasoning: without(p.openReasoning, messageOf(event)),
    }),
    REASONING_END: (p, event) => ({ ...p, openSpans: without(p.openSpans, messageOf(event)) }),
    TOOL_CALL_START: callStarted,
    TOOL_CALL_ARGS: callContinued,
    TOOL_CALL_END: callEnded,
    TOOL_CALL_RESULT: callAnswered,
    CUSTOM: customReceived,
    STATE_SNAPSHOT: (p, event) => ({ ...p, state: objectOf(event['snapshot']) }),
    STATE_DELTA: (p, event) => ({ ...p, state: objectOf(applyOps(p.state, opsOf(event['delta']))) }),
    MESSAGES_SNAPSHOT: restated,
    ACTIVITY_SNAPSHOT: activityShown,
    ACTIVITY_DELTA: activityChanged,
  } satisfies Record<string, Reducer>),
);

/** The projection after one more event; unknown events change nothing. */
export const reduceEvent: Reducer = (p, event) => reducers.get(event.type)?.(p, event) ?? p;

export function reduceEvents(p: Projection, events: readonly AguiEvent[]): Projection {
  return events.reduce(reduceEvent, p);
}
