import type { A2aTaskId } from '../../../contract/base/id-types.ts';
import { a2uiOperationsIn, surfaceIn } from '../../../contract/base/a2ui.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { NeutralArtifact, NeutralPart } from '../../../contract/tasks/turn.ts';
import {
  infoOf,
  keepInfo,
  partsOfKind,
  putEntry,
  warnOfPath,
  artifactPath,
  omitted,
  omittedBytes,
  drawnArtifacts,
  entryValue,
  keptInfo,
} from './artifact-entry.ts';
import {
  isKeptForLater,
  joinTails,
  maxValueBytes,
  takeTail,
  closeOtherTexts,
  dataAt,
  putRepeatedText,
  settleArtifactText,
  writeArtifactText,
} from './artifact-text.ts';
import { type Draft, emit } from '../model/draft.ts';
import { fileReference, attachFile } from './attachments.ts';
import { jsonBytes, pushed } from '../model/json-bytes.ts';
import { withValueAt } from '../model/state-patch.ts';
import { emitArtifactReasoning } from '../model/reasoning.ts';
import { isFunctionPart, isFunctionResponse, readToolPart, showToolPart } from '../cards/tool-part.ts';
import { emitActivity } from '../model/activity.ts';
import { a2aTaskIdOf } from '../cards/task-entry.ts';
import { isAcceptableA2aId } from '../../../contract/base/ids.ts';
import { shownId } from '../model/message-ids.ts';
import { findMessage } from '../../../core/agui/messages.ts';
import { isObject } from '../../../core/base/json.ts';

/** The part's representation in the state; undefined for text, which becomes a message. */
function partValue(part: NeutralPart): Json | undefined {
  if (part.kind === 'data') return part.data;
  return part.kind === 'text' ? undefined : fileReference(part);
}

function joined(value: Json | undefined, part: Json): Json {
  if (value === undefined) return part;
  if (typeof value === 'string' && typeof part === 'string') return value + part;
  return Array.isArray(value) ? pushed(value, part) : [value, part];
}

/** Adds a part to an artifact's value: strings are concatenated, lists get an element, anything else becomes a list. */
function appended(value: Json | undefined, part: Json): Json {
  const gone = value === undefined ? null : omittedBytes(value);
  if (gone !== null) return omitted(gone + jsonBytes(part));
  const next = joined(value, part);
  const bytes = jsonBytes(next);
  return bytes > maxValueBytes ? omitted(bytes) : next;
}

const valuesOf = (artifact: NeutralArtifact): Json[] =>
  artifact.parts.map(partValue).filter((value) => value !== undefined);

interface Writing {
  isAppended: boolean;
  isLast: boolean;
}

/** An artifact with its parts converted to its `kind`, and its path in the state. */
interface Meant {
  artifact: NeutralArtifact;
  path: string[] | null;
}

/** Stores the artifact's info, and emits its reasoning and files. */
function receive(draft: Draft, a2aTaskId: A2aTaskId, given: NeutralArtifact, how: Writing): Meant {
  const { artifactId } = given;
  const info = infoOf(draft, given);
  warnOfPath(draft, artifactId, info);
  keepInfo(draft, artifactId, info);
  const own = given.parts.filter((part) => !isFunctionPart(part));
  const artifact = { ...given, parts: partsOfKind({ ...given, parts: own }, info.kind) };
  projectToolCalls(draft, a2aTaskId, given);
  emitArtifactReasoning(draft, `${a2aTaskId}:${artifactId}`, given.parts, how);
  for (const part of artifact.parts) {
    if (part.kind === 'file') attachFile(draft, part, { artifactId, a2aTaskId }, true);
  }
  return { artifact, path: artifactPath(info.path) };
}

/**
 * Emits tool calls, which ADK's newer executor sends in artifacts of their own; results come last, because a result is
 * only shown after its call.
 */
