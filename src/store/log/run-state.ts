// The state of a thread when a question was asked: that at the end of the run that asked, which is never changed.
import type { JsonObject } from '../../contract/base/json.ts';
import { objectOf } from '../../core/base/json.ts';
import type { HoldRow, Store } from '../store.ts';

/** Empty where nothing of it is kept. */
export async function stateWhenAsked(
  { runs, log }: Pick<Store, 'runs' | 'log'>,
  { agent, threadId, openedInRun }: Pick<HoldRow, 'agent' | 'threadId' | 'openedInRun'>,
): Promise<JsonObject> {
  const run = await runs.get({ agent, threadId, runId: openedInRun });
  const snapshots = run === null ? [] : await log.ofType([run.logId], 'STATE_SNAPSHOT');
  return objectOf(snapshots.at(-1)?.event['snapshot']);
}
