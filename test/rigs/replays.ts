// Whatever a test has done to a task, a worker that was never there must be able to go on with it: each history is replayed
// by the workflow of today. This is what a restart, an evicted cache or a query does, whenever it likes.
import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { asError } from './as-error.ts';
import { quietTemporal } from './temporal.ts';
import { workflowBundle } from './workflow-bundle.ts';

const tasks = 'WorkflowType = "a2aTask"';

/** Throws with the first history that does not replay, event by event. */
export async function replayAll(client: Client, dataConverter: DataConverter = {}): Promise<number> {
  quietTemporal();
  const bundle = await workflowBundle();
  let count = 0;
  for await (const { workflowId, runId } of client.workflow.list({ query: tasks })) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const types = (history.events ?? []).map(({ eventId, eventType }) => `${String(eventId)} ${String(eventType)}`);
    try {
      await Worker.runReplayHistory({ workflowBundle: bundle, dataConverter }, history, workflowId);
    } catch (error) {
      throw new Error(`${workflowId} does not replay: ${asError(error).message}\n${types.join('\n')}`, {
        cause: error,
      });
    }
    count += 1;
  }
  return count;
}
