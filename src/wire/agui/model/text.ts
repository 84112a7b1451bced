import type { JsonObject } from '../../../contract/base/json.ts';
import type { AgentMessage, NeutralPart } from '../../../contract/tasks/turn.ts';
import { emit, type Draft } from './draft.ts';
import { shownId } from './message-ids.ts';
import { isBeginning, isPiece, lastTextId, isRepeat, shownAs } from './repeats.ts';
import { contentText, findMessage, messageId } from '../../../core/agui/messages.ts';
import { versionOf } from './text-version.ts';
import { objectOf } from '../../../core/base/json.ts';

/** Limit of one TEXT_MESSAGE_CONTENT delta, in UTF-8 bytes. */
const maxDeltaBytes = 64 * 1024;
/** Limit of a message's text, in UTF-16 units: clients reject a 10 MB frame, and snapshots carry the whole text. */
export const maxTextLength = 4 * 1024 * 1024;

/** Splits a text into pieces of at most 64 KiB, never inside a code point. */
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

/** The longest prefix within the limit that does not end inside a code point. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const isSplit = (text.codePointAt(maxLength - 1) ?? 0) > 0xffff;
  return text.slice(0, isSplit ? maxLength - 1 : maxLength);
}

export const isOpen = (draft: Draft, id: string): boolean => draft.p.openTexts.includes(id);

/** True when the text has ended in this run: it is not begun again, which some clients refuse. */
export const hasEnded = (draft: Draft, id: string): boolean => draft.p.endedTexts.includes(id);

