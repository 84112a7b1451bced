// An agent's message, whole: neutral events are bounded and leave out what no person is shown, and a caller over A2A is to get
// it as it was. It is not made into JSON before somebody asks for it.
import { Message, type StreamResponse, StreamResponse as ResponseCodec, Task } from '@a2a-js/sdk';
import type { JsonObject } from '../../../contract/base/json.ts';
import type { TurnEvent } from '../../../contract/tasks/turn.ts';
import { cleanJson, eventBudget } from './clean.ts';
import { isObject } from '../../../core/base/json.ts';

const originals = new WeakMap<TurnEvent, () => unknown>();

function keep(event: TurnEvent, toJson: () => unknown): TurnEvent {
  originals.set(event, toJson);
  return event;
}

export const keepResponse = (event: TurnEvent, response: StreamResponse): TurnEvent =>
  keep(event, () => ResponseCodec.toJSON(response));
export const keepTask = (event: TurnEvent, task: Task): TurnEvent => keep(event, () => ({ task: Task.toJSON(task) }));
export const keepMessage = (event: TurnEvent, message: Message): TurnEvent =>
  keep(event, () => ({ message: Message.toJSON(message) }));

/** Files travel as base64, four characters for three bytes; the artifacts of a task may have many thousand chunks. */
const original = { jsonChars: 32 * 1024 * 1024, jsonNodes: 2_000_000 };

/** The event as A2A 1.0 JSON (a StreamResponse); null where it was not understood, or is larger than we keep. */
export function originalOf(event: TurnEvent): JsonObject | null {
  const toJson = event.type === 'unknown' ? undefined : originals.get(event);
  if (toJson === undefined) return null;
  const copy = cleanJson(toJson(), { ...eventBudget(), ...original });
  return copy !== null && isObject(copy.json) ? copy.json : null;
}
