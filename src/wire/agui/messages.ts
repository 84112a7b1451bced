import type { JsonObject } from '../../contract/json.ts';
import { withoutReplacedTexts } from './artifact-text.ts';
import { jsonBytes } from './json-bytes.ts';

/** Bytes of messages in one event; clients refuse an SSE frame of 10 MB. */
const maxBytes = 9 * 1024 * 1024;

/**
 * The thread's messages with those of a client: the thread's order, the client's own words as the client has them, what
 * the thread does not know at the end. What agents said and the cards are never taken from a client.
 */
export function mergeMessages(thread: readonly JsonObject[], client: readonly JsonObject[]): JsonObject[] {
  const offered = new Map(
    client.filter((message) => message['role'] !== 'activity').map((message) => [message['id'] ?? '', message]),
  );
  const merged = thread.map((message) => {
    const own = offered.get(message['id'] ?? '');
    offered.delete(message['id'] ?? '');
    const isOwn = own !== undefined && own['role'] === message['role'] && own['role'] !== 'assistant';
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
