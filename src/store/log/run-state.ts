// The state of a thread at the end of one of its runs, which is never changed.
import type { JsonObject } from '../../contract/base/json.ts';
import type { RunKey } from '../../contract/tasks/run.ts';
import { objectOf } from '../../core/base/json.ts';
import type { Store } from '../store.ts';

/** Empty where nothing of it is kept. */
export async function stateAtEnd({ runs, log }: Pick<Store, 'runs' | 'log'>, key: RunKey): Promise<JsonObject> {
  const run = await runs.get(key);
  const snapshots = run === null ? [] : await log.ofType([run.logId], 'STATE_SNAPSHOT');
  return objectOf(snapshots.at(-1)?.event['snapshot']);
}
