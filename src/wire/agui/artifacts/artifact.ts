import type { Json } from '../../../contract/json.ts';
import type { NeutralArtifact, NeutralPart } from '../../../contract/turn.ts';
import { infoOf, keepInfo, meantParts, putEntry, warnOfPath } from './artifact-entry.ts';
import { artifactPath } from './artifact-path.ts';
import { isKeptForLater, joinTails, maxValueBytes, takeTail } from './artifact-tail.ts';
import { closeOtherTexts, dataAt, putRepeatedText, settleArtifactText, writeArtifactText } from './artifact-text.ts';
import type { Draft } from '../model/draft.ts';
import { fileReference, attachFile } from './attachments.ts';
import { jsonBytes, pushed } from '../model/json-bytes.ts';
import { withValueAt } from '../model/state-patch.ts';
import { emitArtifactReasoning } from '../model/reasoning.ts';
import { isFunctionPart, isFunctionResponse, readToolPart, showToolPart } from '../cards/tool-part.ts';
import { omitted, omittedBytes } from './view.ts';

/** What a part is in the state; text parts are messages instead. */
function partValue(part: NeutralPart): Json | undefined {
  if (part.kind === 'data') return part.data;
  return part.kind === 'text' ? undefined : fileReference(part);
}

function joined(value: Json | undefined, part: Json): Json {
  if (value === undefined) return part;
  if (typeof value === 'string' && typeof part === 'string') return value + part;
  return Array.isArray(value) ? pushed(value, part) : [value, part];
}

/** One more part on an artifact's value: texts grow, lists get an element, anything else becomes a list. */
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

/** An artifact whose parts are as they are meant, and its place in the state. */
interface Meant {
  artifact: NeutralArtifact;
  path: string[] | null;
}

/** Takes note of what the artifact says of itself, and shows what it thinks and the files that it holds. */
function receive(draft: Draft, a2aTaskId: string, given: NeutralArtifact, how: Writing): Meant {
  const { artifactId } = given;
  const info = infoOf(draft, given);
  warnOfPath(draft, artifactId, info);
  keepInfo(draft, artifactId, info);
  const own = given.parts.filter((part) => !isFunctionPart(part));
  const artifact = { ...given, parts: meantParts({ ...given, parts: own }, info.kind) };
  projectToolCalls(draft, a2aTaskId, given);
  emitArtifactReasoning(draft, `${a2aTaskId}:${artifactId}`, given.parts, how);
  for (const part of artifact.parts) {
    if (part.kind === 'file') attachFile(draft, part, { artifactId, a2aTaskId }, true);
  }
  return { artifact, path: artifactPath(info.path) };
}

/** ADK's newer executor tells its tool calls in artifacts of their own; responses last, since one is told only when its call was. */
export function projectToolCalls(draft: Draft, a2aTaskId: string, { artifactId, parts }: NeutralArtifact): void {
  const key = `${a2aTaskId}:${artifactId}`;
  const own = parts.filter(isFunctionPart);
  for (const part of [...own.filter((one) => !isFunctionResponse(one)), ...own.filter(isFunctionResponse)]) {
    const tool = readToolPart(part);
    if (tool !== null) showToolPart(draft, tool, `${key}#${tool.toolCallId}`, `calls:${key}`);
  }
}

/** Shows the text of an artifact as a message; text alone, when it is not appended, takes the place of data. */
function showText(draft: Draft, a2aTaskId: string, { artifact, path }: Meant, how: Writing): void {
  const { artifactId, parts } = artifact;
  if (putRepeatedText(draft, artifact, path)) return;
  const isTextAlone = valuesOf(artifact).length === 0 && parts.some((part) => part.kind === 'text' && part.text !== '');
  if (path !== null && isTextAlone && !how.isAppended && dataAt(draft, a2aTaskId, artifactId, path) !== undefined) {
    draft.state = withValueAt(draft.state, path, undefined);
  }
  writeArtifactText(draft, a2aTaskId, artifact, how.isAppended);
  settleArtifactText(draft, a2aTaskId, artifactId, how.isLast);
}

/** Puts data and files of an artifact into the state; what waited for its end comes along. */
function putValues(draft: Draft, a2aTaskId: string, { artifact, path }: Meant, how: Writing): void {
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
 * Shows a chunk of an artifact: its text as a message, its data and files in the state. Parts are taken one after the
 * other, so an artifact that came in chunks and the same one read whole come to the same. Where it has both, the state
 * holds the data.
 */
export function writeArtifact(draft: Draft, a2aTaskId: string, artifact: NeutralArtifact, how: Writing): void {
  const meant = receive(draft, a2aTaskId, artifact, how);
  showText(draft, a2aTaskId, meant, how);
  putValues(draft, a2aTaskId, meant, how);
}

/**
 * Shows artifacts as a whole task lists them; with `isLast` no text stays open. First what the task does not list, then
 * texts, then data: so the outcome is the same however often the snapshot comes, even where an agent gave two artifacts
 * places inside each other.
 */
export function replaceArtifacts(
  draft: Draft,
  a2aTaskId: string,
  artifacts: readonly NeutralArtifact[],
  isLast: boolean,
): void {
  // The last one of each id: a task that lists an artifact twice would else never come to rest.
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
