// Slack's callbacks: signed requests to `/surfaces/<channel>/slack`, or Socket Mode where the channel has an app token.
import { createEgress } from '../../../host/net/egress.ts';
import { createGuardedDispatcher, createGuardedFetch } from '../../../host/net/guarded-fetch.ts';
import { readHttp } from '../../../surfaces/slack/slack-callback.ts';
import { isSlackSignature } from '../../../surfaces/slack/slack-signature.ts';
import { connectSlack, type AnswerCallback } from '../../../surfaces/slack/slack-socket.ts';
import { createSlack } from '../../../surfaces/slack/slack-surface.ts';
import type { FastifyInstance } from 'fastify';
import type { ApiContext } from '../../api-context.ts';
import { createSlackAnswers, type SlackChannel } from '../../surfaces/slack-answers.ts';
import type { WithConfig } from '../../api-parts.ts';

const maxBodyBytes = 256 * 1024;
const maxAnswerBytes = 4 * 1024 * 1024;

type Fetch = Parameters<typeof createSlack>[1];

function fetchOf({ config }: WithConfig, channel: SlackChannel): Fetch {
  const fetch = createGuardedFetch({
    allowedOrigins: [channel.apiUrl],
    egress: createEgress(config.egress),
    headers: {},
    maxBytes: maxAnswerBytes,
    passesErrors: true,
  });
  return (url, init) => fetch(String(url), init);
}

const headerOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');

export function slackRoutes(app: FastifyInstance, api: ApiContext): void {
  const channels = Object.entries(api.config.notifications.channels).flatMap(([name, channel]) =>
    channel.type === 'slack-app' ? [{ name, channel, fetch: fetchOf(api, channel) }] : [],
  );
  if (channels.length === 0) return;
  const apps = new Map<string, { channel: SlackChannel; answer: AnswerCallback }>();
  for (const { name, channel, fetch } of channels)
    apps.set(name, { channel, answer: createSlackAnswers(api, name, channel, createSlack(channel, fetch)) });

  const dispatcher = createGuardedDispatcher(createEgress(api.config.egress));
  const stops: (() => Promise<void>)[] = [];
  app.addHook('onListen', async () => {
    for (const { name, channel, fetch } of channels) {
      const { answer } = apps.get(name) ?? {};
      if (channel.appToken === undefined || answer === undefined) continue;
      const socket = { appToken: channel.appToken, apiUrl: channel.apiUrl };
      const { connected, stop } = connectSlack(socket, { fetch, dispatcher }, answer);
      stops.push(stop);
      // The first connection may take as long as Slack is away; nothing else waits for it.
      connected.catch((error: unknown) => api.log.error({ channel: name, err: error }, 'no connection to Slack'));
    }
  });
  app.addHook('preClose', async () => {
    await Promise.allSettled(stops.map((stop) => stop()));
    await dispatcher.destroy();
  });

  void app.register(async (scope) => {
    // The signature is over the bytes of the body, whatever they say.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    const options = { config: { access: 'public' as const }, schema: { hide: true } };
    scope.post<{ Params: { channel: string } }>('/surfaces/:channel/slack', options, async (request, reply) => {
      const found = apps.get(request.params.channel);
      const secret = found?.channel.signingSecret;
      if (found === undefined || secret === undefined) return reply.code(404).send();
      const body = typeof request.body === 'string' ? request.body : '';
      const timestamp = headerOf(request.headers['x-slack-request-timestamp']);
      const signature = headerOf(request.headers['x-slack-signature']);
      if (!isSlackSignature(secret, { timestamp, signature, body }, api.now().getTime())) return reply.code(401).send();
      const callback = readHttp(body, headerOf(request.headers['content-type']));
      const answer = await found.answer(callback, signature);
      return answer === null ? reply.code(200).send() : reply.code(200).send(answer);
    });
  });
}
