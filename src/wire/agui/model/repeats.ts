// What an agent repeats is shown once: many send a text again under a new id, in the history, or as an artifact.
import type { JsonObject } from '../../../contract/base/json.ts';
import { callsOf, contentText, messageId } from '../../../core/agui/messages.ts';
import { type Projection } from './projection.ts';
import { isCard } from './activity.ts';
import { versionOf } from './text-version.ts';

/** The id of the text that the agent may still be writing: the conversation's last, if nothing else came after it. */
export function lastTextId({ messages }: Projection): string | null {
  const last = messages.findLast(({ role }) => role !== 'reasoning');
  if (last === undefined || last['role'] !== 'assistant' || contentText(last) === '') return null;
  const isPlain = callsOf(last).length === 0 && versionOf(last['id']) === null;
  return isPlain ? messageId(last) : null;
}

/** Texts since a person last spoke or was asked. */
function recentTexts({ messages }: Projection): string[] {
  const since = messages.findLastIndex((message) => message['role'] === 'user' || isCard(message));
  return textsOf(messages.slice(since + 1));
}

const textsOf = (messages: readonly JsonObject[]): string[] =>
  messages.flatMap((message) => (message['role'] === 'assistant' ? [contentText(message)] : [])).filter(Boolean);

/** True when texts that follow one another are this text together; Strands ends the whole of its pieces with a line break. */
function areItsPieces(texts: readonly string[], text: string): boolean {
  const whole = text.trimEnd();
  return texts.some((_, first) => {
    let joined = '';
    for (const piece of texts.slice(first)) {
      const isFirst = joined === '';
      joined += piece;
      if (!isFirst && joined.trimEnd() === whole) return true;
      if (!whole.startsWith(joined)) return false;
    }
    return false;
  });
}

/**
 * True when the agent has sent this text already, in one message or in pieces; what it sends later does not change that.
 * `isPast`: it is about an earlier exchange, so that all of the conversation counts.
 */
export function isRepeat(p: Projection, text: string, isPast = false): boolean {
  const texts = isPast ? textsOf(p.messages) : recentTexts(p);
  return texts.includes(text) || areItsPieces(texts, text);
}

/** The latest message that shows exactly this text, to which the calls of its repetition belong, too. */
export function shownAs({ messages }: Projection, text: string): string | null {
  const found = messages.findLast(
    (message) => message['role'] === 'assistant' && versionOf(message['id']) === null && contentText(message) === text,
  );
  return found === undefined ? null : messageId(found);
}

/** True when a later message has continued this text: a task that is read again brings the beginning once more. */
export const isBeginning = (p: Projection, text: string): boolean =>
  recentTexts(p).some((shown) => shown.length > text.length && shown.startsWith(text));

/**
 * True for a message that carries the next piece of a text and not the text so far (ADK, kagent; agno while it streams,
 * each under the id of the whole).
 */
export const isPiece = ({ metadata }: { metadata: JsonObject }, isLive: boolean): boolean =>
  (isLive && metadata['agno_content_category'] === 'content') ||
  Object.keys(metadata).some((key) => key.endsWith('adk_partial') && metadata[key] === true);
