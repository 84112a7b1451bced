import { setHandler } from '@temporalio/workflow';
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
    await deliverPush(receiver);
  }
}
