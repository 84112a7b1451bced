// The card of an agent as its callers see it: what the agent can do, at Standfast's address and with Standfast's keys.
import { A2A_VERSION_HEADER, AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk';
import { duplicateInterfacesForLegacy } from '@a2a-js/sdk/compat/v0_3';
import { ExtensionSupportRequiredError } from '@a2a-js/sdk/errors';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import type { NextFunction, Request, Response } from 'express';
import type { KeptCard } from '../../contract/tasks/agent-card.ts';
import type { AgentConfig } from '../../contract/configuration/agent-config.ts';
import type { Config } from '../../contract/configuration/config.ts';
import { pageUrl } from '../../core/base/page-url.ts';
import { holdExtension } from '../../wire/a2a/caller/caller-status.ts';
import { configOf } from '../agents/agent-access.ts';
import { knownAgent } from '../agents/capabilities.ts';
import type { ApiContext } from '../api-context.ts';
import { version } from '../../host/process/version.ts';
import type { PolicyReads } from '../api-parts.ts';

const callerAddress = (publicUrl: string, agent: string): string => pageUrl(publicUrl, `/a2a/${agent}/`);

/** All agents share one port, so the agent is named as tenant. */
function grpcInterfaceOf(
  { config, publicUrl }: Pick<ApiContext, 'config' | 'publicUrl'>,
  agent: string,
): { url: string; protocolBinding: string; tenant: string }[] {
  const { grpc } = config.server;
  if (grpc === undefined) return [];
  const url = grpc.address ?? `${new URL(publicUrl).hostname}:${grpc.port}`;
  return [{ url, protocolBinding: 'GRPC', tenant: agent }];
}

/** A call of 0.3 over gRPC names no tenant, and so no agent: where there are several it could only be refused. */
const legacyBindings = ({ agents }: Pick<Config, 'agents'>): string[] => [
  'JSONRPC',
  'HTTP+JSON',
  ...(Object.keys(agents).length === 1 ? ['GRPC'] : []),
];

const anyMode = ['text/plain', 'application/json'];
const orElse = <T>(list: T[], otherwise: T[]): T[] => (list.length === 0 ? otherwise : list);

interface CardExtension {
  uri: string;
  required: boolean;
  description?: string;
}

function extensionsOf(config: AgentConfig, card: KeptCard | null): CardExtension[] {
  const ofAgent = (card?.capabilities.extensions ?? []).map(({ uri, required }) => ({
    uri,
    // What the configuration activates goes to the agent with every call.
    required: required && !config.extensions.includes(uri),
  }));
  const description = 'Names the questions to people that a task waits for';
  return [...ofAgent, { uri: holdExtension, required: false, description }];
}

/** Activates what the caller asks for and the card offers. Throws if one that the agent requires is missing. */
export async function negotiateExtensions(api: PolicyReads, name: string, context: ServerCallContext): Promise<void> {
  const config = configOf(api, name);
  const { card } = knownAgent(name, config, await api.store.agents.getCard(name));
  const asked = new Set(context.requestedExtensions ?? []);
  for (const { uri, required } of extensionsOf(config, card)) {
    if (asked.has(uri)) context.addActivatedExtension(uri);
    else if (required)
      throw new ExtensionSupportRequiredError(`the agent requires the extension ${uri}: name it in A2A-Extensions`);
  }
}

/** Throws `not_found`. Without a card read by a worker it describes what Standfast itself does. */
export async function callerCard(
  api: Pick<ApiContext, 'config' | 'keys' | 'publicUrl' | 'store'>,
  name: string,
): Promise<AgentCard> {
  const config = configOf(api, name);
  const { title, description, card } = knownAgent(name, config, await api.store.agents.getCard(name));
  const url = callerAddress(api.publicUrl, name);
  const own = { tenant: '', protocolVersion: '1.0' };
  const interfaces = [
    ...['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({ ...own, url, protocolBinding })),
    ...grpcInterfaceOf(api, name).map((one) => ({ ...own, ...one })),
  ];
  const skill = { id: name, name: title, description: description || title, tags: ['agent'] };
  return AgentCard.fromJSON({
    name: title,
    description: description || title,
    version: card?.version || version,
    supportedInterfaces: duplicateInterfacesForLegacy(interfaces, legacyBindings(api.config)),
    ...(card?.documentationUrl ? { documentationUrl: card.documentationUrl } : {}),
    ...(card?.provider.organization
      ? { provider: { organization: card.provider.organization, url: card.documentationUrl || url } }
      : {}),
    capabilities: {
      streaming: true,
      pushNotifications: true,
      // Only with authentication: without keys there is no sign-in.
      extendedAgentCard: !api.keys.isEmpty,
      extensions: extensionsOf(config, card),
    },
    ...securityOf(api),
    defaultInputModes: orElse(card?.defaultInputModes ?? [], anyMode),
    defaultOutputModes: orElse(card?.defaultOutputModes ?? [], anyMode),
    skills: orElse<object>(card?.skills ?? [], [skill]),
  });
}

/** The ways to sign in, each sufficient; none if everybody on this machine may call. */
function securityOf({ keys, config }: Pick<ApiContext, 'config' | 'keys'>): object {
  if (keys.isEmpty) return {};
  const { oidc } = config.auth;
  const bearer = { httpAuthSecurityScheme: { scheme: 'Bearer', description: 'An API key of Standfast' } };
  const openIdConnectUrl = `${(oidc?.issuer ?? '').replace(/\/$/, '')}/.well-known/openid-configuration`;
  const description = `An access token for ${oidc?.audience ?? oidc?.clientId ?? ''}`;
  const securitySchemes = {
    bearer,
    ...(oidc?.allowBearer === true ? { oidc: { openIdConnectSecurityScheme: { openIdConnectUrl, description } } } : {}),
  };
  const names = Object.keys(securitySchemes);
  return { securitySchemes, securityRequirements: names.map((name) => ({ schemes: { [name]: { list: [] } } })) };
}

/** Signed over its canonical JSON (A2A 1.0 §8.4), by the key of `/.well-known/jwks.json`; as it is where there is no key. */
function signed({ signer, publicUrl }: Pick<ApiContext, 'publicUrl' | 'signer'>, card: AgentCard): AgentCard {
  if (signer === null) return card;
  // Safe: canonical JSON of an object.
  const claims = JSON.parse(canonicalizeAgentCard(card)) as object;
  const jws = signer.jwsOf('JOSE', claims, { jku: pageUrl(publicUrl, '/.well-known/jwks.json') });
  const [protectedHeader = '', , signature = ''] = jws.split('.');
  return { ...card, signatures: [{ protected: protectedHeader, signature, header: undefined }] };
}

const startedAt = new Date();

/**
 * The card as A2A 1.0 has it; older ones are the SDK's to write. Its own handler would write this one as it lies in memory, where
 * security schemes have another form.
 */
export async function writeCard(
  api: Pick<ApiContext, 'config' | 'keys' | 'log' | 'publicUrl' | 'signer' | 'store'>,
  agent: string,
  request: Request,
  response: Response,
  next: NextFunction,
): Promise<void> {
  try {
    const seenAt = (await api.store.agents.getCard(agent))?.seenAt;
    const changedAt = new Date(Math.max(startedAt.getTime(), seenAt === undefined ? 0 : Date.parse(seenAt)));
    response.set('last-modified', changedAt.toUTCString());
    if (request.get(A2A_VERSION_HEADER) !== '1.0') return next();
    const body = JSON.stringify(AgentCard.toJSON(signed(api, await callerCard(api, agent))));
    response
      .vary(A2A_VERSION_HEADER)
      .set({ 'cache-control': 'public, max-age=60', 'content-type': 'application/json' });
    response.send(body);
  } catch (error) {
    next(error);
  }
}
