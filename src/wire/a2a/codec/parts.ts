import { cutText } from '../../../core/base/text.ts';
import { withoutTurns } from '../../../contract/base/text.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { type Budget, cleanJson, cleanText, isRecord } from './clean.ts';
import { isObject } from '../../../core/base/json.ts';

/** Metadata key of a part that was truncated. */
export const truncatedKey = 'standfast.truncated';

const maxNameChars = 1000;
const maxUriChars = 8192;

/**
 * Decodes the parts of a message or artifact; parts beyond the event's budget are omitted and the last one is marked
 * truncated.
 */
export function decodeParts(parts: unknown, budget: Budget): NeutralPart[] {
  if (!Array.isArray(parts)) return [];
  const kept = parts.slice(0, Math.max(0, budget.parts));
  budget.parts -= kept.length;
  const decoded = kept.map((part) => decodePart(part, budget));
  const last = decoded.at(-1);
  if (kept.length < parts.length) budget.isCut = true;
  return last !== undefined && kept.length < parts.length ? [...decoded.slice(0, -1), markTruncated(last)] : decoded;
}

export function decodeMetadata(metadata: unknown, budget: Budget): JsonObject {
  if (!isRecord(metadata)) return {};
  const copy = cleanJson(metadata, budget);
  return copy !== null && isObject(copy.json) ? copy.json : {};
}

/** A name or media type, which reads in one direction. */
export function decodeName(name: unknown): string {
  return typeof name === 'string' ? cutText(withoutTurns(cleanText(name)), maxNameChars) : '';
}

/** Sanitised text, truncated to the event's remaining text budget. */
export function takeText(text: unknown, budget: Budget): { text: string; isCut: boolean } {
  const clean = typeof text === 'string' ? cleanText(text) : '';
  const size = Buffer.byteLength(clean);
  if (size <= budget.textBytes) {
    budget.textBytes -= size;
    return { text: clean, isCut: false };
  }
  const fits = new TextEncoder().encodeInto(clean, new Uint8Array(budget.textBytes)).read;
  budget.textBytes = 0;
  budget.isCut = true;
  return { text: clean.slice(0, fits), isCut: true };
}

function decodePart(part: unknown, budget: Budget): NeutralPart {
  const source = isRecord(part) ? part : {};
  const content = isRecord(source['content']) ? source['content'] : {};
  const metadata = decodeMetadata(source['metadata'], budget);
  const value = content['value'];
  switch (content['$case']) {
    case 'text': {
      const { text, isCut } = takeText(value, budget);
      return markTruncatedIf(isCut, {
        kind: 'text',
        text,
        metadata,
        ...(isReasoning(metadata) && { isReasoning: true }),
      });
    }
    case 'raw':
    case 'url':
      return decodeFile(source, content, metadata, budget);
    default: {
      // The SDK decodes `{"data": null}` as a part without content (docs/wire.md); both become a null data part.
      const copy = content['$case'] === 'data' ? cleanJson(value, budget) : { json: null as Json };
      return markTruncatedIf(copy === null, { kind: 'data', data: copy?.json ?? null, metadata });
    }
  }
}

/** Marks of a model's reasoning, which ADK agents mix into their text. */
const isReasoning = (metadata: JsonObject): boolean =>
  ['adk_thought', 'kagent_thought', 'thought'].some((mark) => metadata[mark] === true);

function decodeFile(
  source: Record<string, unknown>,
  content: Record<string, unknown>,
  metadata: JsonObject,
  budget: Budget,
): NeutralPart {
  const named = { name: decodeName(source['filename']), mediaType: decodeName(source['mediaType']), metadata };
  const value = content['value'];
  if (content['$case'] === 'url') {
    const uri = typeof value === 'string' && value.length <= maxUriChars ? cleanText(value) : null;
    return markTruncatedIf(uri === null, { kind: 'file', uri: isScript(uri) ? null : uri, base64: null, ...named });
  }
  const bytes = value instanceof Uint8Array || Buffer.isBuffer(value) ? value : null;
  if (bytes === null || bytes.byteLength > budget.fileBytes) {
    return markTruncated({ kind: 'file', uri: null, base64: null, ...named });
  }
  budget.fileBytes -= bytes.byteLength;
  return { kind: 'file', uri: null, base64: Buffer.from(bytes).toString('base64'), ...named };
}

/** Only script URLs are blocked; front ends decide about every other scheme. */
function isScript(uri: string | null): boolean {
  // Browsers ignore whitespace and control characters in a scheme.
  return uri !== null && /^(javascript|vbscript):/i.test(uri.replace(/[\p{Cc}\p{Z}]/gu, ''));
}

function markTruncatedIf(isCut: boolean, part: NeutralPart): NeutralPart {
  return isCut ? markTruncated(part) : part;
}

function markTruncated(part: NeutralPart): NeutralPart {
  return { ...part, metadata: { ...part.metadata, [truncatedKey]: true } };
}
