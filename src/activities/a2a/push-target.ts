// Where an agent may report that its task has moved (A2A 1.0 push notifications): a hint that only polls sooner.
import { kindOf, parseAddress, isLoopbackHost } from '../../host/net/address-ranges.ts';
import { pushTokenOf } from '../../host/secrets/tokens.ts';
import type { OutgoingMessage } from './a2a-transport.ts';
import type { PolicyReads } from '../dep-parts.ts';

/** Addresses that no agent is given either. */
function isNeverCalled(address: string): boolean {
  const literal = parseAddress(new URL(address).hostname);
  return literal !== null && kindOf(literal) === 'metadata';
}

/**
 * Address and token for one agent, if it can reach Standfast: a public address is configured, or both run on this
 * machine.
 */
export async function pushOf({ config, store }: PolicyReads, agent: string): Promise<Pick<OutgoingMessage, 'push'>> {
  const { publicUrl } = config.server;
  const agentUrl = config.agents[agent]?.url;
  if (publicUrl === undefined || agentUrl === undefined) return {};
  if (isLoopbackHost(publicUrl) && !isLoopbackHost(agentUrl)) return {};
  if (isNeverCalled(publicUrl)) return {};
  const base = publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`;
  const url = new URL(`agents/${encodeURIComponent(agent)}/push-notifications`, base).href;
  return { push: { url, token: await pushTokenOf(store.settings, agent) } };
}
