import type { TaskId } from '../contract/base/id-types.ts';
import type {
  DigestStart,
  NoticeStart,
  RebuildInput,
  RebuildReport,
  ReconcileReport,
} from '../contract/tasks/activity.ts';
import { noticeActivity, deliverPush, rebuildRows, reconcile, sendDigest } from './activity-options.ts';
import { continueAsNew, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { pushSignal } from './messages.ts';

/**
 * Workflow `notice`, id `notice/<holdId>/<event>-<k>`: one event of one hold, to each channel separately. It outlives
 * the task: a message may be tried for a day.
 */
export async function notice({ channels, giveUpAfterMs, ...event }: NoticeStart): Promise<{ failed: string[] }> {
  const settled = await Promise.allSettled(
    channels.map((channel) => noticeActivity(giveUpAfterMs).deliverNotice({ ...event, channel })),
  );
  return { failed: channels.filter((_, index) => settled[index]?.status === 'rejected') };
}

/**
 * Workflow `push`, id `push/<taskId>/<configId>`: one receiver of a caller's task events. It runs while there is
 * something to send, and is retried for a day.
 */
export async function push(receiver: { taskId: TaskId; configId: string }): Promise<void> {
  let hasMore = true;
  setHandler(pushSignal, () => {
    hasMore = true;
  });
  while (hasMore) {
    hasMore = false;
    // Awaited first: a signal may come in the meantime.
    const isBehind = await deliverPush(receiver);
    hasMore = hasMore || isBehind;
    // A task that streams for hours would outgrow one history.
    if (hasMore && workflowInfo().continueAsNewSuggested) await continueAsNew<typeof push>(receiver);
  }
}

/** Workflow `digest`, one for each person and time: waits for it, and sends what waits for the person then. */
export async function digest(start: DigestStart): Promise<void> {
  const waitMs = Date.parse(start.at) - Date.now();
  if (waitMs > 0) await sleep(waitMs);
  await sendDigest(start);
}

/** Started by a schedule every few minutes, so that nothing stays in an inbox for ever. */
export async function reconcileTasks(): Promise<ReconcileReport> {
  return reconcile();
}

/** Started by `standfast rebuild`; the worker alone writes what comes back. */
export async function rebuild(input: RebuildInput): Promise<RebuildReport> {
  return rebuildRows(input);
}
