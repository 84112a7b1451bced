import type { Json } from '../../contract/json.ts';
import type { NeutralArtifact, NeutralPart } from '../../contract/turn.ts';
import { artifactPath } from './artifact-path.ts';
import { closeOtherTexts, dataAt, settleArtifactText, writeArtifactText } from './artifact-text.ts';
import type { Draft } from './draft.ts';
import { jsonBytes, pushed } from './json-bytes.ts';
import { withValueAt } from './state-patch.ts';
import { omitted, omittedBytes, putInView } from './view.ts';

/** A larger value is not put into the state: it says only how large it is. */
const maxValueBytes = 256 * 1024;

function base64Bytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

/** What a part is in the state; text parts are messages instead. */
function partValue(part: NeutralPart): Json | undefined {
  if (part.kind === 'data') return part.data;
  if (part.kind === 'text') return undefined;
  const bytes = part.base64 === null ? null : base64Bytes(part.base64);
  return { name: part.name, mediaType: part.mediaType, uri: part.uri, bytes };
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

/** Shows the text of an artifact as a message; text alone, when it is not appended, takes the place of data. */
function showText(draft: Draft, a2aTaskId: string, artifact: NeutralArtifact, how: Writing): void {
  const { artifactId, parts } = artifact;
  const path = artifactPath(artifact);
  const isTextAlone = valuesOf(artifact).length === 0 && parts.some((part) => part.kind === 'text' && part.text !== '');
  if (path !== null && isTextAlone && !how.isAppended && dataAt(draft, a2aTaskId, artifactId, path) !== undefined) {
    draft.state = withValueAt(draft.state, path, undefined);
  }
  writeArtifactText(draft, a2aTaskId, artifact, how.isAppended);
  settleArtifactText(draft, a2aTaskId, artifactId, how.isLast);
}

/** Puts data and files of an artifact into the state. */
function putValues(draft: Draft, a2aTaskId: string, artifact: NeutralArtifact, how: Writing): void {
  const path = artifactPath(artifact);
  const values = valuesOf(artifact);
  if (path === null || values.length === 0) return;
  const before = how.isAppended ? dataAt(draft, a2aTaskId, artifact.artifactId, path) : undefined;
  const value = values.reduce<Json | undefined>(appended, before);
  if (value !== undefined) putInView(draft, path, value);
}

interface Writing {
  isAppended: boolean;
  isLast: boolean;
}

/**
 * Shows a chunk of an artifact: its text as a message, its data and files in the state. Parts are taken one after the
 * other, so an artifact that came in chunks and the same one read whole come to the same. Where it has both, the state
 * holds the data.
 */
export function writeArtifact(draft: Draft, a2aTaskId: string, artifact: NeutralArtifact, how: Writing): void {
  showText(draft, a2aTaskId, artifact, how);
  putValues(draft, a2aTaskId, artifact, how);
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
  if (isLast) closeOtherTexts(draft, a2aTaskId, listed);
  for (const artifact of listed) showText(draft, a2aTaskId, artifact, how);
  for (const artifact of listed) putValues(draft, a2aTaskId, artifact, how);
}
