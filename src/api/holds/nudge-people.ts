// A nudge reaches those who may decide where they get their questions outside the inbox.
import { nextNudgeAt } from '../../contract/holds/nudge.ts';
import { channelsOfUsers } from '../../core/policy/delegates.ts';
import { durationMs } from '../../core/policy/duration.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';

/** Channels that were notified of the question, and those of who is asked now. */
function askedChannels(
  { config, now }: Pick<ApiContext, 'config' | 'now'>,
  { plan, stepsTaken, audience, owner }: HoldRow,
): string[] {
  const stepped = plan.steps.slice(0, stepsTaken).flatMap((step) => step.notify ?? []);
  return [...new Set([...plan.notify, ...stepped, ...channelsOfUsers(config, audience, owner, now())])];
}

/** Seconds until the question may be nudged again; null: now. */
export function secondsToNudge({ nudges }: HoldRow, nowMs: number): number | null {
  const next = nextNudgeAt(nudges, nowMs);
  return next === null ? null : Math.ceil((next - nowMs) / 1_000);
}

/**
 * Sends the notice again, and then keeps that it was: one that is shown is sent no second time within the hour. Two at once, also
 * in two processes, have one name and are one notice. Throws when Temporal cannot be asked.
 */
export async function nudge(
  api: Pick<ApiContext, 'config' | 'now' | 'store' | 'tasks'>,
  hold: HoldRow,
  by: string,
): Promise<HoldRow> {
  const { holdId, plan, nudges } = hold;
  const channels = askedChannels(api, hold);
  const k = nudges.length;
  if (channels.length > 0) {
    const result = await api.tasks.notify(`notice/${holdId}/nudged-${k}`, {
      holdId,
      event: 'nudged',
      k,
      cause: { by, to: [], note: null },
      channels,
      giveUpAfterMs: plan.giveUpAfterMs ?? durationMs(api.config.notifications.giveUpAfter),
    });
    if (result.kind !== 'answer') throw await noAnswerError(api, 'engine', 'worker_unavailable');
  }
  return (await api.store.holds.nudge(holdId, k, { at: api.now().toISOString(), by })) ?? hold;
}
