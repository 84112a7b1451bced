// An artifact's text is one assistant message, `artifact:<a2aTaskId>:<artifactId>`, that grows. Deltas cannot take
// words back: when the agent replaces the text by one that does not continue it, the message ends and the new text
// begins another version, `artifact.2:…`. At the run's end MESSAGES_SNAPSHOT lists the newest version only, so that
// clients drop the older ones. Where the text belongs in the state stands in the message's metadata, because only what
// is in the log survives a crash.
import type { Json, JsonObject } from '../../contract/json.ts';
import type { NeutralArtifact } from '../../contract/turn.ts';
import { artifactPath, artifactPlace } from './artifact-path.ts';
import type { Draft } from './draft.ts';
import { utf8Bytes } from './json-bytes.ts';
import { contentText, findMessage, type Projection } from './projection.ts';
import { isEqual, isObject, pointerOf, valueAt } from './state-patch.ts';
import { cutText, endText, isOpen, maxTextLength, openText, sayText } from './text.ts';
import { omitted, putInView } from './view.ts';

/** A longer text is in its message only; the state says how long it is. */
const maxTextInStateBytes = 64 * 1024;

const versionPattern = /^artifact(?:\.([1-9]\d{0,8}))?:(.*)$/s;

const versionId = (key: string, version: number): string =>
  version === 1 ? `artifact:${key}` : `artifact.${version}:${key}`;

function versionOf(id: unknown): { key: string; version: number } | null {
  const match = typeof id === 'string' ? versionPattern.exec(id) : null;
  return match === null ? null : { key: match[2] ?? '', version: Number(match[1] ?? 1) };
}

/** Messages without the texts of artifacts that a later version replaced. */
export function withoutReplacedTexts(messages: readonly JsonObject[]): JsonObject[] {
  const newest = new Map<string, number>();
  for (const message of messages) {
    const found = versionOf(message['id']);
    if (found !== null) newest.set(found.key, Math.max(found.version, newest.get(found.key) ?? 0));
  }
  return messages.filter((message) => {
    const found = versionOf(message['id']);
    return found === null || message['role'] !== 'assistant' || found.version === newest.get(found.key);
  });
}

function currentVersion(p: Projection, key: string): number {
  const open = p.openTexts.find((id) => versionOf(id)?.key === key);
  if (open !== undefined) return versionOf(open)?.version ?? 1;
  let newest = 0;
  for (const message of p.messages) {
    const found = versionOf(message['id']);
    if (found !== null && found.key === key) newest = Math.max(newest, found.version);
  }
  return newest;
}

