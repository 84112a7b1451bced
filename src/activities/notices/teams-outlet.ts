// Whom a Teams bot reaches: people who have begun a conversation with it.
import type { Channel } from '../../contract/configuration/channels.ts';
import { createEgress } from '../../host/net/egress.ts';
import { createGuardedFetch } from '../../host/net/guarded-fetch.ts';
import { within } from '../../host/process/time-limit.ts';
import { createTeams, placeIn, recipientOf, tokenUrlOf } from '../../surfaces/teams/teams-surface.ts';
import type { Outlet } from './deliver-to-surface.ts';
import type { PolicyActs } from '../dep-parts.ts';

const maxBytes = 1024 * 1024;
const callForMs = 10_000;

export function teamsOutlet(
  { config, store, now }: PolicyActs,
  name: string,
  channel: Extract<Channel, { type: 'teams-bot' }>,
): Outlet {
  const fetch = createGuardedFetch({
    allowedOrigins: [...channel.services, tokenUrlOf(channel)],
    egress: createEgress(config.egress),
    headers: {},
    maxBytes,
    passesErrors: true,
  });
  return {
    surface: createTeams(channel, (url, init) => fetch(url, { ...init, ...within(undefined, callForMs) }), now),
    sharedChannel: null,
    async placesOf(user) {
      const rows = await store.personal.list('conversation', user);
      return rows.filter((row) => row.name === name).map(({ value }) => ({ id: '', to: recipientOf(placeIn(value)) }));
    },
    nowhere: 'this user has no conversation with the bot: they install it in Teams, or write to it once',
    hasContext: false,
    isLoud: false,
  };
}
