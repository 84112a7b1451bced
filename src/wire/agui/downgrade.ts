// What clients older than 1.0 die of is not sent to them: the outcome `cancelled`, `pendingToolCallIds`, tool results in
// parts, and a run's input without `tools` and `context` (measured with @ag-ui/client 0.0.59, whose schemas are strict
// there). Such clients send no protocolVersion.
import type { AguiEvent } from '../../contract/event.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import { isObject } from './state-patch.ts';

const without = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

/** Parts as one text: their texts when they are texts, else their JSON. */
function partsText(content: Json | undefined): Json {
  if (!Array.isArray(content)) return content ?? '';
  const texts = content.filter(isObject).map((part) => (part['type'] === 'text' ? part['text'] : undefined));
  return texts.length === content.length && texts.every((text) => typeof text === 'string')
    ? texts.join('\n')
    : JSON.stringify(content);
}

function oldMessages(messages: Json | undefined): Json {
  if (!Array.isArray(messages)) return messages ?? [];
  return messages.map((message) =>
    isObject(message) && message['role'] === 'tool' ? { ...message, content: partsText(message['content']) } : message,
  );
}

function oldOutcome(event: AguiEvent): AguiEvent {
  const { outcome } = event;
  if (!isObject(outcome)) return event;
  if (outcome['type'] === 'cancelled') return { ...event, outcome: { type: 'success' } };
  return { ...event, outcome: without(outcome, 'pendingToolCallIds') };
}

/** An event as its reader's version of AG-UI can take it; `undefined` is a peer older than 1.0. */
export function forPeer(event: AguiEvent, protocolVersion: string | undefined): AguiEvent {
  if (protocolVersion !== undefined) return event;
  switch (event.type) {
    case 'RUN_FINISHED':
      return oldOutcome(event);
    case 'TOOL_CALL_RESULT':
      return { ...event, content: partsText(event['content']) };
    case 'MESSAGES_SNAPSHOT':
      return { ...event, messages: oldMessages(event['messages']) };
    case 'RUN_STARTED': {
      const { input } = event;
      if (!isObject(input)) return event;
      return { ...event, input: { tools: [], context: [], ...input, messages: oldMessages(input['messages']) } };
    }
    default:
      return event;
  }
}
