// Whatever a test has done to a task, a worker that was never there must be able to go on with it: each history is replayed
// by the workflow of today. This is what a restart, an evicted cache or a query does, whenever it likes.
import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { quietTemporal } from './temporal.ts';
import { workflowBundle as bundleOnce } from './workflow-bundle.ts';

const tasks = 'WorkflowType = "a2aTask"';

/** Throws with the first history that does not replay, event by event. One worker replays them all: each costs seconds. */
export async function replayAll(client: Client, dataConverter: DataConverter = {}): Promise<number> {
  quietTemporal();
  const workflowBundle = await bundleOnce();
  let count = 0;
  const histories = client.workflow.list({ query: tasks }).intoHistories();
  for await (const { workflowId, runId, error } of Worker.runReplayHistories(
    { workflowBundle, dataConverter },
    histories,
  )) {
    count += 1;
    if (error === undefined) continue;
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const types = (events ?? []).map(({ eventId, eventType }) => `${String(eventId)} ${String(eventType)}`);
    throw new Error(`${workflowId} does not replay: ${error.message}\n${types.join('\n')}`, { cause: error });
  }
  return count;
}
