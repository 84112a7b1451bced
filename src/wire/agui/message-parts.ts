import type { Json, JsonObject } from '../../contract/json.ts';
import type { NeutralPart } from '../../contract/turn.ts';
import { isObject } from './state-patch.ts';

/**
 * The message a run brings: its last user message, unless the assistant has spoken since. A client that runs again
 * without a new message must not say the old one twice.
 */
export function lastUserMessage(messages: readonly JsonObject[]): JsonObject | null {
  const at = messages.findLastIndex((message) => message['role'] === 'user');
  const isAnswered = messages.slice(at + 1).some((message) => message['role'] === 'assistant');
  return isAnswered ? null : (messages[at] ?? null);
}

const mediaKinds = new Set<Json | undefined>(['image', 'audio', 'video', 'document']);
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Bytes at a provider (source `file`) are known to that provider only, so such a part cannot be passed on. */
function mediaPart(part: JsonObject): NeutralPart | null {
  const source = part['source'];
  if (!isObject(source)) return null;
  const metadata = part['metadata'];
  const name = isObject(metadata) ? textOf(metadata['filename'] ?? metadata['name']) : '';
  const file = { kind: 'file' as const, name, mediaType: textOf(source['mimeType']), metadata: {} };
  const value = textOf(source['value']);
  if (source['type'] === 'data') return { ...file, uri: null, base64: value };
  return source['type'] === 'url' ? { ...file, uri: value, base64: null } : null;
}

function contentPart(part: Json): NeutralPart | null {
  if (!isObject(part)) return null;
  if (part['type'] === 'text') return { kind: 'text', text: textOf(part['text']), metadata: {} };
  return mediaKinds.has(part['type']) ? mediaPart(part) : null;
}

/** A user message in neutral parts. */
export function partsOfMessage(message: JsonObject): NeutralPart[] {
  const content = message['content'];
  if (!Array.isArray(content)) return [{ kind: 'text', text: textOf(content), metadata: {} }];
  return content.map(contentPart).filter((part) => part !== null);
}

/** What a run (its normalised body) says to the agent; empty when it brings no message. */
export function partsOfRun(body: JsonObject): NeutralPart[] {
  const messages = body['messages'];
  const said = lastUserMessage(Array.isArray(messages) ? messages.filter(isObject) : []);
  return said === null ? [] : partsOfMessage(said);
}
