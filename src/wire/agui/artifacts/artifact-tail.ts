// JSON Patch cannot append to a text, so a data part that grows by texts would be said whole with every chunk. Once it
// is long, what comes is kept in `/view/artifactTails/<artifactId>`, a list, and joined to the value when it has doubled,
// when the list is long, and when the artifact ends.
import type { Json } from '../../../contract/json.ts';
import { entryValue, infoOf, putEntry } from './artifact-entry.ts';
import { artifactPath } from './artifact-path.ts';
import type { Draft } from '../model/draft.ts';
import { jsonBytes, pushed } from '../model/json-bytes.ts';
import { isObject, isSafeKey, valueAt, withValueAt } from '../model/state-patch.ts';
import { omitted } from './view.ts';

const tailsAt = ['view', 'artifactTails'];
const minLength = 1024;
const maxTail = 256;
/** A larger value is not put into the state: it says only how large it is. */
export const maxValueBytes = 256 * 1024;

function tailOf(draft: Draft, artifactId: string): Json[] {
  const tail = valueAt(draft.state, [...tailsAt, artifactId]);
  return Array.isArray(tail) ? tail : [];
}

const joinText = (tail: readonly Json[]): string => tail.filter((text) => typeof text === 'string').join('');

function setTail(draft: Draft, artifactId: string, tail: Json[] | undefined): void {
  draft.state = withValueAt(draft.state, [...tailsAt, artifactId], tail);
}

/** Takes the texts that wait for an artifact's value; '' when none do. */
export function takeTail(draft: Draft, artifactId: string): string {
  const tail = tailOf(draft, artifactId);
  if (tail.length > 0) setTail(draft, artifactId, undefined);
  return joinText(tail);
}

/** Keeps texts for later instead of adding them to a value now; false when it is time to add them. */
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

/** Joins every text that waits to its value. */
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
