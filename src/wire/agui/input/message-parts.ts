import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { fileOfContent, isMedia } from '../model/media.ts';
import { outgoingMessages } from './new-message.ts';
import { messageId } from '../model/projection.ts';
import { readOptions } from './run-options.ts';
import { fileNameAt } from '../../../core/base/file-names.ts';
import { isObject, objectsIn, stringOf, jsonOrText } from '../../../core/base/json.ts';

function contentPart(part: Json): NeutralPart | null {
  if (!isObject(part)) return null;
  if (part['type'] === 'text') return { kind: 'text', text: stringOf(part['text']), metadata: {} };
  return isMedia(part) ? fileOfContent(part) : null;
}

function contentParts(content: Json | undefined): NeutralPart[] {
  if (!Array.isArray(content)) return [{ kind: 'text', text: stringOf(content), metadata: {} }];
  return content
    .map(contentPart)
    .filter((part) => part !== null)
    .map(withFileName);
}

/** AG-UI files have no name. */
const withFileName = (part: NeutralPart, index: number): NeutralPart =>
  part.kind === 'file' && part.name === '' ? { ...part, name: fileNameAt(index, part.mediaType) } : part;

/** A tool result as text and as data, `{type: "tool-result", toolCallId, payload}`. */
function toolParts(message: JsonObject): NeutralPart[] {
  const parts = contentParts(message['content']);
  const text = parts.flatMap((part) => (part.kind === 'text' && part.text !== '' ? [part.text] : [])).join('\n');
  const result = { type: 'tool-result', toolCallId: stringOf(message['toolCallId']), payload: jsonOrText(text) };
  const shown = parts.filter((part) => part.kind !== 'text' || part.text !== '');
  return [...shown, { kind: 'data', data: result, metadata: {} }];
}

/** A message as neutral parts; parts of roles other than `user` name their author. */
export function partsOfMessage(message: JsonObject): NeutralPart[] {
  const role = stringOf(message['role']);
  if (role === 'tool') return toolParts(message);
  const parts = contentParts(message['content']);
  if (role !== 'system' && role !== 'developer') return parts;
  return parts.map((part) => ({ ...part, metadata: { originalRole: role } }));
}

/**
 * The parts that a run's normalised body sends to the agent in one message; empty when there are none. `ids`: the
 * messages selected when the run was received (`outgoingMessages`); without them, messages before the last assistant
 * message are skipped.
 */
export function partsOfRun(body: JsonObject, ids: readonly string[] | null = null): NeutralPart[] {
  return messagesOfRun(body, ids).flatMap(partsOfMessage);
}

/** The messages of a run's body that are sent to the agent. */
export function messagesOfRun(body: JsonObject, ids: readonly string[] | null = null): JsonObject[] {
  const given = body['messages'];
  const messages = objectsIn(given);
  if (ids !== null) return messages.filter((message) => ids.includes(messageId(message)));
  const read = readOptions(body['forwardedProps']);
  return read.ok ? outgoingMessages(messages, read.options, null) : [];
}
