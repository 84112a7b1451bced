// Converts files between AG-UI content parts (image, audio, video, document) and A2A file parts.
import { withoutTurns } from '../../../contract/base/text.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { isObject, stringOf } from '../../../core/base/json.ts';

export type FilePart = Extract<NeutralPart, { kind: 'file' }>;

const kinds = ['image', 'audio', 'video', 'document'];

export const isMedia = (part: JsonObject): boolean => kinds.includes(stringOf(part['type']));

/** Clients send `data:` URLs in place of base64, or of a URL; both are decoded as bytes. */
const dataUrl = /^data:([^;,]*)(?:;[^;,]*)*?;base64,/i;

/** Normalises base64url, whitespace and missing padding to standard base64; null when it is not base64. */
function plainBase64(text: string): string | null {
  const bare = text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (!/^[A-Za-z0-9+/]*$/.test(bare) || bare.length % 4 === 1) return null;
  return bare + '='.repeat((4 - (bare.length % 4)) % 4);
}

/** The reason and path why a content part cannot be sent; null when it can. */
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

/** The A2A file of an AG-UI content part; null when it cannot be sent (`mediaFault`). */
export function fileOfContent(part: JsonObject): FilePart | null {
  const source = part['source'];
  if (!isObject(source)) return null;
  const metadata = part['metadata'];
  const name = withoutTurns(isObject(metadata) ? stringOf(metadata['filename'] ?? metadata['name']) : '');
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

/** The AG-UI content part of an agent's file; null when it has neither bytes nor a URL. */
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

/** Number of bytes that a base64 text encodes. */
export function base64Bytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}
