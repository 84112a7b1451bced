// Which of a bot's cards a person sees: a bot cannot read what it has sent, and learns it from the callback of a card.
import { objectOf } from '../../core/base/json.ts';
import type { ShownQuestion } from '../../core/questions/shown-question.ts';
import type { HoldRow } from '../../store/store.ts';
import type { TeamsActivity } from '../../surfaces/teams/teams-callback.ts';
import type { TeamsSurface } from '../../surfaces/teams/teams-surface.ts';
import type { WithStore } from '../api-parts.ts';

interface SeenCard {
  /** Name of the channel. */
  channel: string;
  hold: HoldRow;
  user: string;
  activity: TeamsActivity;
}

/**
 * After a process that ended while it sent a card, that card is recorded as the one that was sent, so that no other one
 * is; where another one was, it is deleted.
 */
export async function keepOneCard(
  { store: { deliveries, holds } }: WithStore,
  teams: TeamsSurface,
  shown: (hold: HoldRow) => Promise<ShownQuestion>,
  { channel, hold, user, activity }: SeenCard,
): Promise<void> {
  const { serviceUrl, conversation, isPersonal, replyToId } = activity;
  const key = { holdId: hold.holdId, channel, recipient: user, message: 'question' };
  const sent = isPersonal && replyToId !== '' ? await deliveries.get(key) : null;
  if (sent === null) return;
  const seen = { serviceUrl, conversation, activity: replyToId };
  const kept = objectOf(sent.handle === null ? await deliveries.sent(key, seen) : sent.handle);
  if (kept['conversation'] !== conversation) return;
  if (kept['activity'] !== replyToId) return teams.remove({ serviceUrl, conversation }, replyToId);
  const now = await holds.get(hold.holdId);
  if (sent.state !== 'sending' || now === null || now.status === 'open') return;
  await teams.update(seen, await shown(now));
  await deliveries.ended(key);
}
