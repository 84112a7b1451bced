import type { JsonObject } from '../../../contract/base/json.ts';
import type { AgentMessage, NeutralPart } from '../../../contract/tasks/turn.ts';
import { emit, type Draft } from './draft.ts';
import { shownId } from './message-ids.ts';
import { contentText, findMessage, messageId } from './projection.ts';

/** Largest delta of one TEXT_MESSAGE_CONTENT, in UTF-8 bytes. */
const maxDeltaBytes = 64 * 1024;
/** Longest text of one message, in UTF-16 units: a client refuses an SSE frame of 10 MB, and snapshots carry it whole. */
export const maxTextLength = 4 * 1024 * 1024;

/** Text in pieces of at most 64 KiB, never cut inside a code point. */
export function* textPieces(text: string): Generator<string> {
  let start = 0;
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const point = text.codePointAt(at) ?? 0;
    const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes + size > maxDeltaBytes) {
      yield text.slice(start, at);
      start = at;
      bytes = 0;
    }
    bytes += size;
    at += point > 0xffff ? 2 : 1;
  }
  if (start < text.length) yield text.slice(start);
}

/** The longest beginning of a text within the limit that does not end inside a code point. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const isSplit = (text.codePointAt(maxLength - 1) ?? 0) > 0xffff;
  return text.slice(0, isSplit ? maxLength - 1 : maxLength);
}

export const isOpen = (draft: Draft, id: string): boolean => draft.p.openTexts.includes(id);

/** Opens a text, also one that was closed before: clients append to the message they have. */
export function openText(draft: Draft, id: string, metadata?: JsonObject): void {
  if (isOpen(draft, id)) return;
  const start = { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' };
  emit(draft, metadata === undefined ? start : { ...start, metadata });
}

/** Adds to an open text; beyond the limit of a message nothing is added. Metadata goes with the last words. */
export function emitText(draft: Draft, id: string, text: string, metadata?: JsonObject): void {
  const length = contentText(findMessage(draft.p, id) ?? {}).length;
  const deltas = [...textPieces(cutText(text, Math.max(0, maxTextLength - length)))];
  for (const [index, delta] of deltas.entries()) {
    const content = { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta };
    emit(draft, metadata === undefined || index < deltas.length - 1 ? content : { ...content, metadata });
  }
}

export function endText(draft: Draft, id: string, metadata?: JsonObject): void {
  if (!isOpen(draft, id)) return;
  const end = { type: 'TEXT_MESSAGE_END', messageId: id };
  emit(draft, metadata === undefined ? end : { ...end, metadata });
}

export function emitWholeText(draft: Draft, id: string, text: string): void {
  openText(draft, id);
  emitText(draft, id, text);
  endText(draft, id);
}

/** The text of a message, without its reasoning; its parts are separate utterances. */
export function messageText(parts: readonly NeutralPart[]): string {
  return parts
    .flatMap((part) => (part.kind === 'text' && part.text !== '' && !isReasoning(part) ? [part.text] : []))
    .join('\n');
}

/** Id for a message that came without one: counted per prefix; the latest one's when that says the same. */
function countedId(draft: Draft, prefix: string, text: string): string {
  const before = draft.p.messages.filter((message) => messageId(message).startsWith(prefix));
  const last = before.at(-1);
  if (last !== undefined && contentText(last) === text) return messageId(last);
  return `${prefix}${before.length + 1}`;
}

/** First of `id`, `id~2`, `id~3`, … that is free or says exactly this. */
function freeId(draft: Draft, id: string, text: string): string {
  for (let n = 2; ; n++) {
    const candidate = `${id}~${n}`;
    const there = findMessage(draft.p, candidate);
    if (there === undefined || contentText(there) === text) return candidate;
  }
}

/** A message whose text the log holds only in part, because the writer died between two appends. */
function completeText(draft: Draft, id: string, text: string): void {
  const message = contentText(findMessage(draft.p, id) ?? {});
  if (text.startsWith(message)) emitText(draft, id, text.slice(message.length));
  endText(draft, id);
}

/**
 * Shows an agent's message as a text message under the A2A messageId, once.
 *
 * `isLive`: the agent says it now, so the same id with a longer text is continued, and with another text is a further
 * message (agents exist that re-use ids). In a snapshot an id that was seen is done. Returns the id that it stands
 * under, null when it says nothing.
 */
export function emitMessage(draft: Draft, message: AgentMessage, idPrefix: string, isLive: boolean): string | null {
  const whole = messageText(message.parts);
  if (message.role !== 'agent' || whole === '') return null;
  const text = cutText(whole, maxTextLength);
  const id = message.messageId === '' ? countedId(draft, idPrefix, text) : shownId(message.messageId);
  if (isOpen(draft, id)) completeText(draft, id, text);
  const there = findMessage(draft.p, id);
  if (there === undefined) {
    emitWholeText(draft, id, text);
    return id;
  }
  const outgoing = contentText(there);
  if (!isLive || there['role'] !== 'assistant' || outgoing === text) return id;
  if (text.startsWith(outgoing)) {
    openText(draft, id);
    completeText(draft, id, text);
    return id;
  }
  const another = freeId(draft, id, text);
  if (findMessage(draft.p, another) === undefined) emitWholeText(draft, another, text);
  return another;
}

const reasoningMarks = ['adk_thought', 'kagent_thought', 'thought'];

/** True for a text part that is the model's reasoning, which is never a part of the answer. */
export function isReasoning(part: NeutralPart): boolean {
  return part.kind === 'text' && reasoningMarks.some((mark) => part.metadata[mark] === true);
}
