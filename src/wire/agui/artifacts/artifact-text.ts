// An artifact's text is one growing assistant message, `artifact:<a2aTaskId>:<artifactId>`; replaced text that does not
// extend it starts a new version (`text-version.ts`). Unless the artifact also has data, its text is in the state too:
// rewritten whenever it has doubled, and when it ends, so that at most about twice its length is sent. What was written
// is recorded in the message's metadata, because only the log survives a crash.
import type { A2aTaskId } from '../../../contract/base/id-types.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { NeutralArtifact } from '../../../contract/tasks/turn.ts';
import { entryValue, infoOf, putEntry, artifactPath, omitted, omittedBytes } from './artifact-entry.ts';
import type { Draft } from '../model/draft.ts';
import { utf8Bytes, jsonBytes, pushed } from '../model/json-bytes.ts';
import { contentText, findMessage, messageId } from '../../../core/agui/messages.ts';
import { isSafeKey } from '../../../core/agui/patch.ts';
import { valueAt, withValueAt } from '../model/state-patch.ts';
import {
  cutText,
  emitText,
  endMessages,
  endText,
  isOpen,
  maxTextLength,
  messageText,
  openText,
} from '../model/text.ts';
import { isRepeat } from '../model/repeats.ts';
import { currentVersion, versionId, versionOf, versionsOf } from '../model/text-version.ts';
import { isObject, stringOf } from '../../../core/base/json.ts';

/** A longer text is in its message only; the state has its length. */
const maxTextInStateBytes = 64 * 1024;
/** Minimum length of an open text before it is written to the state. */
const firstRestatedLength = 256;

/** Metadata of an artifact's text message. */
interface TextNote {
  artifactId: string;
  name: string;
  /** JSON pointer of the artifact in the state; '' when it is not there. */
  path: string;
  /** Length of the text last written to the state; null before the first write. */
  inState: number | null;
  /** The length before that, which is still in the state when the process crashed between the two events. */
  before: number | null;
}

const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);

function noteOf(message: JsonObject | undefined): TextNote | null {
  const metadata = message?.['metadata'];
  const own = isObject(metadata) ? metadata['standfast'] : undefined;
  if (!isObject(own)) return null;
  return {
    artifactId: stringOf(own['artifactId']),
    name: stringOf(own['name']),
    path: stringOf(own['path']),
    inState: numberOf(own['inState']),
    before: numberOf(own['before']),
  };
}

const keyOf = (id: string): string | null => {
  const version = versionOf(id);
  return version?.kind === 'artifact' ? version.key : null;
};

function textValue(text: string): Json {
  const bytes = utf8Bytes(text);
  return bytes <= maxTextInStateBytes ? text : omitted(bytes);
}

/** True when the value is a prefix of the text, of this length, as we write it to the state. */
function isBeginning(content: string, length: number | null, value: Json): boolean {
  if (length === null) return false;
  if (typeof value === 'string') return value.length === length && content.startsWith(value);
  const bytes = omittedBytes(value);
  return bytes !== null && bytes > maxTextInStateBytes && bytes === utf8Bytes(content.slice(0, length));
}

/** Length of the message's text that this state value represents; null when it is something else. */
function lengthInState(message: JsonObject, value: Json): number | null {
  const note = noteOf(message);
  const lengths = note === null ? [] : [note.inState, note.before];
  return lengths.find((length) => isBeginning(contentText(message), length, value)) ?? null;
}

/** True when the value was written from this artifact's text, and is not the agent's data. */
function isTextValue(draft: Draft, key: string, value: Json): boolean {
  return versionsOf(draft.p, 'artifact', key).some((message) => lengthInState(message, value) !== null);
}

function textPath(draft: Draft, note: TextNote | null): string[] | null {
  if (note === null) return null;
  const { artifactId, name, path } = note;
  return artifactPath(infoOf(draft, { artifactId, name, metadata: { path } }).path);
}

/** Length of the text that is in the state now; null when it is not there. */
function currentLengthInState(draft: Draft, message: JsonObject, note: TextNote | null): number | null {
  const path = textPath(draft, note);
  const there = path === null || note === null ? undefined : entryValue(draft, note.artifactId, path);
  return there === undefined ? null : lengthInState(message, there);
}

