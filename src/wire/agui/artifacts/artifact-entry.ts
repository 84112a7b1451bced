// What an agent may say about an artifact in its metadata:
//
//   path    where it stands in the shared state, inside /view; any other place is refused by a CUSTOM event, and the
//           artifact stands where one without a path does
//   kind    text | data | file: as what all its parts are meant. text: data is shown as text too; data: text is not
//           streamed as a message but stands in the state; file: each part is a file
//   scope   task (default): gone with the thread's next task · thread: stays
//   uiKind  how the front end may draw it: copied to the entry, and the type of an activity that follows the entry
//
// The first word counts, since further chunks often leave the metadata out. It is kept in `/view/artifactInfo/<id>`;
// an artifact with none of these has no entry there.
import type { Json } from '../../../contract/base/json.ts';
import type { NeutralArtifact, NeutralPart } from '../../../contract/tasks/turn.ts';
import { isCardType } from '../model/activity.ts';
import { emit, type Draft } from '../model/draft.ts';
import { isEqual, isSafeKey, pointerOf, valueAt, withValueAt, pointerSegments } from '../model/state-patch.ts';
import { cutText, isReasoning } from '../model/text.ts';
import { jsonBytes } from '../model/json-bytes.ts';
import { isObject, objectOf, stringOf } from '../../../core/base/json.ts';

interface ArtifactInfo {
  taskId: string;
  name: string;
  /** JSON pointer of its place; '' when it has none. */
  path: string;
  kind: 'text' | 'data' | 'file' | null;
  scope: 'task' | 'thread';
  uiKind: string | null;
  /** The path that it asked for and did not get; null when there is none. */
  refusedPath: string | null;
}

const infosAt = ['view', 'artifactInfo'];
const maxUiKind = 100;
const maxInfos = 1000;
const maxName = 200;

/** Types of activities that mean something else to front ends. */
const takenTypes = new Set(['a2ui-surface']);

function readUiKind(value: Json | undefined): string | null {
  const request = stringOf(value).trim();
  const isUsable = request !== '' && request.length <= maxUiKind && !isCardType(request) && !takenTypes.has(request);
  return isUsable ? request : null;
}

function readKind(value: Json | undefined): ArtifactInfo['kind'] {
  return value === 'text' || value === 'data' || value === 'file' ? value : null;
}

/** An entry of `/view/artifactInfo`. */
export function readInfo(entry: Json | undefined): ArtifactInfo | null {
  if (!isObject(entry)) return null;
  return {
    taskId: stringOf(entry['taskId']),
    name: stringOf(entry['name']),
    path: stringOf(entry['path']),
    kind: readKind(entry['kind']),
    scope: entry['scope'] === 'thread' ? 'thread' : 'task',
    uiKind: readUiKind(entry['uiKind']),
    refusedPath: typeof entry['refusedPath'] === 'string' ? entry['refusedPath'] : null,
  };
}

/** A path that an artifact asks for and cannot have. */
function refusedPath(path: Json | undefined): string | null {
  if (path === undefined || path === null || path === '' || requestedPath(path) !== null) return null;
  return cutText(typeof path === 'string' ? path : JSON.stringify(path), maxName);
}

/** What is kept of an artifact of this task; null when that is nothing. */
export const keptInfo = (draft: Draft, artifactId: string): ArtifactInfo | null => {
  const info = readInfo(valueAt(draft.state, [...infosAt, artifactId]));
  return info?.taskId === draft.ctx.taskId ? info : null;
};