/** Emits TEXT_MESSAGE_START, also for a message of an earlier run: clients append to the one they have. */
export function openText(draft: Draft, id: string, metadata?: JsonObject): void {
  if (isOpen(draft, id)) return;
  const start = { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' };
  emit(draft, metadata === undefined ? start : { ...start, metadata });
}

/** Appends to an open text, up to the limit of a message; the metadata goes with the last delta. */
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

const isMessage = (id: string): boolean => versionOf(id) === null;

/** Whether the agent may still be writing a message. */
export const isAnyOpen = ({ p }: Draft): boolean => p.openTexts.some(isMessage);

/** Ends the messages that the agent may still be writing, but this one; texts of artifacts end with those. */
export function endMessages(draft: Draft, but: string | null = null): void {
  for (const id of draft.p.openTexts) if (id !== but && isMessage(id)) endText(draft, id);
}

/** What the agent wrote last in this run, as far as it has ended; null: nothing. */
export function lastEndedText({ p }: Draft): string | null {
  const id = p.endedTexts.findLast(isMessage);
  const message = id === undefined ? undefined : findMessage(p, id);
  return message?.['role'] === 'assistant' ? contentText(message) : null;
}

/** The message's text without reasoning, one line per part. */
export function messageText(parts: readonly NeutralPart[]): string {
  return parts
    .flatMap((part) => (part.kind === 'text' && part.text !== '' && !isReasoning(part) ? [part.text] : []))
    .join('\n');
}

/** Id of a message without one, counted per prefix; the latest such message is reused when its text is equal. */
function countedId(draft: Draft, prefix: string, text: string): string {
  const before = draft.p.messages.filter((message) => messageId(message).startsWith(prefix));
  const last = before.at(-1);
  if (last !== undefined && contentText(last) === text) return messageId(last);
  return `${prefix}${before.length + 1}`;
}

/** The first of `id~2`, `id~3`, … that is free, has exactly this text, or is being written and goes on so. */
function freeId(draft: Draft, id: string, text: string): string {
  for (let n = 2; ; n++) {
    const candidate = `${id}~${n}`;
    const there = findMessage(draft.p, candidate);
    if (there === undefined || contentText(there) === text) return candidate;
    if (isOpen(draft, candidate) && text.startsWith(contentText(there))) return candidate;
  }
}

/** Whether the text consists of pieces: the whole, which follows, is its end. */
const isOfPieces = (message: JsonObject | undefined): boolean =>
  objectOf(objectOf(message?.['metadata'])['standfast'])['pieces'] === true;

/** Writes what is new of a text: in the message that has its beginning, which stays open as long as it may grow. */
function goOn(draft: Draft, id: string, text: string): void {
  const there = findMessage(draft.p, id) ?? {};
  if (text.startsWith(contentText(there))) emitText(draft, id, text.slice(contentText(there).length));
  if (isOfPieces(there)) endText(draft, id);
}

/** How a message reached us. */
interface Arrival {
  /** Prefix for messages without an id. */
  idPrefix: string;
  isLive: boolean;
  /** It precedes a person's last message. */
  isPast?: boolean;
}

/** A message of its own, which stays open as long as it may grow: what was open before it ends. */
function begin(draft: Draft, id: string, text: string): string {
  if (contentText(findMessage(draft.p, id) ?? {}) === text) return id;
  endMessages(draft, id);
  openText(draft, id);
  goOn(draft, id, text);
  return id;
}

/** Appends a piece to the text of pieces that is open, or opens one; the whole text follows in a message of its own. */
function emitPiece(draft: Draft, message: AgentMessage, text: string, { idPrefix, isLive }: Arrival): string | null {
  if (!isLive) return null;
  const last = lastTextId(draft.p);
  if (last !== null && isOpen(draft, last) && isOfPieces(findMessage(draft.p, last))) {
    emitText(draft, last, text);
    return last;
  }
  const own = message.messageId === '' ? countedId(draft, idPrefix, text) : shownId(message.messageId);
  const id = findMessage(draft.p, own) === undefined ? own : freeId(draft, own, text);
  endMessages(draft);
  openText(draft, id, { standfast: { pieces: true } });
  emitText(draft, id, text);
  return id;
}

/** It came before, elsewhere: as an artifact, or going on with another text, which the results of its tools follow now. */
const isRepeatedWithParts = (draft: Draft, { parts }: AgentMessage, text: string): boolean =>
  parts.some(({ kind }) => kind !== 'text') && isRepeat(draft.p, text);

/** A text whose id is not known: it goes on with the last one, repeats one, or is a message of its own. */
function emitUnderNewId(
  draft: Draft,
  message: AgentMessage,
  { id, text }: { id: string; text: string },
  how: Arrival,
): string | null {
  const { isLive, isPast } = how;
  if (!isLive && (isRepeat(draft.p, text, isPast) || isBeginning(draft.p, text))) return shownAs(draft.p, text);
  const before = lastTextId(draft.p);
  if (before !== null && text.startsWith(contentText(findMessage(draft.p, before) ?? {}))) {
    if (isRepeat(draft.p, text)) {
      if (isOfPieces(findMessage(draft.p, before))) endText(draft, before);
      return before;
    }
    if (isOpen(draft, before) || !hasEnded(draft, before)) {
      openText(draft, before);
      goOn(draft, before, text);
      return before;
    }
  }
  if (isRepeatedWithParts(draft, message, text)) return shownAs(draft.p, text);
  return begin(draft, id, text);
}

/**
 * Emits an agent's message as a text message under its A2A messageId, once. A text that grows is one message: it is begun
 * once, goes on with each growth, and ends when another message begins or the turn ends.
 *
 * `isLive`: the agent is sending it now, so a longer text under a known id extends the message, and a different text
 * becomes another message, since nothing takes words back and some agents reuse ids. In a snapshot a known id is complete.
 * A text under a new id that begins with the last one continues it. Returns the id under which its text is shown; null
 * when no one message shows it.
 */
export function emitMessage(draft: Draft, message: AgentMessage, how: Arrival): string | null {
  const { idPrefix, isLive } = how;
  const whole = messageText(message.parts);
  if (message.role !== 'agent' || whole === '') return null;
  const text = cutText(whole, maxTextLength);
  if (isPiece(message, isLive)) return emitPiece(draft, message, text, how);
  const id = message.messageId === '' ? countedId(draft, idPrefix, text) : shownId(message.messageId);
  if (isOpen(draft, id)) goOn(draft, id, text);
  const there = findMessage(draft.p, id);
  if (there === undefined) return emitUnderNewId(draft, message, { id, text }, how);
  const outgoing = contentText(there);
  if (!isLive || there['role'] !== 'assistant' || outgoing === text) return id;
  if (outgoing === '' && isRepeatedWithParts(draft, message, text)) return id;
  if (text.startsWith(outgoing) && !hasEnded(draft, id)) return begin(draft, id, text);
  return begin(draft, freeId(draft, id, text), text);
}

export const isReasoning = (part: NeutralPart): boolean => part.kind === 'text' && part.isReasoning === true;
