// How long a question took until a message about it was taken, by each channel.
import type { DeliverNoticeInput } from '../../contract/tasks/activity.ts';
import { askerChannel } from '../../core/questions/ask.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ActivityDeps } from '../deps.ts';
import { untilHoursMs } from './notice-people.ts';

type Deps = Pick<ActivityDeps, 'config' | 'windowsOf' | 'metrics' | 'now'>;
type About = {
  input: DeliverNoticeInput;
  row: Pick<HoldRow, 'openedAt' | 'plan'>;
};

const isFirst = ({ event, channel }: DeliverNoticeInput): boolean => event === 'opened' && channel !== askerChannel;
const labelsOf = ({ input, row }: About): { policy: string; channel: string } => ({
  policy: row.plan.policy,
  channel: input.channel,
});

/** A message was taken; `user`: whom it is for, whose hours may have kept it, or null. */
export function noteNoticeLevel(deps: Deps, about: About, user: string | null): void {
  if (!isFirst(about.input)) return;
  const opened = new Date(about.row.openedAt);
  const fromMs = opened.getTime() + untilHoursMs({ ...deps, now: () => opened }, user);
  deps.metrics.levels.observe('first-notice', labelsOf(about), (deps.now().getTime() - fromMs) / 1000);
}

/** A message was given up. */
export function noteNoticeMissed({ metrics }: Deps, about: About): void {
  if (isFirst(about.input)) metrics.levels.observe('first-notice', labelsOf(about), null);
}
