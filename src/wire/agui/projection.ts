// The AG-UI reducer: what a client that applied these events holds. The projector's whole memory is this value, so an
// attempt after a crash gets it back by folding the run's log.
import type { AguiEvent, RunStatus } from '../../contract/event.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import { applyOps, isObject, type PatchOp } from './state-patch.ts';

export interface Projection {
  threadId: string;
  runId: string;
  state: JsonObject;
  /** In order, with the cards as messages of role `activity`. */
  messages: JsonObject[];
  /** Ids with TEXT_MESSAGE_START and no TEXT_MESSAGE_END yet. */
  openTexts: string[];
  ended: RunStatus;
}

export function emptyProjection(threadId: string, runId: string): Projection {
  return { threadId, runId, state: {}, messages: [], openTexts: [], ended: 'open' };
}

const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const asText = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const asObjects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Id of a message, '' when it has none. */
export function messageId(message: JsonObject): string {
  return asText(message['id']);
}

/** Text content of a message, '' when it has none. */
export function contentText(message: JsonObject): string {
  return asText(message['content']);
}

function indexOfMessage(p: Projection, id: string): number {
  return p.messages.findLastIndex((message) => message['id'] === id);
}

export function findMessage(p: Projection, id: string): JsonObject | undefined {
  return p.messages[indexOfMessage(p, id)];
}

function withMetadata(message: JsonObject, event: AguiEvent): JsonObject {
  const added = event['metadata'];
  if (!isObject(added)) return message;
  return { ...message, metadata: { ...asObject(message['metadata']), ...added } };
}

function putMessage(p: Projection, message: JsonObject): Projection {
  const index = indexOfMessage(p, asText(message['id']));
  return { ...p, messages: index < 0 ? [...p.messages, message] : p.messages.with(index, message) };
}

function started(p: Projection, event: AguiEvent): Projection {
  const known = new Set(p.messages.map((message) => message['id']));
  const news = asObjects(asObject(event['input'])['messages']).filter((message) => !known.has(message['id'] ?? ''));
  return {
    ...p,
    threadId: asText(event['threadId']),
    runId: asText(event['runId']),
    messages: [...p.messages, ...news],
    openTexts: [],
    ended: 'open',
  };
}

function textStarted(p: Projection, event: AguiEvent): Projection {
  const id = asText(event['messageId']);
  const there = findMessage(p, id);
  const openTexts = p.openTexts.includes(id) ? p.openTexts : [...p.openTexts, id];
  if (there !== undefined && there['role'] === 'activity') return { ...p, openTexts };
  const fresh: JsonObject = { id, role: event['role'] ?? 'assistant', content: '' };
  if (event['name'] !== undefined) fresh['name'] = event['name'];
  return { ...putMessage(p, withMetadata(there ?? fresh, event)), openTexts };
}

function textContinued(p: Projection, event: AguiEvent): Projection {
  const there = findMessage(p, asText(event['messageId']));
  if (there === undefined || there['role'] === 'activity') return p;
  const content = contentText(there) + asText(event['delta']);
  return putMessage(p, withMetadata({ ...there, content }, event));
}

function textEnded(p: Projection, event: AguiEvent): Projection {
  const id = asText(event['messageId']);
  const openTexts = p.openTexts.filter((open) => open !== id);
  const there = findMessage(p, id);
  if (there === undefined || event['metadata'] === undefined || there['role'] === 'activity')
    return { ...p, openTexts };
  return { ...putMessage(p, withMetadata(there, event)), openTexts };
}

/** Same ids in place, new ones at the end, missing ones gone; activity and reasoning stay when the snapshot has none. */
function restated(p: Projection, event: AguiEvent): Projection {
  const news = asObjects(event['messages']);
  const byId = new Map(news.map((message) => [message['id'] ?? '', message]));
  const hasRole = (role: string): boolean => news.some((message) => message['role'] === role);
  const keptRoles = ['activity', 'reasoning'].filter((role) => !hasRole(role));
  const kept = p.messages
    .filter((message) => byId.has(message['id'] ?? '') || keptRoles.includes(asText(message['role'])))
    .map((message) => byId.get(message['id'] ?? '') ?? message);
  const keptIds = new Set(kept.map((message) => message['id'] ?? ''));
  return { ...p, messages: [...kept, ...news.filter((message) => !keptIds.has(message['id'] ?? ''))] };
}

function activityShown(p: Projection, event: AguiEvent): Projection {
  const id = asText(event['messageId']);
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

/** Operations of an event's patch; what is malformed makes the patch not apply. */
function opsOf(value: Json | undefined): PatchOp[] {
  return asObjects(value).map((op): PatchOp => {
    const path = asText(op['path']);
    if (op['op'] === 'remove') return { op: 'remove', path };
    if (op['op'] === 'add' || op['op'] === 'replace') return { op: op['op'], path, value: op['value'] ?? null };
    return { op: 'remove', path: 'not a pointer' };
  });
}

function activityChanged(p: Projection, event: AguiEvent): Projection {
  const there = findMessage(p, asText(event['messageId']));
  if (there === undefined || there['role'] !== 'activity') return p;
  const content = applyOps(there['content'] ?? {}, opsOf(event['patch']));
  return putMessage(p, withMetadata({ ...there, activityType: event['activityType'] ?? '', content }, event));
}

function finished(p: Projection, event: AguiEvent): Projection {
  const kind = asObject(event['outcome'])['type'];
  const ended: RunStatus = kind === 'interrupt' || kind === 'cancelled' ? kind : 'success';
  return { ...p, openTexts: [], ended };
}

/** The projection after one more event; events it does not know change nothing. */
export function fold(p: Projection, event: AguiEvent): Projection {
  switch (event.type) {
    case 'RUN_STARTED':
      return started(p, event);
    case 'RUN_FINISHED':
      return finished(p, event);
    case 'RUN_ERROR':
      return { ...p, openTexts: [], ended: 'error' };
    case 'TEXT_MESSAGE_START':
      return textStarted(p, event);
    case 'TEXT_MESSAGE_CONTENT':
      return textContinued(p, event);
    case 'TEXT_MESSAGE_END':
      return textEnded(p, event);
    case 'STATE_SNAPSHOT':
      return { ...p, state: asObject(event['snapshot']) };
    case 'STATE_DELTA':
      return { ...p, state: asObject(applyOps(p.state, opsOf(event['delta']))) };
    case 'MESSAGES_SNAPSHOT':
      return restated(p, event);
    case 'ACTIVITY_SNAPSHOT':
      return activityShown(p, event);
    case 'ACTIVITY_DELTA':
      return activityChanged(p, event);
    default:
      return p;
  }
}

export function foldAll(p: Projection, events: readonly AguiEvent[]): Projection {
  return events.reduce(fold, p);
}
