// Whom a Slack channel reaches: people by the mail addresses of their profiles, or one channel of Slack.
import type { Channel } from '../../contract/configuration/channels.ts';
import { createEgress } from '../../host/net/egress.ts';
import { createGuardedFetch } from '../../host/net/guarded-fetch.ts';
import { createSlack } from '../../surfaces/slack/slack-surface.ts';
import type { Outlet } from './deliver-to-surface.ts';
import { emailOf } from './notice-people.ts';
import type { WithConfig } from '../dep-parts.ts';

const maxBytes = 4 * 1024 * 1024;

export function slackOutlet({ config }: WithConfig, channel: Extract<Channel, { type: 'slack-app' }>): Outlet {
  const fetch = createGuardedFetch({
    allowedOrigins: [channel.apiUrl],
    egress: createEgress(config.egress),
    headers: {},
    maxBytes,
    passesErrors: true,
  });
  const surface = createSlack(channel, (url, init) => fetch(String(url), init));

  async function personOf(user: string): Promise<string | null> {
    const own = Object.entries(channel.users).find(([, name]) => name === user)?.[0];
    if (own !== undefined) return own;
    const email = emailOf(config, user);
    return email === undefined ? null : surface.personOf(email);
  }

  return {
    surface,
    sharedChannel: channel.channel ?? null,
    async placesOf(user) {
      const person = await personOf(user);
      return person === null ? [] : [{ id: '', to: { person } }];
    },
    nowhere: 'no member in Slack has the mail address of this user',
    hasContext: channel.thread,
    isLoud: false,
  };
}
