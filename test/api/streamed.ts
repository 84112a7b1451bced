// What an agent streamed before it asked: the run that ended with it, and what the question's row has of it.
import type { JsonObject } from '../../src/contract/base/json.ts';
import type { ShownArtifact } from '../../src/contract/holds/hold.ts';
import type { RunKey } from '../../src/contract/tasks/run.ts';
import { artifactDigest } from '../../src/core/consent/question-digest.ts';
import { fingerprintOf } from '../../src/host/secrets/hash.ts';
import type { Store } from '../../src/store/store.ts';
import { writeRun } from './rig.ts';

/** `there`: what the run ended with, where that is not what was shown. */
export async function streamed(
  store: Store,
  key: RunKey,
  taskId: string,
  texts: Readonly<Record<string, string>>,
  there: JsonObject = {},
): Promise<ShownArtifact[]> {
  const snapshot = { view: { artifacts: { ...texts, ...there } } };
  await writeRun(store, key, [{ type: 'STATE_SNAPSHOT', snapshot }], 'interrupt', { taskId });
  return Object.entries(texts).map(([name, content]) => ({
    id: name,
    name,
    textLength: content.length,
    digest: artifactDigest(fingerprintOf, { name, content }),
  }));
}
