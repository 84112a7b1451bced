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
import type { Json } from '../../../contract/json.ts';
import type { NeutralArtifact, NeutralPart } from '../../../contract/turn.ts';
import { isCardType } from '../model/activity.ts';
import { defaultArtifactBase, pathBelow, requestedPath } from './artifact-path.ts';
import { emit, type Draft } from '../model/draft.ts';
import { isEqual, isObject, isSafeKey, pointerOf, valueAt, withValueAt } from '../model/state-patch.ts';
import { cutText } from '../model/text.ts';
import { isReasoning } from '../model/reasoning-part.ts';
import { putInView } from './view.ts';

export interface ArtifactInfo {
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

const readText = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Types of activities that mean something else to front ends. */
const takenTypes = new Set(['a2ui-surface']);

function readUiKind(value: Json | undefined): string | null {
  const request = readText(value).trim();
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
    taskId: readText(entry['taskId']),
    name: readText(entry['name']),
    path: readText(entry['path']),
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

/** Says once that an artifact does not stand where its agent wished; called before the artifact's info is kept. */
export function warnOfPath(draft: Draft, artifactId: string, info: ArtifactInfo): void {
  if (info.refusedPath === null || keptInfo(draft, artifactId) !== null || !isSafeKey(artifactId)) return;
  const message = `the path ${info.refusedPath} is not inside /view, or belongs to Holdpoint there`;
  const value = { code: 'artifact_path_refused', message, artifactId, path: info.refusedPath, shownAt: info.path };
  emit(draft, { type: 'CUSTOM', name: 'holdpoint.warning', value });
}

/** Artifacts that are to be drawn by the front end. */
export function drawnArtifacts(draft: Draft): string[] {
  const entries = valueAt(draft.state, infosAt);
  return Object.keys(isObject(entries) ? entries : {}).filter(
    (artifactId) => (keptInfo(draft, artifactId)?.uiKind ?? null) !== null,
  );
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

/** An artifact's parts as they are meant, without its thoughts. */
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
