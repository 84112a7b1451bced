/*
 * The state of a thread after the events received so far (AG-UI 1.0): messages in their order, open questions, the state of
 * the run. Pure; events that mean nothing here are passed over.
 */
import { type Dict, dictOf, isDict, isSame, listOf } from '../hold/values/dict.ts';
import { patched } from './patch.ts';

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
  /** The interrupt as it came from a server that is not Holdpoint's; null: Holdpoint has a page of it. */
  foreign: Dict | null;
}

export interface Talk {
  items: ChatItem[];
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

export const emptyTalk: Talk = { items: [], open: [], run: 'idle', error: null };

export type WireEvent = Dict & { type: string };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function afterEvent(talk: Talk, event: WireEvent): Talk {
  const id = textOf(event['messageId']);
  switch (event.type) {
    case 'RUN_STARTED':
      return { ...talk, run: 'running', error: null };
    case 'RUN_FINISHED':
      return { ...talk, run: 'idle', open: openOf(event['outcome']) };
    case 'RUN_ERROR':
      return { ...talk, run: 'failed', error: { code: textOf(event['code']), message: textOf(event['message']) } };
    case 'TEXT_MESSAGE_START':
    case 'TEXT_MESSAGE_CONTENT':
    case 'TEXT_MESSAGE_CHUNK': {
      const role = event['role'] === 'user' ? 'user' : 'assistant';
      return withDelta(talk, { kind: 'text', id, role, text: '' }, textOf(event['delta']));
    }
    case 'REASONING_MESSAGE_START':
    case 'REASONING_MESSAGE_CONTENT':
    case 'REASONING_MESSAGE_CHUNK':
      return withDelta(talk, { kind: 'reasoning', id, text: '' }, textOf(event['delta']));
    case 'TOOL_CALL_START':
      return put(
        talk,
        { kind: 'tool', id: textOf(event['toolCallId']), name: textOf(event['toolCallName']), args: '', result: null },
        true,
      );
    case 'TOOL_CALL_ARGS':
      return onTool(talk, textOf(event['toolCallId']), (tool) => ({
        ...tool,
        args: tool.args + textOf(event['delta']),
      }));
    case 'TOOL_CALL_RESULT':
      return onTool(talk, textOf(event['toolCallId']), (tool) => ({ ...tool, result: contentOf(event['content']) }));
    case 'ACTIVITY_SNAPSHOT':
      return put(
        talk,
        { kind: 'card', id, type: textOf(event['activityType']), content: dictOf(event['content']) },
        event['replace'] === false,
      );
    case 'ACTIVITY_DELTA':
      return {
        ...talk,
        items: talk.items.map((item) =>
          item.kind === 'card' && item.id === id
            ? { ...item, content: patched(item.content, listOf(event['patch'])) }
            : item,
        ),
      };
    case 'MESSAGES_SNAPSHOT':
      return { ...talk, items: reconciled(talk.items, listOf(event['messages']).flatMap(itemsOf)) };
    default:
      return talk;
  }
}

/** What the person just sent: shown before the server has it. */
export function withOwnMessage(talk: Talk, id: string, text: string): Talk {
  return put({ ...talk, error: null }, { kind: 'text', id, role: 'user', text }, true);
}

/** A message as clients send it. */
export interface SentMessage {
  id: string;
  role: string;
  content?: string;
  toolCalls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  toolCallId?: string;
}

/** The history as clients send it: words only, for Holdpoint. Another server that asks may keep nothing: it gets the calls, too. */
export function historyOf(talk: Talk): SentMessage[] {
  const hasCalls = talk.open.some(({ foreign }) => foreign !== null);
  const sent: SentMessage[] = [];
  for (const item of talk.items) {
    if (item.kind === 'text') sent.push({ id: item.id, role: item.role, content: item.text });
    if (item.kind !== 'tool' || !hasCalls) continue;
    const { id, name, args, result } = item;
    const call = { id, type: 'function' as const, function: { name, arguments: args } };
    const calls = sent.at(-1)?.toolCalls;
    if (calls === undefined) sent.push({ id: `calls-${id}`, role: 'assistant', toolCalls: [call] });
    else calls.push(call);
    if (result !== null) sent.push({ id: `result-${id}`, role: 'tool', toolCallId: id, content: result });
  }
  return sent;
}

function put(talk: Talk, item: ChatItem, keepsOld: boolean): Talk {
  const at = talk.items.findIndex((one) => one.id === item.id);
  if (at === -1) return { ...talk, items: [...talk.items, item] };
  return keepsOld ? talk : { ...talk, items: talk.items.with(at, item) };
}

type Written = Extract<ChatItem, { kind: 'text' | 'reasoning' }>;

/** A message that is being written, with what came of it now. */
function withDelta(talk: Talk, begun: Written, delta: string): Talk {
  const at = talk.items.findIndex((item) => item.id === begun.id);
  const item = talk.items[at];
  if (item === undefined) return { ...talk, items: [...talk.items, { ...begun, text: delta }] };
  return item.kind === begun.kind && delta !== ''
    ? { ...talk, items: talk.items.with(at, { ...item, text: item.text + delta }) }
    : talk;
}

function onTool(talk: Talk, id: string, change: (tool: Extract<ChatItem, { kind: 'tool' }>) => ChatItem): Talk {
  return { ...talk, items: talk.items.map((item) => (item.kind === 'tool' && item.id === id ? change(item) : item)) };
}

function openOf(outcome: unknown): OpenQuestion[] {
  const { type, interrupts } = dictOf(outcome);
  if (type !== 'interrupt') return [];
  return listOf(interrupts)
    .filter(isDict)
    .map((one) => {
      const marks = dictOf(one['metadata'])['holdpoint'];
      const { holdId, mayDecide, audience } = dictOf(marks);
      const interruptId = textOf(one['id']);
      return {
        interruptId,
        holdId: typeof holdId === 'string' ? holdId : interruptId,
        mayDecide: mayDecide !== false,
        message: textOf(one['message']),
        audience: listOf(audience).filter((entry) => typeof entry === 'string'),
        foreign: isDict(marks) ? null : one,
      };
    });
}

/** The server's list is the truth for what it lists; the order of what stays is kept. */
function reconciled(now: ChatItem[], snapshot: ChatItem[]): ChatItem[] {
  const fresh = new Map(snapshot.map((item) => [item.id, item]));
  const hasCards = snapshot.some(({ kind }) => kind === 'card');
  const hasReasoning = snapshot.some(({ kind }) => kind === 'reasoning');
  const kept = now.flatMap((item) => {
    const found = fresh.get(item.id);
    if (found !== undefined) return [merged(item, found)];
    return (item.kind === 'card' && !hasCards) || (item.kind === 'reasoning' && !hasReasoning) ? [item] : [];
  });
  const known = new Set(kept.map(({ id }) => id));
  return now.length === 0 ? snapshot : [...kept, ...snapshot.filter(({ id }) => !known.has(id))];
}

/** A result that came live is not lost to a list that keeps it apart; what says the same stays the same one. */
function merged(old: ChatItem, fresh: ChatItem): ChatItem {
  const item =
    old.kind === 'tool' && fresh.kind === 'tool' && fresh.result === null ? { ...fresh, result: old.result } : fresh;
  return isSame(old, item) ? old : item;
}

function itemsOf(message: unknown): ChatItem[] {
  const { id, role, content, toolCalls, activityType } = dictOf(message);
  if (typeof id !== 'string') return [];
  switch (role) {
    case 'user':
      return [{ kind: 'text', id, role, text: contentOf(content) }];
    case 'assistant': {
      const text = contentOf(content);
      const texts: ChatItem[] = text === '' ? [] : [{ kind: 'text', id, role, text }];
      return [...texts, ...listOf(toolCalls).filter(isDict).map(toolOf)];
    }
    case 'reasoning':
      return [{ kind: 'reasoning', id, text: contentOf(content) }];
    case 'activity':
      return [{ kind: 'card', id, type: textOf(activityType), content: dictOf(content) }];
    default:
      return [];
  }
}

function toolOf(call: Dict): ChatItem {
  const { name, arguments: args } = dictOf(call['function']);
  return { kind: 'tool', id: textOf(call['id']), name: textOf(name), args: textOf(args), result: null };
}

function contentOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => textOf(dictOf(part)['text']))
    .filter((text) => text !== '')
    .join('\n');
}
