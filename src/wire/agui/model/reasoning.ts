// Model reasoning as AG-UI reasoning messages, never as part of the answer: one for each A2A message or artifact.
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { emit, type Draft } from './draft.ts';
import { contentText, findMessage } from '../../../core/agui/messages.ts';
import { cutText, maxTextLength, textPieces, isReasoning } from './text.ts';
import { currentVersion, versionId, versionOf, versionsOf } from './text-version.ts';

const reasoningOf = (parts: readonly NeutralPart[]): string[] =>
  parts.flatMap((part) => (part.kind === 'text' && isReasoning(part) && part.text !== '' ? [part.text] : []));

function emitReasoning(draft: Draft, id: string, text: string): void {
  if (text === '') return;
  if (!draft.p.openSpans.includes(id)) emit(draft, { type: 'REASONING_START', messageId: id });
  if (!draft.p.openReasoning.includes(id)) {
    emit(draft, { type: 'REASONING_MESSAGE_START', messageId: id, role: 'reasoning' });
  }
  const length = contentText(findMessage(draft.p, id) ?? {}).length;
  for (const delta of textPieces(cutText(text, Math.max(0, maxTextLength - length)))) {
    emit(draft, { type: 'REASONING_MESSAGE_CONTENT', messageId: id, delta });
  }
}

function endReasoning(draft: Draft, id: string): void {
  if (draft.p.openReasoning.includes(id)) emit(draft, { type: 'REASONING_MESSAGE_END', messageId: id });
  if (draft.p.openSpans.includes(id)) emit(draft, { type: 'REASONING_END', messageId: id });
}

/** Ends open reasoning: all of it, or that of one message or artifact. */
export function closeReasoning(draft: Draft, key?: string): void {
  for (const id of new Set([...draft.p.openReasoning, ...draft.p.openSpans])) {
    if (key === undefined || versionOf(id)?.key === key) endReasoning(draft, id);
  }
}

const reasoningId = (key: string, version: number): string => versionId({ kind: 'reasoning', key, version });

/** Appends the rest of a reasoning text that extends what was emitted, else starts another reasoning message. */
function writeReasoning(draft: Draft, key: string, text: string, isAppended: boolean): string {
  const version = currentVersion(draft.p, 'reasoning', key);
  const id = reasoningId(key, version);
  const current = version === 0 ? undefined : findMessage(draft.p, id);
  if (current !== undefined && current['role'] === 'reasoning') {
    const message = contentText(current);
    const wanted = cutText(text, maxTextLength);
    if (isAppended || wanted.startsWith(message)) {
      emitReasoning(draft, id, isAppended ? text : wanted.slice(message.length));
      return id;
    }
    endReasoning(draft, id);
  }
  const next = reasoningId(key, version + 1);
  emitReasoning(draft, next, text);
  return next;
}

/**
 * Emits a message's reasoning once. `isLive`: the agent is sending it now, so it may be extended or followed by another
 * reasoning message; in a snapshot a known one is complete.
 */
export function emitMessageReasoning(draft: Draft, key: string, parts: readonly NeutralPart[], isLive: boolean): void {
  const text = cutText(reasoningOf(parts).join('\n'), maxTextLength);
  if (text === '') return;
  const versions = versionsOf(draft.p, 'reasoning', key).filter((message) => message['role'] === 'reasoning');
  const isOpen = draft.p.openReasoning.includes(reasoningId(key, currentVersion(draft.p, 'reasoning', key)));
  const isShown = versions.some((message) => contentText(message) === text);
  const isDone = isLive ? isShown : isShown || (versions.length > 0 && !isOpen);
  if (!isDone) endReasoning(draft, writeReasoning(draft, key, text, false));
  // A crash may have left it open.
  else closeReasoning(draft, key);
}

/**
 * Emits an artifact's reasoning: appended (`append`) or replaced; it ends when the artifact continues with other parts.
 */
export function emitArtifactReasoning(
  draft: Draft,
  key: string,
  parts: readonly NeutralPart[],
  how: { isAppended: boolean; isLast: boolean },
): void {
  const text = reasoningOf(parts).join('');
  if (text !== '') writeReasoning(draft, key, text, how.isAppended);
  const isOver = how.isLast || parts.some((part) => !isReasoning(part) && !(part.kind === 'text' && part.text === ''));
  if (isOver) closeReasoning(draft, key);
}
