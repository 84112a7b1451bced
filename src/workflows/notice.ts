import type { NoticeStart } from '../contract/activity.ts';
import { noticeActivity } from './activity-options.ts';

/**
 * Workflow `notice`, id `notice/<holdId>/<event>-<k>`: one event of one hold, to each channel for itself. It outlives
 * the task: a message may be tried for a day.
 */
export async function notice({ channels, giveUpAfterMs, ...event }: NoticeStart): Promise<{ failed: string[] }> {
  const told = await Promise.allSettled(
    channels.map((channel) => noticeActivity(giveUpAfterMs).deliverNotice({ ...event, channel })),
  );
  return { failed: channels.filter((_, index) => told[index]?.status === 'rejected') };
}
