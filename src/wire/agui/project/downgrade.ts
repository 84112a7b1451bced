// What clients older than 1.0 die of is not sent to them: the outcome `cancelled`, `pendingToolCallIds`, tool results in
// parts, and a run's input without `tools` and `context` (measured with @ag-ui/client 0.0.59, whose schemas are strict
// there). Such clients send no protocolVersion. Those that know no outcome at all (before 0.0.54) get each question by
// the event `on_interrupt` that LangGraph's front ends listen to; newer ones prefer the outcome of the same run.
import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { isObject } from '../../../core/base/json.ts';

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

/** The questions that a run ends with, each as an event of its own. */
function interruptEvents({ type, outcome }: AguiEvent): AguiEvent[] {
  if (type !== 'RUN_FINISHED' || !isObject(outcome) || outcome['type'] !== 'interrupt') return [];
  const interrupts = Array.isArray(outcome['interrupts']) ? outcome['interrupts'] : [];
  return interrupts.map((value): AguiEvent => ({ type: 'CUSTOM', name: 'on_interrupt', value }));
}

/** An event as its reader's version of AG-UI can take it, after what is sent only to older ones. */
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
