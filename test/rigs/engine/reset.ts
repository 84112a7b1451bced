// What a writer of Temporal's namespace does to have an earlier state of a task again.
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { waitFor } from '../wait-for.ts';

/** Notes the workflow task after the newest update; what it returns puts the workflow back to it, without later updates. */
export async function resetAfterUpdate(client: Client, workflowId: string): Promise<() => Promise<void>> {
  const handle = client.workflow.getHandle(workflowId);
  const upTo = await waitFor(
    async () => {
      const { events } = await handle.fetchHistory();
      const updated = events?.findLastIndex((one) => one.workflowExecutionUpdateCompletedEventAttributes) ?? -1;
      return updated < 0
        ? undefined
        : events?.slice(updated).find((one) => one.workflowTaskCompletedEventAttributes)?.eventId;
    },
    20_000,
    'the update to be in history',
  );
  return async () => {
    const { raw } = await handle.describe();
    const { ResetWorkflowExecutionRequest } = proto.temporal.api.workflowservice.v1;
    await client.workflowService.resetWorkflowExecution(
      ResetWorkflowExecutionRequest.fromObject({
        namespace: client.options.namespace,
        workflowExecution: { workflowId, runId: raw.workflowExecutionInfo?.execution?.runId },
        reason: 'an answer is wanted back',
        workflowTaskFinishEventId: upTo,
        requestId: randomUUID(),
        // Updates, among them the one that took it back.
        resetReapplyExcludeTypes: [2],
      }),
    );
  };
}
