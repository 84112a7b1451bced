import type { JsonObject } from '../../../contract/base/json.ts';
import { isCard } from '../model/activity.ts';
import type { Card } from '../cards/cards.ts';
import { jsonBytes } from '../model/json-bytes.ts';
import { additions } from '../model/history.ts';
import { isResultId } from '../model/message-ids.ts';
import { messageId } from '../../../core/agui/messages.ts';
import { type Projection } from '../model/projection.ts';
import { withoutReplacedTexts } from '../model/text-version.ts';

/** Limit of the messages in one event: clients reject a 10 MB frame. */
const maxBytes = 9 * 1024 * 1024;

/** Roles that only agents and Standfast write: a client's version of a known message is ignored. */
const serverRoles = new Set<unknown>(['assistant', 'tool', 'reasoning', 'activity']);

/** Messages that a client may not add either: cards, and tool results under reserved ids. */
const isForged = (message: JsonObject): boolean =>
  message['role'] === 'activity' || (message['role'] === 'tool' && isResultId(messageId(message)));

/**
 * Merges the client's messages into the thread's: in the thread's order, the client's own messages as it has them,
 * unknown ones last, unless they are the thread's under other ids (`kept` are those that go to the agent all the same).
 * Agent messages, results and cards are never taken from a client.
 */
export function mergeMessages(
  thread: readonly JsonObject[],
  client: readonly JsonObject[],
  kept: readonly string[] = [],
): JsonObject[] {
  const known = new Set(thread.map(messageId));
  const added = new Set(additions(thread, client, new Set(kept)));
  const offered = new Map(
    client
      .filter((message) => !isForged(message) && (known.has(messageId(message)) || added.has(message)))
      .map((message) => [message['id'] ?? '', message]),
  );
  const merged = thread.map((message) => {
    const own = offered.get(message['id'] ?? '');
    offered.delete(message['id'] ?? '');
    const isOwn = own !== undefined && own['role'] === message['role'] && !serverRoles.has(own['role']);
    return isOwn ? own : message;
  });
  return [...merged, ...offered.values()];
}

/**
 * The messages for one event: without superseded versions, and only the latest ones when they exceed the frame limit.
 */
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

/** The messages that a thread stores; cards are stored with their holds, so only their positions are kept. */
export function keptMessages(p: Projection): JsonObject[] {
  return withoutReplacedTexts(p.messages).map((message) => (isCard(message) ? { ...message, content: {} } : message));
}

/** The stored messages with the current cards at their positions. */
export function withCards(kept: readonly JsonObject[], cards: readonly Card[]): JsonObject[] {
  const current = new Map(cards.map((card) => [card.interruptId, card]));
  return kept.flatMap((message) => {
    if (!isCard(message)) return [message];
    const card = current.get(messageId(message));
    return card === undefined ? [] : [{ ...message, activityType: card.activityType, content: card.content }];
  });
}
