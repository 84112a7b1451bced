// The AG-UI reducer of messages, for the server's projection and for the chat: the messages of a client that applied these events.
// It does what @ag-ui/client does.
import type { Json, JsonObject } from '../../contract/base/json.ts';
import type { AguiEvent } from '../../contract/tasks/run.ts';
import { isObject, objectOf, objectsIn, stringOf } from '../base/json.ts';
import { applyOps, type Builders, isEqual, opsOf } from './patch.ts';

/** In order; cards are messages with role `activity`. */
export interface Conversation {
  messages: readonly JsonObject[];
}

/** Id of a message or tool call; '' when it has none. */
export function messageId(message: JsonObject): string {
  return stringOf(message['id']);
}

/** Text content of a message; '' when it has none. */
export function contentText(message: JsonObject): string {
  return stringOf(message['content']);
}

export function findMessage({ messages }: Conversation, id: string): JsonObject | undefined {
  return messages.findLast((message) => message['id'] === id);
}

/** The tool calls of a message. */
export const callsOf = (message: JsonObject): JsonObject[] => objectsIn(message['toolCalls']);

const hasCall = (id: string) => (message: JsonObject) => callsOf(message).some((call) => call['id'] === id);

/** The tool call with this id in any message. */
export function findCall({ messages }: Conversation, id: string): JsonObject | undefined {
  const owner = messages.findLast(hasCall(id));
  return owner === undefined ? undefined : callsOf(owner).find((call) => call['id'] === id);
}

/** Name and arguments of a tool call, as far as they were received. */
export function formatCall(call: JsonObject): { name: string; args: string } {
  const { name, arguments: args } = objectOf(call['function']);
  return { name: stringOf(name), args: stringOf(args) };
}

type Messages = JsonObject[];
const eventId = (event: AguiEvent): string => stringOf(event['messageId']);
const isCard = (message: JsonObject): boolean => message['role'] === 'activity';

/** A message, or a tool call in one, with the event's metadata merged in. */
function withMetadata(target: JsonObject, event: AguiEvent): JsonObject {
  const added = event['metadata'];
  if (!isObject(added)) return target;
  return { ...target, metadata: { ...objectOf(target['metadata']), ...added } };
}

function put(messages: Messages, message: JsonObject): Messages {
  const index = messages.findLastIndex((one) => one['id'] === message['id']);
  return index < 0 ? [...messages, message] : messages.with(index, message);
}

function started(messages: Messages, event: AguiEvent): Messages {
  const known = new Set(messages.map((message) => message['id']));
  const news = objectsIn(objectOf(event['input'])['messages']).filter((message) => !known.has(message['id'] ?? ''));
  return news.length === 0 ? messages : [...messages, ...news];
}

/** TEXT_MESSAGE_START and REASONING_MESSAGE_START: a message that is there goes on. */
const begun =
  (role: 'assistant' | 'reasoning') =>
  (messages: Messages, event: AguiEvent): Messages => {
    const id = eventId(event);
    const there = findMessage({ messages }, id);
    if (there !== undefined && isCard(there)) return messages;
    const fresh: JsonObject = { id, role: role === 'reasoning' ? role : (event['role'] ?? role), content: '' };
    if (role === 'assistant' && event['name'] !== undefined) fresh['name'] = event['name'];
    return put(messages, withMetadata(there ?? fresh, event));
  };

/** TEXT_MESSAGE_CONTENT and REASONING_MESSAGE_CONTENT. */
function continued(messages: Messages, event: AguiEvent): Messages {
  const there = findMessage({ messages }, eventId(event));
  if (there === undefined || isCard(there)) return messages;
  const content = contentText(there) + stringOf(event['delta']);
  return put(messages, withMetadata({ ...there, content }, event));
}

function withLastMetadata(messages: Messages, event: AguiEvent): Messages {
  const there = findMessage({ messages }, eventId(event));
  const isNothing = there === undefined || event['metadata'] === undefined || isCard(there);
  return isNothing ? messages : put(messages, withMetadata(there, event));
}

function changeCall(messages: Messages, id: string, change: (call: JsonObject) => JsonObject): Messages {
  const owner = messages.findLast(hasCall(id));
  if (owner === undefined) return messages;
  const toolCalls = callsOf(owner).map((call) => (call['id'] === id ? change(call) : call));
  return put(messages, { ...owner, toolCalls });
}