export function projectToolCalls(draft: Draft, a2aTaskId: A2aTaskId, { artifactId, parts }: NeutralArtifact): void {
  const key = `${a2aTaskId}:${artifactId}`;
  const own = parts.filter(isFunctionPart);
  const seen = new Map<string, number>();
  for (const part of [...own.filter((one) => !isFunctionResponse(one)), ...own.filter(isFunctionResponse)]) {
    const tool = readToolPart(part);
    if (tool === null) continue;
    // Chunks of one artifact bring parts one by one, so a part's number says nothing; how often its id came does.
    const named = `${tool.kind} ${tool.toolCallId}`;
    const nth = (seen.get(named) ?? 0) + 1;
    seen.set(named, nth);
    const place = { key: `${key}#${tool.toolCallId}${nth === 1 ? '' : `.${nth}`}`, isInArtifact: true, isPast: false };
    showToolPart(draft, tool, place, `calls:${key}`);
  }
}

/** Emits the artifact's text as a message; text alone that is not appended replaces data. */
function showText(draft: Draft, a2aTaskId: A2aTaskId, { artifact, path }: Meant, how: Writing): void {
  const { artifactId, parts } = artifact;
  if (putRepeatedText(draft, a2aTaskId, artifact, path, how)) return;
  const isTextAlone = valuesOf(artifact).length === 0 && parts.some((part) => part.kind === 'text' && part.text !== '');
  if (path !== null && isTextAlone && !how.isAppended && dataAt(draft, a2aTaskId, artifactId, path) !== undefined) {
    draft.state = withValueAt(draft.state, path, undefined);
  }
  writeArtifactText(draft, a2aTaskId, artifact, how.isAppended);
  settleArtifactText(draft, a2aTaskId, artifactId, how.isLast);
}

/** Writes the artifact's data and files to the state, with the chunks collected so far. */
function putValues(draft: Draft, a2aTaskId: A2aTaskId, { artifact, path }: Meant, how: Writing): void {
  const { artifactId } = artifact;
  const values = valuesOf(artifact);
  if (path !== null && (values.length > 0 || how.isLast)) {
    const before = how.isAppended ? dataAt(draft, a2aTaskId, artifactId, path) : undefined;
    const isLater = how.isAppended && !how.isLast && isKeptForLater(draft, artifactId, before, values);
    if (!isLater) putWhole(draft, artifactId, path, before, values);
  }
}

function putWhole(
  draft: Draft,
  artifactId: string,
  path: string[],
  before: Json | undefined,
  values: readonly Json[],
): void {
  const waiting = takeTail(draft, artifactId);
  const base = waiting === '' || before === undefined ? before : appended(before, waiting);
  const value = values.reduce<Json | undefined>(appended, base);
  if (value !== undefined && (values.length > 0 || base !== before)) putEntry(draft, artifactId, path, value);
}

/**
 * Projects a chunk of an artifact: text as a message, data and files into the state. Parts are applied one by one, so a
 * streamed artifact and the same one in a Task give the same result. With both, the state has the data.
 */
export function writeArtifact(draft: Draft, a2aTaskId: A2aTaskId, artifact: NeutralArtifact, how: Writing): void {
  const meant = receive(draft, a2aTaskId, artifact, how);
  showText(draft, a2aTaskId, meant, how);
  putValues(draft, a2aTaskId, meant, how);
}

/**
 * Projects the artifacts of a whole Task; with `isLast` all texts end. Unlisted artifacts first, then texts, then data,
 * so that repeated snapshots give the same result even when artifact paths overlap.
 */
export function replaceArtifacts(
  draft: Draft,
  a2aTaskId: A2aTaskId,
  artifacts: readonly NeutralArtifact[],
  isLast: boolean,
): void {
  // The last one of each id, because a Task that lists an artifact twice would never converge.
  const listed = [...new Map(artifacts.map((artifact) => [artifact.artifactId, artifact])).values()];
  const how = { isAppended: false, isLast };
  if (isLast) {
    closeOtherTexts(draft, a2aTaskId, listed);
    joinTails(draft);
  }
  const meant = listed.map((artifact) => receive(draft, a2aTaskId, artifact, how));
  for (const one of meant) showText(draft, a2aTaskId, one, how);
  for (const one of meant) putValues(draft, a2aTaskId, one, how);
}

