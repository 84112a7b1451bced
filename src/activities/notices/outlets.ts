// The channels whose messages are updated, each with the surface and the people whom it reaches.
import type { Channel } from '../../contract/configuration/channels.ts';
import type { Outlet } from './deliver-to-surface.ts';
import { pushOutlet } from './push-outlet.ts';
import { slackOutlet } from './slack-outlet.ts';
import { teamsOutlet } from './teams-outlet.ts';
import type { PolicyActs } from '../dep-parts.ts';

export type SurfaceChannel = Extract<Channel, { type: 'slack-app' | 'teams-bot' | 'push' }>;

export const isSurface = (channel: Channel): channel is SurfaceChannel =>
  ['slack-app', 'teams-bot', 'push'].includes(channel.type);

export async function outletOf(deps: PolicyActs, name: string, channel: SurfaceChannel): Promise<Outlet> {
  if (channel.type === 'push') return pushOutlet(deps, channel);
  return channel.type === 'slack-app' ? slackOutlet(deps, channel) : teamsOutlet(deps, name, channel);
}
