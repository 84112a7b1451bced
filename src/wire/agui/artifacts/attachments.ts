// Files, and data in messages. AG-UI's assistant messages are text only, so each is emitted once as a CUSTOM event:
//
//   standfast.file  {id, name, mediaType, uri, bytes, content, omitted, messageId | artifactId}
//   standfast.data  {id, data, messageId}
//
// `content` has the shape of AG-UI's input content (`{type: "image", source: {type: "data", value, mimeType}}`): base64
// up to 256 KiB per file and 4 MiB per run, or a URL. A larger file has `content: null` and `omitted: "too_large"`; its
// bytes stay with the agent. `omitted: "unavailable"` means that the agent sent neither bytes nor a usable URL. If
// there is a task, `/view/files/<id>` has the same without bytes; a restated run repeats the events.
import type { A2aTaskId } from '../../../contract/base/id-types.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { emit, type Draft } from '../model/draft.ts';
import { jsonBytes } from '../model/json-bytes.ts';
import { base64Bytes, contentOfFile, type FilePart } from '../model/media.ts';
import { jsonFingerprint, textFingerprint } from '../model/message-ids.ts';
import type { Projection } from '../model/projection.ts';
import { isSafeKey } from '../../../core/agui/patch.ts';
import { valueAt } from '../model/state-patch.ts';
import { putInView } from './artifact-entry.ts';
import { isObject, objectOf } from '../../../core/base/json.ts';

const maxFileBytes = 256 * 1024;
const maxRunBytes = 4 * 1024 * 1024;
const maxDataBytes = 256 * 1024;
/** Attachments per run; later ones are dropped. */
const maxAttachments = 1000;
const maxEntries = 200;

/** What the attachment belongs to. */
type AttachmentSource = { messageId: string } | { artifactId: string; a2aTaskId: A2aTaskId };

const nameOfSource = (source: AttachmentSource): string =>
  'messageId' in source ? source.messageId : `${source.a2aTaskId}:${source.artifactId}`;
const shownSource = (source: AttachmentSource): JsonObject =>
  'messageId' in source ? { messageId: source.messageId } : { artifactId: source.artifactId };

const filesAt = ['view', 'files'];

const isAttached = (p: Projection, id: string): boolean => p.attachments.some((attachment) => attachment['id'] === id);

/** Entries of `/view/files`, which earlier runs of the task have announced. */
function attachmentEntries(draft: Draft): JsonObject {
  const entries = valueAt(draft.state, filesAt);
  return objectOf(entries);
}

function carriedBytesOf(attachment: JsonObject): number {
  if (attachment['data'] !== undefined) return jsonBytes(attachment['data']);
  const source = isObject(attachment['content']) ? attachment['content']['source'] : undefined;
  return isObject(source) && source['type'] === 'data' ? Number(attachment['bytes']) : 0;
}

/** True when the run's byte budget has room for the attachment. */
const fits = (p: Projection, bytes: number): boolean =>
  p.attachments.reduce((sum, attachment) => sum + carriedBytesOf(attachment), bytes) <= maxRunBytes;

/** The file's reference for the state: its URL or size. */
export function fileReference(file: FilePart): JsonObject {
  const { name, mediaType, uri, base64 } = file;
  return { name, mediaType, uri, bytes: base64 === null ? null : base64Bytes(base64) };
}

function carried(p: Projection, file: FilePart): { content: Json; omitted: Json } {
  const bytes = file.base64 === null ? 0 : base64Bytes(file.base64);
  if (bytes > maxFileBytes || !fits(p, bytes)) return { content: null, omitted: 'too_large' };
  const content = contentOfFile(file);
  return { content, omitted: content === null ? 'unavailable' : null };
}

/** Emits a file once; `isInState`: the run has a task, so `/view/files` is written too. */
export function attachFile(draft: Draft, file: FilePart, source: AttachmentSource, isInState: boolean): void {
  const { name, mediaType, uri, base64 } = file;
  const id = `${nameOfSource(source)}:${textFingerprint(JSON.stringify([name, mediaType, uri]) + (base64 ?? ''))}`;
  const entries = attachmentEntries(draft);
  if (Object.hasOwn(entries, id)) return;
  const reference = fileReference(file);
  if (!isAttached(draft.p, id)) {
    if (draft.p.attachments.length >= maxAttachments) return;
    const value = { id, ...reference, ...carried(draft.p, file), ...shownSource(source) };
    emit(draft, { type: 'CUSTOM', name: 'standfast.file', value });
  }
  const isRoom = Object.keys(entries).length < maxEntries;
  if (isInState && isRoom && isSafeKey(id))
    putInView(draft, [...filesAt, id], { ...reference, ...shownSource(source) });
}

/** Emits message data of no other meaning, once; only its size above 256 KiB, or 4 MiB per run. */
export function attachData(draft: Draft, data: Json, messageId: string): void {
  const id = `${messageId}:${jsonFingerprint(data)}`;
  if (isAttached(draft.p, id) || draft.p.attachments.length >= maxAttachments) return;
  const bytes = jsonBytes(data);
  const isCarried = bytes <= maxDataBytes && fits(draft.p, bytes);
  const shown = isCarried ? data : { omitted: 'too_large', bytes };
  emit(draft, { type: 'CUSTOM', name: 'standfast.data', value: { id, data: shown, messageId } });
}

/** The attachment events of a running log, for a reader that joins late. */
export const repeatAttachments = (p: Projection): (JsonObject & { type: string })[] =>
  p.attachments.map((value) => ({
    type: 'CUSTOM',
    name: 'data' in value ? 'standfast.data' : 'standfast.file',
    value,
  }));
