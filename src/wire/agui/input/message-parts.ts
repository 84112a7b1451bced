import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { fileOfContent, isMedia } from '../model/media.ts';
import { fileNameAt } from '../../../core/base/file-names.ts';
import { isObject, stringOf, jsonOrText } from '../../../core/base/json.ts';

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

/** Nothing for the agent: no file, and no text but white space. */
export function saysNothing(message: JsonObject): boolean {
  const { content } = message;
  // A file that cannot be read is refused by its path.
  if (Array.isArray(content) && content.some((part) => isObject(part) && isMedia(part))) return false;
  return partsOfMessage(message).every((part) => part.kind === 'text' && part.text.trim() === '');
}
