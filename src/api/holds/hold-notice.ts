// Notices of one question that the api starts: a nudge, a mention, a request for others, and no one being left to decide it.
import type { NoticeStart } from '../../contract/tasks/activity.ts';
import { isOperator } from '../../core/policy/audience.ts';
import { allUsers, channelsOfUsers } from '../../core/policy/delegates.ts';
import { durationMs } from '../../core/policy/duration.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';

type Noticing = Pick<ApiContext, 'config' | 'now' | 'tasks'>;

/** Channels that were notified of the question, and those that these people have of their own. */
export function channelsWith(
  { config, now }: Pick<Noticing, 'config' | 'now'>,
  { plan, stepsTaken, owner }: HoldRow,
  people: readonly string[],
): string[] {
  const stepped = plan.steps.slice(0, stepsTaken).flatMap((step) => step.notify ?? []);
  return [...new Set([...plan.notify, ...stepped, ...channelsOfUsers(config, people, owner, now())])];
}

/** The entries of all operators, as those who can pass any question on. */
export const operatorsOf = ({ config, now }: Pick<Noticing, 'config' | 'now'>): string[] =>
  allUsers(config, now())
    .filter(isOperator)
    .map(({ id }) => `user:${id}`);

/** Sends one notice, once by its name; false: Temporal did not take it. Without channels there is none to send. */
export async function startNotice(
  { config, tasks }: Pick<Noticing, 'config' | 'tasks'>,
  { holdId, plan }: HoldRow,
  notice: Pick<NoticeStart, 'event' | 'k' | 'channels' | 'cause'>,
  name = `${notice.event}-${notice.k}`,
): Promise<boolean> {
  if (notice.channels.length === 0) return true;
  const giveUpAfterMs = plan.giveUpAfterMs ?? durationMs(config.notifications.giveUpAfter);
  const result = await tasks.notify(`notice/${holdId}/${name}`, { holdId, ...notice, giveUpAfterMs });
  return result.kind === 'answer';
}
