// Whom a comment names, and how they are notified.
import type { NoticeCause } from '../../contract/tasks/activity.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isOperator, mayDecide } from '../../core/policy/audience.ts';
import { allUsers, channelsOfUsers } from '../../core/policy/delegates.ts';
import { durationMs } from '../../core/policy/duration.ts';
import type { CommentRow } from '../../store/ports/hold-notes.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';

/** Who takes part in the comments on a question: who may decide it, also once it is over, and operators. */
export const mayDiscuss = (hold: HoldRow, person: Principal): boolean =>
  isOperator(person) || mayDecide(hold, person, hold.owner);

/** Everybody who could be named, except the caller. */
export function discussersOf(
  { config, now }: Pick<ApiContext, 'config' | 'now'>,
  hold: HoldRow,
  self: string,
): string[] {
  return allUsers(config, now())
    .filter((person) => person.id !== self && mayDiscuss(hold, person))
    .map(({ id }) => id)
    .toSorted();
}

/** `@anna` and `@anna@example.org`: the longest name that fits, of those who take part; any other @ is text. */
export function mentionsIn(text: string, names: readonly string[]): string[] {
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  const found = new Set<string>();
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])@/gu)) {
    const rest = text.slice(index + 1);
    const name = longestFirst.find((one) => rest.startsWith(one) && !/^[\p{L}\p{N}_-]/u.test(rest.slice(one.length)));
    if (name !== undefined) found.add(name);
  }
  return [...found];
}

/** Notifies those who are named by the question's channels and their own. The comment is kept whether or not that works. */
export async function notifyMentioned(
  api: Pick<ApiContext, 'config' | 'log' | 'now' | 'tasks'>,
  hold: HoldRow,
  comment: CommentRow,
): Promise<void> {
  const { by, mentions, text, commentId } = comment;
  const to = mentions.map((name) => `user:${name}`);
  const { config, now, log, tasks } = api;
  const channels = [...new Set([...hold.plan.notify, ...channelsOfUsers(config, to, hold.owner, now())])];
  if (to.length === 0 || channels.length === 0) return;
  const cause: NoticeCause = { by, to, note: text };
  const giveUpAfterMs = hold.plan.giveUpAfterMs ?? durationMs(config.notifications.giveUpAfter);
  const { holdId } = hold;
  const result = await tasks.notify(`notice/${holdId}/mentioned-${commentId}`, {
    holdId,
    event: 'mentioned',
    k: commentId,
    cause,
    channels,
    giveUpAfterMs,
  });
  if (result.kind !== 'answer') log.warn({ holdId, commentId }, 'who is named in a comment could not be notified');
}
