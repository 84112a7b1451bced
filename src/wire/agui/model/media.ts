// Files between the two worlds: AG-UI's content parts of kind image, audio, video and document, and parts of A2A.
import type { JsonObject } from '../../../contract/base/json.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { isObject, stringOf } from '../../../core/base/json.ts';

export type FilePart = Extract<NeutralPart, { kind: 'file' }>;

const kinds = ['image', 'audio', 'video', 'document'];

export const isMedia = (part: JsonObject): boolean => kinds.includes(stringOf(part['type']));

/** `data:` URLs stand where bytes, or an address, are expected; they are bytes. */
const dataUrl = /^data:([^;,]*)(?:;[^;,]*)*?;base64,/i;

/** Standard base64 as it is; the URL alphabet, blanks and missing padding are put right. Null: it is no base64. */
function plainBase64(text: string): string | null {
  const bare = text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (!/^[A-Za-z0-9+/]*$/.test(bare) || bare.length % 4 === 1) return null;
  return bare + '='.repeat((4 - (bare.length % 4)) % 4);
}

/** Why a content part cannot be passed on, with the place in it; null when it can. */
export function mediaFault(part: JsonObject): { path: string; message: string } | null {
  const source = part['source'];
  if (!isMedia(part) || !isObject(source)) return null;
  if (source['type'] === 'file') {
    return { path: 'source', message: 'expected data or a url: a file at a provider is known to that provider only' };
  }
  const value = stringOf(source['value']);
  const head = dataUrl.exec(value)?.[0] ?? '';
  const isBytes = source['type'] === 'data' || head !== '';
  return isBytes && plainBase64(value.slice(head.length)) === null
    ? { path: 'source.value', message: 'expected base64' }
    : null;
}

/** Null for what cannot be passed on (`mediaFault`). */
export function fileOfContent(part: JsonObject): FilePart | null {
  const source = part['source'];
  if (!isObject(source)) return null;
  const metadata = part['metadata'];
  const name = isObject(metadata) ? stringOf(metadata['filename'] ?? metadata['name']) : '';
  const value = stringOf(source['value']);
  const [head = '', headType = ''] = dataUrl.exec(value) ?? [];
  const mediaType = stringOf(source['mimeType']) || headType.toLowerCase();
  const file = { kind: 'file' as const, name, mediaType, metadata: {} };
  if (source['type'] === 'data' || (source['type'] === 'url' && head !== '')) {
    const base64 = plainBase64(value.slice(head.length));
    return base64 === null ? null : { ...file, uri: null, base64 };
  }
  return source['type'] === 'url' ? { ...file, uri: value, base64: null } : null;
}

function kindOf(mediaType: string): string {
  const [kind = ''] = mediaType.toLowerCase().split('/');
  return kinds.includes(kind) ? kind : 'document';
}

/** A file of an agent in the shape in which a client gives one; null when it has neither bytes nor an address. */
export function contentOfFile({ name, mediaType, uri, base64 }: FilePart): JsonObject | null {
  const named: JsonObject = name === '' ? {} : { metadata: { filename: name } };
  const type = kindOf(mediaType);
  if (base64 !== null) {
    const mimeType = mediaType === '' ? 'application/octet-stream' : mediaType;
    return { type, source: { type: 'data', value: base64, mimeType }, ...named };
  }
  if (uri === null) return null;
  const source = { type: 'url', value: uri };
  return { type, source: mediaType === '' ? source : { ...source, mimeType: mediaType }, ...named };
}

/** How many bytes a base64 text stands for. */
export function base64Bytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}