function callStarted(messages: Messages, event: AguiEvent): Messages {
  const id = stringOf(event['toolCallId']);
  const name = stringOf(event['toolCallName']);
  const renamed = (call: JsonObject): JsonObject =>
    withMetadata({ ...call, function: { ...objectOf(call['function']), name } }, event);
  if (findCall({ messages }, id) !== undefined) return changeCall(messages, id, renamed);
  const parent = stringOf(event['parentMessageId']);
  const there = parent === '' ? undefined : findMessage({ messages }, parent);
  const call = withMetadata({ id, type: 'function', function: { name, arguments: '' } }, event);
  if (there !== undefined && there['role'] === 'assistant')
    return put(messages, { ...there, toolCalls: [...callsOf(there), call] });
  const ownerId = parent === '' || there !== undefined ? id : parent;
  return [...messages, { id: ownerId, role: 'assistant', toolCalls: [call] }];
}

function callContinued(messages: Messages, event: AguiEvent): Messages {
  return changeCall(messages, stringOf(event['toolCallId']), (call) => {
    const { name, args } = formatCall(call);
    return withMetadata({ ...call, function: { name, arguments: args + stringOf(event['delta']) } }, event);
  });
}

function callEnded(messages: Messages, event: AguiEvent): Messages {
  if (event['metadata'] === undefined) return messages;
  return changeCall(messages, stringOf(event['toolCallId']), (call) => withMetadata(call, event));
}

/** A result follows the message with its call, after the results already there. */
function callAnswered(messages: Messages, event: AguiEvent): Messages {
  const toolCallId = stringOf(event['toolCallId']);
  const result = withMetadata(
    { id: event['messageId'] ?? '', toolCallId, role: event['role'] ?? 'tool', content: event['content'] ?? '' },
    event,
  );
  const owner = messages.findIndex(hasCall(toolCallId));
  let at = owner < 0 ? messages.length : owner + 1;
  while (messages[at]?.['role'] === 'tool') at += 1;
  return messages.toSpliced(at, 0, result);
}

/**
 * MESSAGES_SNAPSHOT: known ids stay in place, new ones are appended, missing ones removed; activities and reasoning
 * stay when the snapshot has none. What is the same stays the same object.
 */
function restated(messages: Messages, event: AguiEvent): Messages {
  const news = objectsIn(event['messages']);
  const byId = new Map(news.map((message) => [message['id'] ?? '', message]));
  const hasRole = (role: string): boolean => news.some((message) => message['role'] === role);
  const keptRoles = ['activity', 'reasoning'].filter((role) => !hasRole(role));
  const latest = (message: JsonObject): JsonObject => {
    const fresh = byId.get(message['id'] ?? '');
    return fresh === undefined || isEqual(message, fresh) ? message : fresh;
  };
  const kept = messages
    .filter((message) => byId.has(message['id'] ?? '') || keptRoles.includes(stringOf(message['role'])))
    .map(latest);
  const keptIds = new Set(kept.map((message) => message['id'] ?? ''));
  return [...kept, ...news.filter((message) => !keptIds.has(message['id'] ?? ''))];
}

function activityShown(messages: Messages, event: AguiEvent): Messages {
  const id = eventId(event);
  const there = findMessage({ messages }, id);
  if (there !== undefined && event['replace'] === false) return messages;
  const card: JsonObject = {
    id,
    role: 'activity',
    activityType: event['activityType'] ?? '',
    content: event['content'] ?? {},
  };
  if (there !== undefined && isCard(there) && there['metadata'] !== undefined) card['metadata'] = there['metadata'];
  return put(messages, withMetadata(card, event));
}

function activityChanged(messages: Messages, event: AguiEvent, build?: Builders): Messages {
  const there = findMessage({ messages }, eventId(event));
  if (there === undefined || !isCard(there)) return messages;
  const content: Json = applyOps(there['content'] ?? {}, opsOf(event['patch']), build);
  return put(messages, withMetadata({ ...there, activityType: event['activityType'] ?? '', content }, event));
}

type Reducer = (messages: Messages, event: AguiEvent, build?: Builders) => Messages;

const reducers = new Map<string, Reducer>(
  Object.entries({
    RUN_STARTED: started,
    TEXT_MESSAGE_START: begun('assistant'),
    TEXT_MESSAGE_CONTENT: continued,
    TEXT_MESSAGE_END: withLastMetadata,
    REASONING_MESSAGE_START: begun('reasoning'),
    REASONING_MESSAGE_CONTENT: continued,
    REASONING_MESSAGE_END: withLastMetadata,
    TOOL_CALL_START: callStarted,
    TOOL_CALL_ARGS: callContinued,
    TOOL_CALL_END: callEnded,
    TOOL_CALL_RESULT: callAnswered,
    MESSAGES_SNAPSHOT: restated,
    ACTIVITY_SNAPSHOT: activityShown,
    ACTIVITY_DELTA: activityChanged,
  } satisfies Record<string, Reducer>),
);

/** The messages after one more event; unknown events change nothing, and chunks are expanded before (`expandChunk`). */
export const reduceMessages: Reducer = (messages, event, build) =>
  reducers.get(event.type)?.(messages, event, build) ?? messages;
