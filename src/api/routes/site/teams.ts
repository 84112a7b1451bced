// The messaging endpoint of a Teams bot: `/surfaces/<channel>/teams`. Each request carries a token of Bot Framework.
import type { FastifyInstance } from 'fastify';
import { createEgress } from '../../../host/net/egress.ts';
import { createGuardedFetch } from '../../../host/net/guarded-fetch.ts';
import { within } from '../../../host/process/time-limit.ts';
import { objectOf } from '../../../core/base/json.ts';
import { SurfaceError } from '../../../surfaces/base/surface.ts';
import { readActivity } from '../../../surfaces/teams/teams-callback.ts';
import { createTeams, isService, tokenUrlOf } from '../../../surfaces/teams/teams-surface.ts';
import { createTokenCheck, type TeamsFetch } from '../../../surfaces/teams/teams-tokens.ts';
import type { ApiContext } from '../../api-context.ts';
import { createTeamsAnswers, type TeamsChannel } from '../../surfaces/teams-answers.ts';
import type { WithConfig } from '../../api-parts.ts';

const maxBodyBytes = 256 * 1024;
const maxAnswerBytes = 1024 * 1024;
const callForMs = 10_000;

/** To these addresses and no other. */
function fetchOf({ config }: WithConfig, addresses: readonly string[]): TeamsFetch {
  const egress = createEgress(config.egress);
  const options = { allowedOrigins: [...addresses], egress, headers: {}, maxBytes: maxAnswerBytes, passesErrors: true };
  const fetch = createGuardedFetch(options);
  return (url, init) => fetch(url, { ...init, ...within(undefined, callForMs) });
}

function botOf(api: ApiContext, name: string, channel: TeamsChannel) {
  const { openIdUrl, services } = channel;
  const tokens = createTokenCheck(channel, fetchOf(api, [openIdUrl]), api.now);
  const teams = createTeams(channel, fetchOf(api, [...services, tokenUrlOf(channel)]), api.now);
  return { channel, tokens, answer: createTeamsAnswers(api, name, channel, teams) };
}

export function teamsRoutes(app: FastifyInstance, api: ApiContext): void {
  const bots = new Map(
    Object.entries(api.config.notifications.channels).flatMap(([name, channel]) =>
      channel.type === 'teams-bot' ? [[name, botOf(api, name, channel)] as const] : [],
    ),
  );
  if (bots.size === 0) return;
  const options = { config: { access: 'public' as const }, schema: { hide: true }, bodyLimit: maxBodyBytes };
  app.post<{ Params: { channel: string } }>('/surfaces/:channel/teams', options, async (request, reply) => {
    const bot = bots.get(request.params.channel);
    if (bot === undefined) return reply.code(404).send();
    const activity = readActivity(objectOf(request.body));
    try {
      const token = await bot.tokens.check(request.headers.authorization ?? '', activity.channelId);
      const isTheirs = token !== null && token.serviceUrl === activity.serviceUrl && activity.channelId === 'msteams';
      if (!isTheirs || !isService(bot.channel, activity.serviceUrl)) return await reply.code(401).send();
      if (activity.tenant !== bot.channel.tenant) return await reply.code(403).send();
      const answer = await bot.answer(activity);
      return await reply.code(200).send(answer ?? {});
    } catch (error) {
      if (!(error instanceof SurfaceError)) throw error;
      // Teams sends it again, or says that the bot did not answer.
      return reply.code(503).send();
    }
  });
}
