import type { AguiEvent } from '../../contract/event.ts';
import type { JsonObject } from '../../contract/json.ts';

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Leaves the oldest messages out of MESSAGES_SNAPSHOT, so that `length` of them stay; what the first one leaves out, the
 * later ones of the same stream leave out too. Cards stay, and what the client holds: it would lose that.
 */
export function createHistoryLimit(
  length: number | null,
  clientMessages: readonly JsonObject[],
): (event: AguiEvent) => AguiEvent {
  if (length === null) return (event) => event;
  const held = new Set(clientMessages.map((message) => message['id']));
  let left: Set<unknown> | null = null;
  return (event) => {
    if (event.type !== 'MESSAGES_SNAPSHOT' || !Array.isArray(event['messages'])) return event;
    const messages = event['messages'].filter(isRecord);
    if (left === null) {
      const outgoing = messages.filter((message) => message['role'] !== 'activity');
      const old = outgoing.slice(0, Math.max(0, outgoing.length - length)).map((message) => message['id']);
      left = new Set(old.filter((id) => !held.has(id)));
    }
    const gone = left;
    return { ...event, messages: messages.filter((message) => !gone.has(message['id'])) };
  };
}
