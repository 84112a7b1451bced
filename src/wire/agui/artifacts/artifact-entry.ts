// Artifact metadata that the projection understands:
//
//   path    JSON pointer of the artifact in the shared state, inside /view; for any other path a CUSTOM warning is
//           emitted and the default location used
//   kind    text | data | file, overrides how all parts are shown. text: data is shown as text too; data: text goes
//           into the state instead of a message; file: each part is a file
//   scope   task (default): removed when the thread's next task starts; thread: kept
//   uiKind  rendering hint: copied to the entry, and the type of an activity emitted after the entry
//
// The first value wins, because later chunks often omit metadata. It is stored in `/view/artifactInfo/<id>`; an
// artifact with none of these keys has no entry there.
import type { TaskId } from '../../../contract/base/id-types.ts';
import type { Json } from '../../../contract/base/json.ts';
import type { NeutralArtifact, NeutralPart } from '../../../contract/tasks/turn.ts';
import { isCardType } from '../model/activity.ts';
import { emit, type Draft } from '../model/draft.ts';
import { isEqual, isSafeKey, pointerSegments } from '../../../core/agui/patch.ts';
import { pointerOf, valueAt, withValueAt } from '../model/state-patch.ts';
import { cutText, isReasoning } from '../model/text.ts';
import { jsonBytes } from '../model/json-bytes.ts';
import { isObject, objectOf, stringOf } from '../../../core/base/json.ts';
import { ownEntry } from '../../../core/base/own-entry.ts';

interface ArtifactInfo {
  taskId: TaskId;
  name: string;
  /** JSON pointer of the artifact in the state; '' when it is not there. */
  path: string;
  kind: 'text' | 'data' | 'file' | null;
  scope: 'task' | 'thread';
  uiKind: string | null;
  /** The requested path when it was refused, else null. */
  refusedPath: string | null;
}

const infosAt = ['view', 'artifactInfo'];
const maxUiKind = 100;
const maxInfos = 1000;
const maxName = 200;

/** Activity types with a meaning of their own in front ends. */
const takenTypes = new Set(['a2ui-surface']);

function readUiKind(value: Json | undefined): string | null {
  const request = stringOf(value).trim();
  const isUsable = request !== '' && request.length <= maxUiKind && !isCardType(request) && !takenTypes.has(request);
  return isUsable ? request : null;
}

function readKind(value: Json | undefined): ArtifactInfo['kind'] {
  return value === 'text' || value === 'data' || value === 'file' ? value : null;
}

/** Parses an entry of `/view/artifactInfo`; null when it is not an object. */
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

/** The path that the artifact requests, if it must be refused; at most 200 characters. */
function refusedPath(path: Json | undefined): string | null {
  if (path === undefined || path === null || path === '' || requestedPath(path) !== null) return null;
  return cutText(typeof path === 'string' ? path : JSON.stringify(path), maxName);
}

/** The stored info of an artifact of this task; null when there is none. */
export const keptInfo = (draft: Draft, artifactId: string): ArtifactInfo | null => {
  const info = readInfo(valueAt(draft.state, [...infosAt, artifactId]));
  return info?.taskId === draft.ctx.taskId ? info : null;
};

/** The artifact's info, from this chunk's metadata or that of an earlier chunk. */
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

/** Emits a `standfast.warning` (`artifact_path_refused`) once per artifact; must be called before `keepInfo`. */
export function warnOfPath(draft: Draft, artifactId: string, info: ArtifactInfo): void {
  if (info.refusedPath === null || keptInfo(draft, artifactId) !== null || !isSafeKey(artifactId)) return;
  const message = `the path ${info.refusedPath} is not inside /view, or belongs to Standfast there`;
  const value = { code: 'artifact_path_refused', message, artifactId, path: info.refusedPath, shownAt: info.path };
  emit(draft, { type: 'CUSTOM', name: 'standfast.warning', value });
}

/** Ids of the artifacts that have a `uiKind`. */
export function drawnArtifacts(draft: Draft): string[] {
  const entries = valueAt(draft.state, infosAt);
  return Object.keys(objectOf(entries)).filter((artifactId) => (keptInfo(draft, artifactId)?.uiKind ?? null) !== null);
}

