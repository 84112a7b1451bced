import { continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';
import { deliverPush } from './activity-options.ts';
import { pushSignal } from './messages.ts';

/**
 * Workflow `push`, id `push/<taskId>/<configId>`: one receiver of what the caller of a task is told. It runs while there is
 * something to tell, and is tried for a day.
 */
export async function push(receiver: { taskId: string; configId: string }): Promise<void> {
  let hasMore = true;
  setHandler(pushSignal, () => {
    hasMore = true;
  });
  while (hasMore) {
    hasMore = false;
    // Awaited first: a signal may come meanwhile.
    const isBehind = await deliverPush(receiver);
    hasMore = hasMore || isBehind;
    // A task that streams for hours would outgrow one history.
    if (hasMore && workflowInfo().continueAsNewSuggested) await continueAsNew<typeof push>(receiver);
  }
}
