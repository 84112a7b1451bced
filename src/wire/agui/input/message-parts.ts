import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { fileOfContent, isMedia } from '../model/media.ts';
import { outgoingMessages } from './new-message.ts';
import { messageId } from '../model/projection.ts';
import { readOptions } from './run-options.ts';
import { isObject, objectsIn, stringOf, jsonOrText } from '../../../core/base/json.ts';

function contentPart(part: Json): NeutralPart | null {
  if (!isObject(part)) return null;
  if (part['type'] === 'text') return { kind: 'text', text: stringOf(part['text']), metadata: {} };
  return isMedia(part) ? fileOfContent(part) : null;
}

function contentParts(content: Json | undefined): NeutralPart[] {
  if (!Array.isArray(content)) return [{ kind: 'text', text: stringOf(content), metadata: {} }];
  return content.map(contentPart).filter((part) => part !== null);
}

/** A tool's result as its words and as data, `{type: "tool-result", toolCallId, payload}`. */
function toolParts(message: JsonObject): NeutralPart[] {
  const parts = contentParts(message['content']);
  const text = parts.flatMap((part) => (part.kind === 'text' && part.text !== '' ? [part.text] : [])).join('\n');
  const result = { type: 'tool-result', toolCallId: stringOf(message['toolCallId']), payload: jsonOrText(text) };
  const shown = parts.filter((part) => part.kind !== 'text' || part.text !== '');
  return [...shown, { kind: 'data', data: result, metadata: {} }];
}

/** A message in neutral parts; what no user wrote names its author. */
export function partsOfMessage(message: JsonObject): NeutralPart[] {
  const role = stringOf(message['role']);
  if (role === 'tool') return toolParts(message);
  const parts = contentParts(message['content']);
  if (role !== 'system' && role !== 'developer') return parts;
  return parts.map((part) => ({ ...part, metadata: { originalRole: role } }));
}

/**
 * What a run (its normalised body) says to the agent, in one message; empty when it brings none. `ids`: the messages
 * that were chosen when the run came in (`outgoingMessages`); without them, what came before the assistant's last words
 * is old.
 */
export function partsOfRun(body: JsonObject, ids: readonly string[] | null = null): NeutralPart[] {
  return messagesOfRun(body, ids).flatMap(partsOfMessage);
}

/** The messages of a run's body that go to the agent. */
export function messagesOfRun(body: JsonObject, ids: readonly string[] | null = null): JsonObject[] {
  const given = body['messages'];
  const messages = objectsIn(given);
  if (ids !== null) return messages.filter((message) => ids.includes(messageId(message)));
  const read = readOptions(body['forwardedProps']);
  return read.ok ? outgoingMessages(messages, read.options, null) : [];
}
