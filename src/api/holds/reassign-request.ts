// A reassignment request reaches those who can fulfil it, where they get questions outside the inbox.
import type { NoticeCause } from '../../contract/tasks/activity.ts';
import { isOperator } from '../../core/policy/audience.ts';
import { allUsers, channelsOfUsers } from '../../core/policy/delegates.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';

/** Channels that were notified of the question, and those that operators have of their own. */
export function operatorChannels(
  { config, now }: Pick<ApiContext, 'config' | 'now'>,
  { plan, stepsTaken, owner }: HoldRow,
): string[] {
  const stepped = plan.steps.slice(0, stepsTaken).flatMap((step) => step.notify ?? []);
  const operators = allUsers(config, now()).filter(isOperator);
  const own = channelsOfUsers(
    config,
    operators.map(({ id }) => `user:${id}`),
    owner,
    now(),
  );
  return [...new Set([...plan.notify, ...stepped, ...own])];
}

/** Notifies them, once for each person until the question is passed on; throws when Temporal cannot be asked. */
export async function requestReassignment(
  api: Pick<ApiContext, 'config' | 'now' | 'store' | 'tasks'>,
  hold: HoldRow,
  cause: NoticeCause,
): Promise<void> {
  const channels = operatorChannels(api, hold);
  if (channels.length === 0) return;
  const { holdId, plan, moves } = hold;
  const k = moves.length;
  const result = await api.tasks.notify(`notice/${holdId}/reassign-asked-${k}-${sha1Hex(Buffer.from(cause.by))}`, {
    holdId,
    event: 'reassign-asked',
    k,
    cause,
    channels,
    giveUpAfterMs: plan.giveUpAfterMs ?? durationMs(api.config.notifications.giveUpAfter),
  });
  if (result.kind !== 'answer') throw await noAnswerError(api, 'engine', 'worker_unavailable');
}
