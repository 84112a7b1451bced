/*
 * The state of a thread after the events received so far (AG-UI 1.0): messages in their order, open questions, the state of
 * the run. Pure; events that mean nothing here are passed over.
 */
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import { expandChunk, type OpenChunk } from '../../../src/core/agui/chunks.ts';
import { callsOf, findMessage, formatCall, messageId, reduceMessages } from '../../../src/core/agui/messages.ts';
import { stringOf } from '../../../src/core/base/json.ts';
import { type Dict, dictOf, isDict, listOf } from '../hold/values/dict.ts';

export type ChatItem =
  | { kind: 'text'; id: string; role: 'user' | 'assistant'; text: string }
  | { kind: 'tool'; id: string; name: string; args: string; result: string | null }
  | { kind: 'reasoning'; id: string; text: string }
  /** A card of the thread: for a question its id is the question's interrupt id. */
  | { kind: 'card'; id: string; type: string; content: Dict };

export interface OpenQuestion {
  interruptId: string;
  /** Where the page finds it; the interrupt id serves too. */
  holdId: string;
  mayDecide: boolean;
  /** What the agent says with it. */
  message: string;
  audience: string[];
  /** The interrupt as it came from a server that is not Standfast's; null: Standfast has a page of it. */
  foreign: Dict | null;
}

export interface Talk {
  messages: JsonObject[];
  /** What is shown of the messages. */
  items: ChatItem[];
  /** What a chunk without an id goes on with. */
  chunk: OpenChunk | null;
  open: OpenQuestion[];
  run: 'idle' | 'running' | 'failed' | 'cut';
  error: { code: string; message: string } | null;
}

/** What is shown above open questions: neither their own cards nor, once more, the sentence that one of them says itself. */
export function itemsAbove(items: readonly ChatItem[], asked: readonly OpenQuestion[]): ChatItem[] {
  const open = new Set(asked.map(({ interruptId }) => interruptId));
  const last = items.findLast(({ kind }) => kind === 'text');
  const isInQuestion =
    last?.kind === 'text' &&
    last.role === 'assistant' &&
    asked.some(({ mayDecide, message }) => mayDecide && message.trim() === last.text.trim());
  return items.filter((item) => !open.has(item.id) && !(isInQuestion && item === last));
}

export const emptyTalk: Talk = { messages: [], items: [], open: [], run: 'idle', error: null, chunk: null };

export function afterEvent(talk: Talk, event: AguiEvent): Talk {
  const [events, chunk] = expandChunk(talk.chunk, event);
  const messages = events.reduce((before, one) => reduceMessages(before, one), talk.messages);
  const next = chunk === talk.chunk ? talk : { ...talk, chunk };
  return ofRun(messages === talk.messages ? next : { ...next, messages, items: itemsOf(messages) }, event);
}

function ofRun(talk: Talk, event: AguiEvent): Talk {
  switch (event.type) {
    case 'RUN_STARTED':
      return { ...talk, run: 'running', error: null };
    case 'RUN_FINISHED':
      return { ...talk, run: 'idle', open: openOf(event['outcome']) };
    case 'RUN_ERROR':
      return { ...talk, run: 'failed', error: { code: stringOf(event['code']), message: stringOf(event['message']) } };
    default:
      return talk;
  }
}

/** What the person just sent: shown before the server has it. */
export function withOwnMessage(talk: Talk, id: string, text: string): Talk {
  const messages: JsonObject[] =
    findMessage(talk, id) === undefined ? [...talk.messages, { id, role: 'user', content: text }] : talk.messages;
  return { ...talk, error: null, messages, items: itemsOf(messages) };
}

/** A message as clients send it. */
export interface SentMessage {
  id: string;
  role: string;
  content?: string;
  toolCalls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  toolCallId?: string;
}

/**
 * The history as clients send it: words only, for Standfast. Another server that asks may keep nothing: it gets calls and results
 * as well, each in the message that it came in.
 */
export function historyOf({ messages, open }: Pick<Talk, 'messages' | 'open'>): SentMessage[] {
  const hasCalls = open.some(({ foreign }) => foreign !== null);
  return messages.flatMap((message): SentMessage[] => {
    const { role, toolCallId } = message;
    const id = messageId(message);
    const content = contentOf(message['content']);
    if (role === 'tool' && hasCalls) {
      const call = stringOf(toolCallId);
      return [{ id: id || `result-${call}`, role, toolCallId: call, content }];
    }
    if (role !== 'user' && role !== 'assistant') return [];
    const calls = hasCalls ? callsOf(message).map(sentCall) : [];
    if (content === '' && calls.length === 0) return [];
    return [{ id, role, ...(content !== '' && { content }), ...(calls.length > 0 && { toolCalls: calls }) }];
  });
}

type SentCall = NonNullable<SentMessage['toolCalls']>[number];

function sentCall(call: JsonObject): SentCall {
  const { name, args } = formatCall(call);
  return { id: messageId(call), type: 'function', function: { name, arguments: args } };
}

function openOf(outcome: unknown): OpenQuestion[] {
  const { type, interrupts } = dictOf(outcome);
  if (type !== 'interrupt') return [];
  return listOf(interrupts)
    .filter(isDict)
    .map((one) => {
      const marks = dictOf(one['metadata'])['standfast'];
      const { holdId, mayDecide, audience } = dictOf(marks);
      const interruptId = stringOf(one['id']);
      return {
        interruptId,
        holdId: typeof holdId === 'string' ? holdId : interruptId,
        mayDecide: mayDecide !== false,
        message: stringOf(one['message']),
        audience: listOf(audience).filter((entry) => typeof entry === 'string'),
        foreign: isDict(marks) ? null : one,
      };
    });
}

/** What is shown of a message is made once: what did not change is not drawn again. */
const shown = new WeakMap<JsonObject, ChatItem[]>();
const shownCalls = new WeakMap<JsonObject, Extract<ChatItem, { kind: 'tool' }>>();

function itemsOf(messages: readonly JsonObject[]): ChatItem[] {
  const results = new Map(
    messages
      .filter((message) => message['role'] === 'tool')
      .map((message) => [message['toolCallId'], contentOf(message['content'])]),
  );
  return messages.flatMap((message) => [
    ...wordsOf(message),
    ...callsOf(message).map((call) => toolOf(call, results.get(call['id'] ?? null) ?? null)),
  ]);
}

function wordsOf(message: JsonObject): ChatItem[] {
  const known = shown.get(message);
  if (known !== undefined) return known;
  const made = itemOf(message);
  const items = made === null ? [] : [made];
  shown.set(message, items);
  return items;
}

function itemOf(message: JsonObject): ChatItem | null {
  const { role, content, activityType } = message;
  const id = messageId(message);
  if (id === '') return null;
  switch (role) {
    case 'user':
      return { kind: 'text', id, role, text: contentOf(content) };
    case 'assistant': {
      const text = contentOf(content);
      return text === '' ? null : { kind: 'text', id, role, text };
    }
    case 'reasoning':
      return { kind: 'reasoning', id, text: contentOf(content) };
    case 'activity':
      return { kind: 'card', id, type: stringOf(activityType), content: dictOf(content) };
    default:
      return null;
  }
}

function toolOf(call: JsonObject, result: string | null): ChatItem {
  const known = shownCalls.get(call);
  if (known?.result === result) return known;
  const { name, args } = formatCall(call);
  const item = { kind: 'tool', id: messageId(call), name, args, result } as const;
  shownCalls.set(call, item);
  return item;
}

function contentOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => stringOf(dictOf(part)['text']))
    .filter((text) => text !== '')
    .join('\n');
}
