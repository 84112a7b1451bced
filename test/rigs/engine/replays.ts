// Whatever a test has done to a task, a worker that was never there must be able to go on with it: each history is replayed
// by the workflow of today. This is what a restart, an evicted cache or a query does, whenever it likes.
import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { Worker, type ReplayResult } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { quietTemporal } from './temporal.ts';
import { workflowBundle } from './workflow-bundle.ts';

const tasks = 'WorkflowType = "a2aTask"';

type Histories = Parameters<typeof Worker.runReplayHistories>[1];

/** Replays them all by one worker: to start one takes as long as to replay ten. */
export async function* replay(histories: Histories, dataConverter: DataConverter = {}): AsyncGenerator<ReplayResult> {
  quietTemporal();
  try {
    yield* Worker.runReplayHistories({ workflowBundle: await workflowBundle(), dataConverter }, histories);
  } finally {
    // Replays run in this thread, where their hooks would make each promise from now on take thirty times as long.
    if (globalHandlers.installed) globalHandlers.uninstall();
  }
}

/** Throws with the first history that does not replay, event by event. */
export async function replayAll(client: Client, dataConverter: DataConverter = {}): Promise<number> {
  let count = 0;
  const histories = client.workflow.list({ query: tasks }).intoHistories();
  for await (const { workflowId, runId, error } of replay(histories, dataConverter)) {
    count += 1;
    if (error === undefined) continue;
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const types = (events ?? []).map(({ eventId, eventType }) => `${String(eventId)} ${String(eventType)}`);
    throw new Error(`${workflowId} does not replay: ${error.message}\n${types.join('\n')}`, { cause: error });
  }
  return count;
}
