// Microsoft Teams as a bot: cards in conversations that people or teams have begun with it.
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { objectOf } from '../../core/base/json.ts';
import { provedEmail } from '../../core/policy/proved-email.ts';
import { inertText } from '../../core/questions/inert-text.ts';
import { SurfaceError, type Recipient, type Surface } from '../base/surface.ts';
import { cardActivity, digestCard, questionCard, teamsLimits } from './teams-card.ts';
import { createConnectorTokens, type TeamsFetch } from './teams-tokens.ts';

/** Where a conversation is reached. */
export interface TeamsPlace {
  serviceUrl: string;
  conversation: string;
}

export interface TeamsMember {
  /** Object id in Entra. */
  objectId: string;
  email: string | null;
}

export interface TeamsSurface extends Surface {
  /** Who this is in a conversation, as Teams knows them; null: it does not. Throws SurfaceError. */
  memberOf(place: TeamsPlace, person: string): Promise<TeamsMember | null>;
  /** Deletes a message of the bot; one that is gone is not a failure. Throws SurfaceError. */
  remove(place: TeamsPlace, activity: string): Promise<void>;
  /** Throws SurfaceError. */
  post(place: TeamsPlace, activity: JsonObject): Promise<string>;
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const recipientOf = ({ serviceUrl, conversation }: TeamsPlace): Recipient => ({
  person: JSON.stringify({ serviceUrl, conversation }),
});
const placeOf = (to: Recipient): TeamsPlace => placeIn(JSON.parse('person' in to ? to.person : to.channel) as Json);
export function placeIn(value: Json): TeamsPlace {
  const { serviceUrl, conversation } = objectOf(value);
  return { serviceUrl: textOf(serviceUrl), conversation: textOf(conversation) };
}

export interface TeamsBot {
  appId: string;
  appPassword: string;
  tenant: string;
  tokenUrl?: string | undefined;
  services: readonly string[];
}

export const tokenUrlOf = ({ tokenUrl, tenant }: Pick<TeamsBot, 'tokenUrl' | 'tenant'>): string =>
  tokenUrl ?? `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`;

/** Whether messages may go there: our token goes with them. */
export const isService = ({ services }: Pick<TeamsBot, 'services'>, serviceUrl: string): boolean =>
  URL.canParse(serviceUrl) && services.some((one) => new URL(one).origin === new URL(serviceUrl).origin);

function ignoreGone(error: unknown): void {
  if (!(error instanceof SurfaceError && error.message === 'Teams: HTTP 404')) throw error;
}

export function createTeams(bot: TeamsBot, fetch: TeamsFetch, now: () => Date): TeamsSurface {
  const tokenOf = createConnectorTokens({ ...bot, tokenUrl: tokenUrlOf(bot) }, fetch, now);

  async function call(place: TeamsPlace, method: string, path: string, body?: JsonObject): Promise<JsonObject> {
    const { serviceUrl, conversation } = place;
    if (!isService(bot, serviceUrl)) throw new SurfaceError('Teams: a service that is not configured', true);
    const url = `${serviceUrl.replace(/\/+$/, '')}/v3/conversations/${encodeURIComponent(conversation)}${path}`;
    try {
      const headers = { authorization: `Bearer ${await tokenOf()}`, 'content-type': 'application/json' };
      const response = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
      const text = await response.text();
      if (response.ok) return text === '' ? {} : objectOf(JSON.parse(text) as Json);
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      const isFinal = response.status >= 400 && response.status < 500 && ![408, 412, 429].includes(response.status);
      throw new SurfaceError(
        `Teams: HTTP ${response.status}`,
        isFinal,
        Number.isFinite(seconds) ? seconds * 1000 : null,
      );
    } catch (error) {
      if (error instanceof SurfaceError) throw error;
      throw new SurfaceError(`Teams: ${error instanceof Error ? error.name : 'unknown error'}`, false);
    }
  }

  const post = async (place: TeamsPlace, activity: JsonObject): Promise<string> =>
    textOf((await call(place, 'POST', '/activities', activity))['id']);

  return {
    limits: teamsLimits,
    post,
    async show(question, to) {
      const place = placeOf(to);
      return { ...place, activity: await post(place, cardActivity(questionCard(question))) };
    },
    async update(handle, question) {
      const activity = encodeURIComponent(textOf(handle['activity']));
      const body = { ...cardActivity(questionCard(question)), id: textOf(handle['activity']) };
      await call(placeIn(handle), 'PUT', `/activities/${activity}`, body);
    },
    // A bot cannot read what it wrote; it learns of a card when it is shown (src/api/surfaces/teams-cards.ts).
    find: () => Promise.resolve(null),
    async list(digest, to) {
      const place = placeOf(to);
      return { ...place, activity: await post(place, cardActivity(digestCard(digest))) };
    },
    async reply(handle, { text }) {
      const place = placeIn(handle);
      const replyToId = textOf(handle['activity']);
      const activity = await post(place, { type: 'message', textFormat: 'plain', text: inertText(text), replyToId });
      return { ...place, activity };
    },
    async remove(place, activity) {
      await call(place, 'DELETE', `/activities/${encodeURIComponent(activity)}`).catch(ignoreGone);
    },
    async memberOf(place, person) {
      try {
        const member = await call(place, 'GET', `/members/${encodeURIComponent(person)}`);
        const email = provedEmail({ from: 'teams', member, tenant: bot.tenant });
        return { objectId: textOf(member['aadObjectId']) || textOf(member['objectId']), email };
      } catch (error) {
        ignoreGone(error);
        return null;
      }
    },
  };
}
