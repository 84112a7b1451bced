import type { JsonObject } from '../../../contract/base/json.ts';
import { isCard } from '../model/activity.ts';
import type { Card } from '../cards/cards.ts';
import { jsonBytes } from '../model/json-bytes.ts';
import { isResultId } from '../model/message-ids.ts';
import { messageId, type Projection } from '../model/projection.ts';
import { withoutReplacedTexts } from '../model/text-version.ts';

/** Bytes of messages in one event; clients refuse an SSE frame of 10 MB. */
const maxBytes = 9 * 1024 * 1024;

/** Roles whose messages only agents and Holdpoint write: a client's version of one the thread knows is not believed. */
const notTheirs = new Set<unknown>(['assistant', 'tool', 'reasoning', 'activity']);

/** What a client may not even add: cards, and results of tool calls under our own ids. */
const isForged = (message: JsonObject): boolean =>
  message['role'] === 'activity' || (message['role'] === 'tool' && isResultId(messageId(message)));

/**
 * The thread's messages with those of a client: the thread's order, the client's own words as the client has them, what
 * the thread does not know at the end. The agent's messages, results and the cards are never taken from a client.
 */
export function mergeMessages(thread: readonly JsonObject[], client: readonly JsonObject[]): JsonObject[] {
  const offered = new Map(
    client.filter((message) => !isForged(message)).map((message) => [message['id'] ?? '', message]),
  );
  const merged = thread.map((message) => {
    const own = offered.get(message['id'] ?? '');
    offered.delete(message['id'] ?? '');
    const isOwn = own !== undefined && own['role'] === message['role'] && !notTheirs.has(own['role']);
    return isOwn ? own : message;
  });
  return [...merged, ...offered.values()];
}

/** What one event restates of them: no replaced texts, and the newest ones when all are too much for one frame. */
export function restatable(messages: readonly JsonObject[]): JsonObject[] {
  const kept = withoutReplacedTexts(messages);
  let bytes = kept.reduce((sum, message) => sum + jsonBytes(message), 0);
  let first = 0;
  while (bytes > maxBytes && first < kept.length - 1) {
    bytes -= jsonBytes(kept[first] ?? {});
    first += 1;
  }
  return kept.slice(first);
}

/** What a thread keeps of a run's messages; of the cards, which are kept with their holds, only their places. */
export function keptMessages(p: Projection): JsonObject[] {
  return withoutReplacedTexts(p.messages).map((message) => (isCard(message) ? { ...message, content: {} } : message));
}

/** The messages a thread kept, with the cards as they are now in their places. */
export function withCards(kept: readonly JsonObject[], cards: readonly Card[]): JsonObject[] {
  const current = new Map(cards.map((card) => [card.interruptId, card]));
  return kept.flatMap((message) => {
    if (!isCard(message)) return [message];
    const card = current.get(messageId(message));
    return card === undefined ? [] : [{ ...message, activityType: card.activityType, content: card.content }];
  });
}
