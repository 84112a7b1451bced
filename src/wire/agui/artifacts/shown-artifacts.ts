// Artifacts of a thread's state as people see them; the agent remains their source of truth.
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { readInfo, artifactPath } from './artifact-entry.ts';
import { valueAt } from '../model/state-patch.ts';
import { cutText } from '../model/text.ts';
import type { ShownArtifact } from '../../../contract/holds/hold.ts';
import { isObject, objectOf } from '../../../core/base/json.ts';
import { artifactDigest } from '../../../core/consent/question-digest.ts';
import type { ShownText } from '../../../core/questions/shown-question.ts';

export interface Artifact {
  id: string;
  name: string;
  content: Json;
}

/** Artifacts listed; a page could not show more. */
const maxShown = 100;
const maxName = 200;

function objectAt(state: JsonObject, path: string[]): JsonObject {
  const value = valueAt(state, path);
  return objectOf(value);
}

function nameOf(state: JsonObject, id: string, content: Json): string {
  const named = readInfo(valueAt(state, ['view', 'artifactInfo', id]))?.name ?? '';
  const own = isObject(content) && typeof content['name'] === 'string' ? content['name'] : '';
  return cutText(named || own || id, maxName);
}

function contentOf(state: JsonObject, id: string): Json | undefined {
  const usual = objectAt(state, ['view', 'artifacts']);
  if (Object.hasOwn(usual, id)) return usual[id];
  const path = artifactPath(readInfo(valueAt(state, ['view', 'artifactInfo', id]))?.path ?? '');
  return path === null ? undefined : valueAt(state, path);
}

/** The artifact with this id; null when there is none. */
export function findArtifact(state: JsonObject, id: string): Artifact | null {
  const content = contentOf(state, id);
  return content === undefined ? null : { id, name: nameOf(state, id, content), content };
}

/** The artifacts to show: those at the default location first, then those with their own path. */
export function shownArtifacts(state: JsonObject): Artifact[] {
  const [usual, requested] = [objectAt(state, ['view', 'artifacts']), objectAt(state, ['view', 'artifactInfo'])];
  const ids = [...new Set([...Object.keys(usual), ...Object.keys(requested)])];
  return ids
    .map((id) => findArtifact(state, id))
    .filter((artifact) => artifact !== null)
    .slice(0, maxShown);
}

type FingerprintOf = Parameters<typeof artifactDigest>[0];

/** Artifacts as they were when their question was asked, from the state at the end of the run that asked; without those that differ from their digest. */
export function artifactsAsShown(
  state: JsonObject,
  shown: readonly ShownArtifact[],
  fingerprintOf: FingerprintOf,
): Artifact[] {
  return shown.flatMap(({ id, digest }) => {
    const artifact = findArtifact(state, id);
    return artifact !== null && artifactDigest(fingerprintOf, artifact) === digest ? [artifact] : [];
  });
}

/** All of them, where each is text and nothing else; null: one is not, or cannot be shown as it was. */
export async function textsAsShown(
  shown: readonly ShownArtifact[],
  readState: () => Promise<JsonObject>,
  fingerprintOf: FingerprintOf,
): Promise<ShownText[] | null> {
  if (shown.length === 0) return [];
  if (shown.some(({ textLength }) => textLength === undefined)) return null;
  const texts = artifactsAsShown(await readState(), shown, fingerprintOf).flatMap(({ id, name, content }) =>
    typeof content === 'string' ? [{ name: name === id ? '' : name, text: content }] : [],
  );
  return texts.length === shown.length ? texts : null;
}