/** Writes the text to the state unless the artifact's data is there; true when it did. */
function putText(draft: Draft, id: string): boolean {
  const message = findMessage(draft.p, id);
  const note = noteOf(message);
  const path = textPath(draft, note);
  const key = keyOf(id);
  if (message === undefined || note === null || path === null || key === null) return false;
  const there = entryValue(draft, note.artifactId, path);
  if (there !== undefined && !isTextValue(draft, key, there)) return false;
  putEntry(draft, note.artifactId, path, textValue(contentText(message)));
  return true;
}

/** Ends a text message; an artifact's text is then written to the state as well. */
function closeText(draft: Draft, id: string): void {
  if (!isOpen(draft, id)) return;
  const message = findMessage(draft.p, id);
  const note = noteOf(message);
  const before = currentLengthInState(draft, message ?? {}, note);
  if (keyOf(id) === null || message === undefined || note === null || !putText(draft, id)) {
    endText(draft, id);
    return;
  }
  endText(draft, id, { standfast: { ...note, inState: contentText(message).length, before } });
}

export function closeAllTexts(draft: Draft): void {
  for (const id of draft.p.openTexts) closeText(draft, id);
}

/** Ends the texts of all artifacts but these; the whole of a message may still follow. */
export function closeOtherTexts(draft: Draft, a2aTaskId: A2aTaskId, artifacts: readonly NeutralArtifact[]): void {
  const kept = new Set(artifacts.map(({ artifactId }) => `${a2aTaskId}:${artifactId}`));
  for (const id of draft.p.openTexts) {
    const key = keyOf(id);
    if (key !== null && !kept.has(key)) closeText(draft, id);
  }
}

function openVersion(draft: Draft, key: string, version: number, artifact: NeutralArtifact): string {
  const id = versionId({ kind: 'artifact', key, version });
  const { artifactId, name } = artifact;
  const there = noteOf(findMessage(draft.p, id));
  const { path } = infoOf(draft, artifact);
  if (!isOpen(draft, id)) endMessages(draft);
  const note: TextNote = { artifactId, name, path, inState: there?.inState ?? null, before: there?.before ?? null };
  openText(draft, id, { standfast: { ...note } });
  return id;
}

/** Appends to an open text, and rewrites it in the state once it has doubled. */
function grow(draft: Draft, id: string, more: string): void {
  const message = findMessage(draft.p, id) ?? {};
  const note = noteOf(message);
  const outgoing = contentText(message).length;
  const length = outgoing + cutText(more, Math.max(0, maxTextLength - outgoing)).length;
  const isDue = length > outgoing && length >= Math.max(firstRestatedLength, 2 * (note?.inState ?? 0));
  if (note === null || !isDue) {
    emitText(draft, id, more);
    return;
  }
  emitText(draft, id, more, {
    standfast: { ...note, inState: length, before: currentLengthInState(draft, message, note) },
  });
  putText(draft, id);
}

/** Appends to an artifact's text (`append`) or replaces it. */
export function writeArtifactText(
  draft: Draft,
  a2aTaskId: A2aTaskId,
  artifact: NeutralArtifact,
  isAppended: boolean,
): void {
  const text = artifact.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  if (text === '') return;
  const key = `${a2aTaskId}:${artifact.artifactId}`;
  const version = currentVersion(draft.p, 'artifact', key);
  const id = versionId({ kind: 'artifact', key, version });
  const current = version === 0 ? undefined : findMessage(draft.p, id);
  if (current === undefined || current['role'] !== 'assistant') {
    grow(draft, openVersion(draft, key, version + 1, artifact), text);
    return;
  }
  if (isAppended) {
    grow(draft, openVersion(draft, key, version, artifact), text);
    return;
  }
  const message = contentText(current);
  const wanted = cutText(text, maxTextLength);
  if (wanted === message) return;
  if (wanted.startsWith(message)) {
    grow(draft, openVersion(draft, key, version, artifact), wanted.slice(message.length));
    return;
  }
  endText(draft, id);
  grow(draft, openVersion(draft, key, version + 1, artifact), wanted);
}

/**
 * Writes the text of an artifact that only repeats messages (`isRepeat`) to the state; false for any other, and
 * for one that may still grow.
 */