const maxShownBytes = 64 * 1024;

/**
 * Emits the activity of an artifact with `uiKind` (the activity's type): its info, its path in the state, and its value
 * if short.
 */
function emitFrontendActivity(draft: Draft, a2aTaskId: A2aTaskId, artifactId: string): void {
  const info = keptInfo(draft, artifactId);
  const pointer = info === null ? null : artifactPath(info.path);
  if (info === null || info.uiKind === null || pointer === null) return;
  const value = entryValue(draft, artifactId, pointer) ?? null;
  const bytes = jsonBytes(value);
  const shown = bytes <= maxShownBytes || omittedBytes(value) !== null ? value : omitted(bytes);
  const { taskId, name, path } = info;
  const content = { taskId, a2aTaskId, artifactId, name, path, value: shown };
  emitActivity(draft, `ui:${a2aTaskId}:${artifactId}`, info.uiKind, content);
}

/** Emits the activities of all artifacts with `uiKind`, from the draft state. */
export function emitFrontendActivities(draft: Draft): void {
  const a2aTaskId = a2aTaskIdOf({ ...draft.p, state: draft.state }, draft.ctx.taskId);
  if (a2aTaskId === null) return;
  for (const artifactId of drawnArtifacts(draft)) emitFrontendActivity(draft, a2aTaskId, artifactId);
}

// A2UI: an agent renders a user interface by operations on a surface. The surface is an activity `a2ui-surface` with
// the ordered operations; each is recorded in the activity's metadata, so that it is emitted once.
const activityType = 'a2ui-surface';
/** Operations per surface; later ones are dropped. */
const maxOperations = 1000;
const maxContentBytes = 1024 * 1024;

/** The operations of a data part, each with the id of its surface; none when it is no A2UI. */
export function surfaceOperations(data: Json): { surfaceId: string; operation: JsonObject }[] {
  return a2uiOperationsIn(data).flatMap((operation) => {
    const surfaceId = surfaceIn(operation);
    return typeof surfaceId === 'string' && isAcceptableA2aId(surfaceId) ? [{ surfaceId, operation }] : [];
  });
}

/** The activity's id: the surface's own unless taken; null when no id is free. */
function findSurface(draft: Draft, surfaceId: string): { id: string; there: JsonObject | undefined } | null {
  for (const id of [shownId(surfaceId), `surface:${surfaceId}`]) {
    const there = findMessage(draft.p, id);
    if (there === undefined || (there['role'] === 'activity' && there['activityType'] === activityType)) {
      return { id, there };
    }
  }
  return null;
}

/** Appends an operation to a surface, once per `partKey`. */
export function operate(draft: Draft, surfaceId: string, data: JsonObject, partKey: string): void {
  const surface = findSurface(draft, surfaceId);
  if (surface === null) return;
  const { id, there } = surface;
  const note = `standfast.part:${partKey}`;
  const noted = there?.['metadata'];
  if (isObject(noted) && Object.hasOwn(noted, note)) return;
  const content = isObject(there?.['content']) ? there['content'] : { operations: [] };
  const list = Array.isArray(content['operations']) ? content['operations'] : [];
  if (list.length >= maxOperations || jsonBytes(content) + jsonBytes(data) > maxContentBytes) return;
  if (there === undefined)
    emit(draft, { type: 'ACTIVITY_SNAPSHOT', messageId: id, activityType, content, replace: true });
  const patch = [{ op: 'add', path: '/operations/-', value: data }];
  emit(draft, { type: 'ACTIVITY_DELTA', messageId: id, activityType, patch, metadata: { [note]: true } });
}
