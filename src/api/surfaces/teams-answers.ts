// What people press in Teams: mapped to a user, decided with the digest shown, and answered with the card as it is now.
import type { Channel } from '../../contract/configuration/channels.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { votesNextTo } from '../../core/consent/stage.ts';
import { mayDecide } from '../../core/policy/audience.ts';
import type { ShownQuestion } from '../../core/questions/shown-question.ts';
import { yesNoBody } from '../../core/questions/surface-question.ts';
import type { HoldRow } from '../../store/store.ts';
import { SurfaceError } from '../../surfaces/base/surface.ts';
import type { TeamsActivity, TeamsCallback } from '../../surfaces/teams/teams-callback.ts';
import { cardActivity, listCard, questionCard, type Card } from '../../surfaces/teams/teams-card.ts';
import type { TeamsSurface } from '../../surfaces/teams/teams-surface.ts';
import { findHold } from '../holds/find-hold.ts';
import { keepOneCard } from './teams-cards.ts';
import {
  bodyOf,
  decideHere,
  onlyPage,
  principalHere,
  shownHere,
  staleWords,
  type SurfaceApi,
  unmappedWords,
  waitingHere,
  wordsOf,
} from './surface-answers.ts';
import { errorText } from '../../host/process/errno.ts';

export type TeamsChannel = Extract<Channel, { type: 'teams-bot' }>;
type OnCard = Extract<TeamsCallback, { kind: 'pressed' | 'submitted' | 'refresh' }>;

const unmapped = unmappedWords('Teams account');
const welcome = 'Questions that wait for you come here from now on. Write anything to see what waits.';

/** The body of the answer to an invoke, as Universal Actions have it. */
const cardAnswer = (card: Card): JsonObject => ({
  statusCode: 200,
  type: 'application/vnd.microsoft.card.adaptive',
  value: card,
});
const wordsAnswer = (text: string): JsonObject => ({
  statusCode: 200,
  type: 'application/vnd.microsoft.activity.message',
  value: text,
});

export function createTeamsAnswers(
  api: SurfaceApi,
  name: string,
  channel: TeamsChannel,
  teams: TeamsSurface,
): (activity: TeamsActivity) => Promise<JsonObject | null> {
  const shown = (hold: HoldRow): Promise<ShownQuestion> => shownHere(api, hold, teams.limits);

  async function principalOf(activity: TeamsActivity): Promise<Principal | null> {
    const { person, objectId } = activity;
    const member = await teams.memberOf(activity, person);
    // Who is in the conversation is known from Teams, not by the request alone.
    if (member === null || objectId === '' || member.objectId !== objectId) return null;
    const { email } = member;
    return principalHere(api, channel.users, { surface: 'teams', person: objectId, email });
  }

  async function keepConversation({ serviceUrl, conversation }: TeamsActivity, { id: user }: Principal): Promise<void> {
    await api.store.personal.put({ user, kind: 'conversation', name, value: { serviceUrl, conversation } });
  }

  /** The card as this reader sees it now. */
  async function cardFor(hold: HoldRow, principal: Principal, note: string | null): Promise<JsonObject> {
    const isFree = mayDecide(hold, principal, hold.owner) && votesNextTo(hold).every(({ by }) => by !== principal.id);
    return cardAnswer(questionCard(await shown(hold), { mayDecide: isFree, note }));
  }

  async function refreshed(hold: HoldRow, principal: Principal, note: string | null): Promise<JsonObject> {
    return cardFor((await api.store.holds.get(hold.holdId)) ?? hold, principal, note);
  }

  /** Null: this is decided on its page only. */
  async function answerTo(
    hold: HoldRow,
    given: Exclude<OnCard, { kind: 'refresh' }>,
  ): Promise<ReturnType<typeof bodyOf>> {
    const { digest } = given;
    const { offer } = await shown(hold);
    if (given.kind === 'submitted') return bodyOf(hold, offer, given);
    return offer.kind === 'yes-no' ? yesNoBody(hold, { isYes: given.choice === 'yes', reason: '', digest }) : null;
  }

  /** The card that was shown or pressed is the one that Standfast knows, or goes; that may fail. */
  async function tidy(hold: HoldRow, principal: Principal, activity: TeamsActivity): Promise<void> {
    const seen = { channel: name, hold, user: principal.id, activity };
    await keepOneCard(api, teams, shown, seen).catch((error: unknown) => {
      const why = errorText(error);
      api.log.warn({ channel: name, holdId: hold.holdId, why }, 'a card that was sent twice was not deleted');
    });
  }

  async function onCard(given: OnCard, principal: Principal, activity: TeamsActivity): Promise<JsonObject> {
    const hold = await findHold(api, given.holdId, principal);
    await tidy(hold, principal, activity);
    if (given.kind === 'refresh') return cardFor(hold, principal, null);
    const stale = staleWords(api, hold, { digest: given.digest, shownBy: 'card' });
    if (stale !== null) return cardFor(hold, principal, stale);
    const body = await answerTo(hold, given);
    if (body === null) return cardFor(hold, principal, onlyPage);
    const press = { channel: name, source: 'teams' as const, person: given.person, principal, id: activity.id };
    const { words } = await decideHere(api, hold, body, press);
    return refreshed(hold, principal, words);
  }

  async function tell(activity: TeamsActivity, content: JsonObject): Promise<void> {
    await teams.post(activity, content);
  }
  const plain = (text: string): JsonObject => ({ type: 'message', textFormat: 'plain', text });

  async function answer(activity: TeamsActivity): Promise<JsonObject | null> {
    const { callback } = activity;
    if (callback.kind === 'other') return null;
    const principal = await principalOf(activity);
    if (principal !== null && activity.isPersonal) await keepConversation(activity, principal);
    switch (callback.kind) {
      case 'arrived':
        await tell(activity, plain(principal === null ? unmapped : welcome));
        return null;
      case 'list': {
        if (principal === null || !activity.isPersonal) {
          await tell(
            activity,
            plain(principal === null ? unmapped : 'Write to the bot itself to see what waits for you.'),
          );
          return null;
        }
        const { questions, hasMore } = await waitingHere(api, principal, teams.limits);
        await tell(activity, cardActivity(listCard(questions, hasMore)));
        return null;
      }
      default:
        return principal === null ? wordsAnswer(unmapped) : onCard(callback, principal, activity);
    }
  }

  return (activity) =>
    answer(activity).catch((error: unknown) => {
      const why = errorText(error);
      api.log.warn({ channel: name, callback: activity.callback.kind, why }, 'a callback of Teams was not answered');
      if (error instanceof SurfaceError) throw error;
      return wordsAnswer(wordsOf(error));
    });
}