export function putRepeatedText(
  draft: Draft,
  a2aTaskId: A2aTaskId,
  artifact: NeutralArtifact,
  path: string[] | null,
  how: { isAppended: boolean; isLast: boolean },
): boolean {
  const text = messageText(artifact.parts);
  const isWhole = artifact.metadata['standfast.repeats'] === true || (how.isLast && !how.isAppended);
  if (!isWhole || text === '') return false;
  if (currentVersion(draft.p, 'artifact', `${a2aTaskId}:${artifact.artifactId}`) > 0) return false;
  const isShown = isRepeat(draft.p, text);
  if (isShown && path !== null) putEntry(draft, artifact.artifactId, path, textValue(text));
  return isShown;
}

/** True when the value was written from any artifact's text, since agents may give two artifacts the same path. */
const isSomeText = (draft: Draft, value: Json): boolean =>
  (typeof value === 'string' || omittedBytes(value) !== null) &&
  draft.p.messages.some((message) => keyOf(messageId(message)) !== null && lengthInState(message, value) !== null);

/** The data at the artifact's path; undefined for text that was written there. */
export function dataAt(draft: Draft, a2aTaskId: A2aTaskId, artifactId: string, path: string[]): Json | undefined {
  const there = entryValue(draft, artifactId, path);
  if (there === undefined || isTextValue(draft, `${a2aTaskId}:${artifactId}`, there)) return undefined;
  return isSomeText(draft, there) ? undefined : there;
}

/** Ends an artifact's text if `isLast`; ended text is written to the state unless data is there. */
export function settleArtifactText(draft: Draft, a2aTaskId: A2aTaskId, artifactId: string, isLast: boolean): void {
  const key = `${a2aTaskId}:${artifactId}`;
  const version = currentVersion(draft.p, 'artifact', key);
  if (version === 0) return;
  const id = versionId({ kind: 'artifact', key, version });
  if (!isOpen(draft, id)) putText(draft, id);
  else if (isLast) closeText(draft, id);
}

// JSON Patch cannot append to a string, so a growing string would be sent whole with every chunk. Beyond a minimum
// length new chunks are collected in `/view/artifactTails/<artifactId>`, and joined to the value when they have doubled
// it, when the list is full, and when the artifact ends.
const tailsAt = ['view', 'artifactTails'];
const minLength = 1024;
const maxTail = 256;
/** A larger value is replaced in the state by its size. */
export const maxValueBytes = 256 * 1024;

function tailOf(draft: Draft, artifactId: string): Json[] {
  const tail = valueAt(draft.state, [...tailsAt, artifactId]);
  return Array.isArray(tail) ? tail : [];
}

const joinText = (tail: readonly Json[]): string => tail.filter((text) => typeof text === 'string').join('');

function setTail(draft: Draft, artifactId: string, tail: Json[] | undefined): void {
  draft.state = withValueAt(draft.state, [...tailsAt, artifactId], tail);
}

/** Removes and returns the collected chunks of an artifact; '' when there are none. */
export function takeTail(draft: Draft, artifactId: string): string {
  const tail = tailOf(draft, artifactId);
  if (tail.length > 0) setTail(draft, artifactId, undefined);
  return joinText(tail);
}

/** Collects chunks instead of appending them to the value; false when they must be joined now. */
export function isKeptForLater(
  draft: Draft,
  artifactId: string,
  value: Json | undefined,
  more: readonly Json[],
): boolean {
  if (typeof value !== 'string' || value.length < minLength || !isSafeKey(artifactId)) return false;
  if (!more.every((text) => typeof text === 'string')) return false;
  const tail = more.reduce<Json[]>(pushed, tailOf(draft, artifactId));
  if (tail.length >= maxTail || joinText(tail).length >= value.length) return false;
  setTail(draft, artifactId, tail);
  return true;
}

/** Joins all collected chunks to their values. */
export function joinTails(draft: Draft): void {
  const tails = valueAt(draft.state, tailsAt);
  if (!isObject(tails)) return;
  for (const artifactId of Object.keys(tails)) {
    const path = artifactPath(infoOf(draft, { artifactId, name: '', metadata: {} }).path);
    const text = takeTail(draft, artifactId);
    const value = path === null ? undefined : entryValue(draft, artifactId, path);
    if (path === null || typeof value !== 'string' || text === '') continue;
    const bytes = jsonBytes(value + text);
    putEntry(draft, artifactId, path, bytes > maxValueBytes ? omitted(bytes) : value + text);
  }
}