/** What is known of an artifact now, from this chunk of it or an earlier one. */
export function infoOf(
  draft: Draft,
  artifact: Pick<NeutralArtifact, 'artifactId' | 'name' | 'metadata'>,
): ArtifactInfo {
  const { artifactId, name, metadata } = artifact;
  const kept = keptInfo(draft, artifactId);
  const base = draft.ctx.artifactBasePath ?? defaultArtifactBase;
  const path = requestedPath(metadata['path']) ?? pathBelow(base, artifactId);
  return {
    taskId: draft.ctx.taskId,
    name: kept === null || kept.name === '' ? name : kept.name,
    path: kept?.path ?? (path === null ? '' : pointerOf(path)),
    kind: kept?.kind ?? readKind(metadata['kind']),
    scope: kept?.scope === 'thread' || metadata['scope'] === 'thread' ? 'thread' : 'task',
    uiKind: kept?.uiKind ?? readUiKind(metadata['uiKind']),
    refusedPath: kept === null ? refusedPath(metadata['path']) : kept.refusedPath,
  };
}

/** Reports once that an artifact does not stand where its agent asked; called before the artifact's info is kept. */
export function warnOfPath(draft: Draft, artifactId: string, info: ArtifactInfo): void {
  if (info.refusedPath === null || keptInfo(draft, artifactId) !== null || !isSafeKey(artifactId)) return;
  const message = `the path ${info.refusedPath} is not inside /view, or belongs to Holdpoint there`;
  const value = { code: 'artifact_path_refused', message, artifactId, path: info.refusedPath, shownAt: info.path };
  emit(draft, { type: 'CUSTOM', name: 'holdpoint.warning', value });
}

/** Artifacts that are to be drawn by the front end. */
export function drawnArtifacts(draft: Draft): string[] {
  const entries = valueAt(draft.state, infosAt);
  return Object.keys(objectOf(entries)).filter((artifactId) => (keptInfo(draft, artifactId)?.uiKind ?? null) !== null);
}

/** Keeps what further chunks, and the thread's next task, must know; nothing of an artifact that says nothing of itself. */
export function keepInfo(draft: Draft, artifactId: string, info: ArtifactInfo): void {
  if (!isSafeKey(artifactId)) return;
  const usual = pathBelow(defaultArtifactBase, artifactId);
  const isUsual = info.path === (usual === null ? '' : pointerOf(usual));
  const isPlain =
    isUsual && info.kind === null && info.scope === 'task' && info.uiKind === null && info.refusedPath === null;
  const entries = valueAt(draft.state, infosAt);
  const there = isObject(entries) && Object.hasOwn(entries, artifactId) ? entries[artifactId] : undefined;
  const isRoom = there !== undefined || !isObject(entries) || Object.keys(entries).length < maxInfos;
  // An artifact of an earlier task that stayed gives way to the one of its name.
  const { refusedPath: refused, ...message } = info;
  const warned = refused === null ? {} : { refusedPath: refused };
  const entry = isPlain ? undefined : { ...message, ...warned, name: cutText(info.name, maxName) };
  if (isRoom && !(there !== undefined && entry !== undefined && isEqual(there, entry))) {
    draft.state = withValueAt(draft.state, [...infosAt, artifactId], entry);
  }
}

const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

function asText(part: NeutralPart): NeutralPart {
  if (part.kind !== 'data') return part;
  return { kind: 'text', text: typeof part.data === 'string' ? part.data : JSON.stringify(part.data), metadata: {} };
}

function asFile(part: NeutralPart, name: string): NeutralPart {
  if (part.kind === 'file') return part;
  const [text, mediaType] =
    part.kind === 'text' ? [part.text, 'text/plain'] : [JSON.stringify(part.data), 'application/json'];
  return { kind: 'file', name, mediaType, uri: null, base64: toBase64(text), metadata: {} };
}

/** An artifact's parts as they are meant, without its reasoning. */
export function meantParts(artifact: NeutralArtifact, kind: ArtifactInfo['kind']): NeutralPart[] {
  return artifact.parts
    .filter((part) => !isReasoning(part))
    .map((part) => {
      if (kind === 'text') return asText(part);
      if (kind === 'data' && part.kind === 'text') return { kind: 'data', data: part.text, metadata: {} };
      return kind === 'file' ? asFile(part, artifact.name) : part;
    });
}

