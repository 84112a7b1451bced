// The card of an agent as its callers see it: what the agent can do, at our address and with our keys.
import { AgentCard } from '@a2a-js/sdk';
import { duplicateInterfacesForLegacy } from '@a2a-js/sdk/compat/v0_3';
import { pageUrl } from '../../core/base/page-url.ts';
import { holdExtension } from '../../wire/a2a/caller/caller-status.ts';
import { configOf } from '../agents/agent-access.ts';
import { knownAgent } from '../agents/capabilities.ts';
import type { ApiContext } from '../api-context.ts';
import { version } from '../../contract/version.ts';

export const callerAddress = (publicUrl: string, agent: string): string => pageUrl(publicUrl, `/a2a/${agent}/`);

const anyMode = ['text/plain', 'application/json'];
const orElse = <T>(list: T[], otherwise: T[]): T[] => (list.length === 0 ? otherwise : list);

/** Throws `not_found`. Of an agent whose card no worker has read yet it says what Holdpoint itself does. */
export async function callerCard(api: ApiContext, name: string): Promise<AgentCard> {
  const config = configOf(api, name);
  const { title, description, card } = knownAgent(name, config, await api.store.agents.getCard(name));
  const url = callerAddress(api.publicUrl, name);
  const interfaces = ['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({
    url,
    protocolBinding,
    tenant: '',
    protocolVersion: '1.0',
  }));
  const extensions = (card?.capabilities.extensions ?? []).map(({ uri, required }) => ({ uri, required }));
  const bearer = { httpAuthSecurityScheme: { scheme: 'Bearer', description: 'An API key of Holdpoint' } };
  const skill = { id: name, name: title, description: description || title, tags: ['agent'] };
  return AgentCard.fromJSON({
    name: title,
    description: description || title,
    version: card?.version || version,
    supportedInterfaces: duplicateInterfacesForLegacy(interfaces, ['JSONRPC', 'HTTP+JSON']),
    ...(card?.documentationUrl ? { documentationUrl: card.documentationUrl } : {}),
    ...(card?.provider.organization
      ? { provider: { organization: card.provider.organization, url: card.documentationUrl || url } }
      : {}),
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: true,
      extensions: [
        ...extensions,
        { uri: holdExtension, required: false, description: 'Names the questions to people that a task waits for' },
      ],
    },
    ...(api.keys.isEmpty
      ? {}
      : { securitySchemes: { bearer }, securityRequirements: [{ schemes: { bearer: { list: [] } } }] }),
    defaultInputModes: orElse(card?.defaultInputModes ?? [], anyMode),
    defaultOutputModes: orElse(card?.defaultOutputModes ?? [], anyMode),
    skills: orElse<object>(card?.skills ?? [], [skill]),
  });
}