/** What the message of an artifact's text remembers of it. */
interface TextNote {
  artifactId: string;
  name: string;
  /** JSON pointer of its place in the state; '' when it has none. */
  path: string;
  /** Length of the text that was last put into the state; null while none was. */
  inState: number | null;
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function noteOf(message: JsonObject | undefined): TextNote | null {
  const metadata = message?.['metadata'];
  const own = isObject(metadata) ? metadata['holdpoint'] : undefined;
  if (!isObject(own)) return null;
  return {
    artifactId: textOf(own['artifactId']),
    name: textOf(own['name']),
    path: textOf(own['path']),
    inState: typeof own['inState'] === 'number' ? own['inState'] : null,
  };
}

function textValue(text: string): Json {
  const bytes = utf8Bytes(text);
  return bytes <= maxTextInStateBytes ? text : omitted(bytes);
}

/** True when a value in the state is this artifact's text as we put it there, and not data of the agent. */
function isTextValue(draft: Draft, key: string, value: Json): boolean {
  return draft.p.messages.some((message) => {
    if (versionOf(message['id'])?.key !== key) return false;
    const inState = noteOf(message)?.inState ?? null;
    return inState !== null && isEqual(textValue(contentText(message).slice(0, inState)), value);
  });
}

/** Puts a text into the state unless data of its artifact is there; says whether it did. */
function putText(draft: Draft, id: string): boolean {
  const message = findMessage(draft.p, id);
  const segments = artifactPlace(noteOf(message)?.path ?? '');
  if (message === undefined || segments === null) return false;
  const there = valueAt(draft.state, segments);
  if (there !== undefined && !isTextValue(draft, versionOf(id)?.key ?? '', there)) return false;
  putInView(draft, segments, textValue(contentText(message)));
  return true;
}

/** Ends a text; an artifact's is then said in the state too. */
export function closeText(draft: Draft, id: string): void {
  if (!isOpen(draft, id)) return;
  const message = findMessage(draft.p, id);
  const note = noteOf(message);
  if (versionOf(id) === null || message === undefined || note === null || !putText(draft, id)) {
    endText(draft, id);
    return;
  }
  endText(draft, id, { holdpoint: { ...note, inState: contentText(message).length } });
}

export function closeAllTexts(draft: Draft): void {
  for (const id of draft.p.openTexts) closeText(draft, id);
}

/** Ends every text but those of these artifacts. */
export function closeOtherTexts(draft: Draft, a2aTaskId: string, artifacts: readonly NeutralArtifact[]): void {
  const kept = new Set(artifacts.map(({ artifactId }) => `${a2aTaskId}:${artifactId}`));
  for (const id of draft.p.openTexts) {
    if (!kept.has(versionOf(id)?.key ?? '')) closeText(draft, id);
  }
}

function openVersion(draft: Draft, key: string, version: number, artifact: NeutralArtifact): string {
  const id = versionId(key, version);
  const path = artifactPath(artifact);
  const inState = noteOf(findMessage(draft.p, id))?.inState ?? null;
  const note: JsonObject = {
    artifactId: artifact.artifactId,
    name: artifact.name,
    path: path === null ? '' : pointerOf(path),
    inState,
  };
  openText(draft, id, { holdpoint: note });
  return id;
}

/** Adds to an artifact's text (`append`), or makes it this text. */
export function writeArtifactText(
  draft: Draft,
  a2aTaskId: string,
  artifact: NeutralArtifact,
  isAppended: boolean,
): void {
  const text = artifact.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  if (text === '') return;
  const key = `${a2aTaskId}:${artifact.artifactId}`;
  const version = currentVersion(draft.p, key);
  const current = version === 0 ? undefined : findMessage(draft.p, versionId(key, version));
  if (current === undefined || current['role'] !== 'assistant') {
    sayText(draft, openVersion(draft, key, version + 1, artifact), text);
    return;
  }
  if (isAppended) {
    sayText(draft, openVersion(draft, key, version, artifact), text);
    return;
  }
  const said = contentText(current);
  const wanted = cutText(text, maxTextLength);
  if (wanted === said) return;
  if (wanted.startsWith(said)) {
    sayText(draft, openVersion(draft, key, version, artifact), wanted.slice(said.length));
    return;
  }
  endText(draft, versionId(key, version));
  sayText(draft, openVersion(draft, key, version + 1, artifact), wanted);
}

/** The value in the state that is data of this artifact: its own text, put there, does not count. */
export function dataAt(draft: Draft, a2aTaskId: string, artifactId: string, path: string[]): Json | undefined {
  const there = valueAt(draft.state, path);
  return there === undefined || isTextValue(draft, `${a2aTaskId}:${artifactId}`, there) ? undefined : there;
}

/** Ends an artifact's text if `isLast`; a text that has ended stands in the state where no data does. */
export function settleArtifactText(draft: Draft, a2aTaskId: string, artifactId: string, isLast: boolean): void {
  const key = `${a2aTaskId}:${artifactId}`;
  const version = currentVersion(draft.p, key);
  if (version === 0) return;
  const id = versionId(key, version);
  if (!isOpen(draft, id)) putText(draft, id);
  else if (isLast) closeText(draft, id);
}
