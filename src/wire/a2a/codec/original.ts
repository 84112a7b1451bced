// The agent's unabridged event for callers over A2A: neutral events are bounded and omit what is not shown to people.
// Encoded lazily.
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

/** Keeps the original of `event` for another reading of it as well. */
export function keepOriginalOf(event: TurnEvent, read: TurnEvent): TurnEvent {
  const toJson = originals.get(event);
  return toJson === undefined ? read : keep(read, toJson);
}

/** Files are base64 (4 characters for 3 bytes), and a task's artifacts may have many thousand chunks. */
const limits = { jsonChars: 32 * 1024 * 1024, jsonNodes: 2_000_000 };

/** The event as an A2A 1.0 `StreamResponse` in JSON; null when it could not be decoded or exceeds the limits above. */
export function originalOf(event: TurnEvent): JsonObject | null {
  const toJson = event.type === 'unknown' ? undefined : originals.get(event);
  if (toJson === undefined) return null;
  const copy = cleanJson(toJson(), { ...eventBudget(), ...limits });
  return copy !== null && isObject(copy.json) ? copy.json : null;
}
