// Removes what the strict schemas of pre-1.0 clients reject (measured with @ag-ui/client 0.0.59): outcome `cancelled`,
// `pendingToolCallIds`, tool results in parts, and a run's input without `tools` and `context`. Such clients send no
// protocolVersion. Clients without outcomes (before 0.0.54) get each interrupt as LangGraph's `on_interrupt` event;
// newer ones prefer the outcome of the same run.
import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { isObject } from '../../../core/base/json.ts';

const without = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

/** Parts as one text: concatenated if all are texts, else as JSON. */
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

/** One `on_interrupt` event per interrupt of the run. */
function interruptEvents({ type, outcome }: AguiEvent): AguiEvent[] {
  if (type !== 'RUN_FINISHED' || !isObject(outcome) || outcome['type'] !== 'interrupt') return [];
  const interrupts = Array.isArray(outcome['interrupts']) ? outcome['interrupts'] : [];
  return interrupts.map((value): AguiEvent => ({ type: 'CUSTOM', name: 'on_interrupt', value }));
}

/** The events to send for one event, depending on the reader's AG-UI version; undefined means older than 1.0. */
export function downgradeFor(event: AguiEvent, protocolVersion: string | undefined): AguiEvent[] {
  return protocolVersion === undefined ? [...interruptEvents(event), forOlder(event)] : [event];
}

function forOlder(event: AguiEvent): AguiEvent {
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