/** An artifact's value with its `uiKind`: a key of an object that has room for it, else a wrapping. */
function withUiKind(value: Json, uiKind: string | null): Json {
  if (uiKind === null) return value;
  const isMergeable = isObject(value) && !Object.hasOwn(value, 'uiKind') && !Object.hasOwn(value, 'value');
  return isMergeable ? { ...value, uiKind } : { uiKind, value };
}

function withoutUiKind(entry: Json, uiKind: string | null): Json {
  if (uiKind === null || !isObject(entry) || entry['uiKind'] !== uiKind) return entry;
  const { uiKind: _kind, ...rest } = entry;
  const { value } = rest;
  return value !== undefined && Object.keys(rest).length === 1 ? value : rest;
}

/** An artifact's value as it stands in the state; undefined when there is none. */
export function entryValue(draft: Draft, artifactId: string, path: readonly string[]): Json | undefined {
  const entry = valueAt(draft.state, path);
  return entry === undefined ? undefined : withoutUiKind(entry, keptInfo(draft, artifactId)?.uiKind ?? null);
}

/** Puts an artifact's value into the state. */
export function putEntry(draft: Draft, artifactId: string, path: string[], value: Json): void {
  putInView(draft, path, withUiKind(value, keptInfo(draft, artifactId)?.uiKind ?? null));
}

/** Where artifacts stand that ask for no other place. */
export const defaultArtifactBase = '/view/artifacts';

/** Parts of /view that are Holdpoint's own; no agent writes there. */
const reserved = new Set(['tasks', 'taskIds', 'pendingInterrupts', 'engram', 'files', 'artifactInfo', 'artifactTails']);
const maxSegments = 8;
const maxPointer = 1000;

function viewPath(pointer: string): string[] | null {
  const segments = pointer.length > maxPointer ? null : pointerSegments(pointer);
  if (segments === null || segments.length < 2 || segments.length > maxSegments) return null;
  if (segments.some((segment) => segment === '' || !isSafeKey(segment))) return null;
  const [root, area = ''] = segments;
  return root !== 'view' || reserved.has(area) ? null : segments;
}

/** Segments of a place where an artifact may stand: inside /view, outside what is Holdpoint's; null for any other. */
export function artifactPath(pointer: string): string[] | null {
  const segments = viewPath(pointer);
  return segments?.[1] === 'artifacts' && segments.length === 2 ? null : segments;
}

/** A pointer below which artifacts may stand, without a slash at its end; null when they may not. */
export function artifactBase(pointer: string): string | null {
  const bare = pointer.trim().replace(/\/+$/, '');
  const segments = viewPath(bare);
  return segments === null || segments.length === maxSegments ? null : bare;
}

/** The place that an artifact's metadata asks for, if it is one. */
function requestedPath(path: unknown): string[] | null {
  const request = typeof path === 'string' ? path.trim() : '';
  return artifactPath(request.startsWith('/') ? request : `/${request}`);
}

/** The place of an artifact below a base; null when its id must not be a key there. */
function pathBelow(base: string, artifactId: string): string[] | null {
  return (
    artifactPath(`${base}${pointerOf([artifactId])}`) ?? artifactPath(pointerOf(['view', 'artifacts', artifactId]))
  );
}

/** All of /view together; clients refuse a frame of 10 MB, and every closing run restates it. */
const maxViewBytes = 4 * 1024 * 1024;

/** What stands for a value that is too large for the state. */
export const omitted = (bytes: number): Json => ({ omitted: 'too_large', bytes });

export function omittedBytes(value: Json): number | null {
  return isObject(value) && value['omitted'] === 'too_large' && typeof value['bytes'] === 'number'
    ? value['bytes']
    : null;
}

/** Puts a value into the wanted state; when /view would grow too large its size alone, and else nothing. */
export function putInView(draft: Draft, path: string[], value: Json): void {
  for (const candidate of [value, omitted(jsonBytes(value))]) {
    const next = withValueAt(draft.state, path, candidate);
    if (jsonBytes(next['view'] ?? null) <= maxViewBytes) {
      draft.state = next;
      return;
    }
  }
}