/**
 * Stores the info that later chunks and the thread's next task need; artifacts without any such metadata are not
 * stored.
 */
export function keepInfo(draft: Draft, artifactId: string, info: ArtifactInfo): void {
  if (!isSafeKey(artifactId)) return;
  const usual = pathBelow(defaultArtifactBase, artifactId);
  const isUsual = info.path === (usual === null ? '' : pointerOf(usual));
  const isPlain =
    isUsual && info.kind === null && info.scope === 'task' && info.uiKind === null && info.refusedPath === null;
  const entries = valueAt(draft.state, infosAt);
  const there = isObject(entries) ? ownEntry(entries, artifactId) : undefined;
  const isRoom = there !== undefined || !isObject(entries) || Object.keys(entries).length < maxInfos;
  // An artifact kept from an earlier task is replaced by one of the same name.
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

/** The artifact's parts converted to its `kind`, without reasoning. */
export function partsOfKind(artifact: NeutralArtifact, kind: ArtifactInfo['kind']): NeutralPart[] {
  return artifact.parts
    .filter((part) => !isReasoning(part))
    .map((part) => {
      if (kind === 'text') return asText(part);
      if (kind === 'data' && part.kind === 'text') return { kind: 'data', data: part.text, metadata: {} };
      return kind === 'file' ? asFile(part, artifact.name) : part;
    });
}

/** The value with `uiKind` added: as a key where an object has room for it, else in a wrapper object. */
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

/** The artifact's value in the state, without its `uiKind`; undefined when there is none. */
export function entryValue(draft: Draft, artifactId: string, path: readonly string[]): Json | undefined {
  const entry = valueAt(draft.state, path);
  return entry === undefined ? undefined : withoutUiKind(entry, keptInfo(draft, artifactId)?.uiKind ?? null);
}

/** Writes the artifact's value to the state. */
export function putEntry(draft: Draft, artifactId: string, path: string[], value: Json): void {
  putInView(draft, path, withUiKind(value, keptInfo(draft, artifactId)?.uiKind ?? null));
}

/** Default location of artifacts. */
export const defaultArtifactBase = '/view/artifacts';

/** Keys of /view that are reserved for Standfast. */
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

/** The pointer's segments when artifacts may be stored there (inside /view, not below a reserved key), else null. */
export function artifactPath(pointer: string): string[] | null {
  const segments = viewPath(pointer);
  return segments?.[1] === 'artifacts' && segments.length === 2 ? null : segments;
}

/** The pointer without a trailing slash when artifacts may be stored below it, else null. */
export function artifactBase(pointer: string): string | null {
  const bare = pointer.trim().replace(/\/+$/, '');
  const segments = viewPath(bare);
  return segments === null || segments.length === maxSegments ? null : bare;
}

/** The path requested in the artifact's metadata; null when it is missing or not allowed. */
function requestedPath(path: unknown): string[] | null {
  const request = typeof path === 'string' ? path.trim() : '';
  return artifactPath(request.startsWith('/') ? request : `/${request}`);
}

/** The artifact's path below a base; null when its id is not safe as a key. */
function pathBelow(base: string, artifactId: string): string[] | null {
  return (
    artifactPath(`${base}${pointerOf([artifactId])}`) ?? artifactPath(pointerOf(['view', 'artifacts', artifactId]))
  );
}

/** Size limit of /view: AG-UI clients reject a 10 MB frame, and every closing run restates the whole state. */
const maxViewBytes = 4 * 1024 * 1024;

/** Placeholder for a value that is too large for the state. */
export const omitted = (bytes: number): Json => ({ omitted: 'too_large', bytes });

export function omittedBytes(value: Json): number | null {
  return isObject(value) && value['omitted'] === 'too_large' && typeof value['bytes'] === 'number'
    ? value['bytes']
    : null;
}

/**
 * Sets a value in the draft state; when /view would exceed its limit, only the placeholder, and if that does not fit
 * either, nothing.
 */
export function putInView(draft: Draft, path: string[], value: Json): void {
  for (const candidate of [value, omitted(jsonBytes(value))]) {
    const next = withValueAt(draft.state, path, candidate);
    if (jsonBytes(next['view'] ?? null) <= maxViewBytes) {
      draft.state = next;
      return;
    }
  }
}
