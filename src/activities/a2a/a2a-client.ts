// The SDK's client for one call, by the interface of the card that was chosen, over HTTP or gRPC.
import type { AgentCard } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import type { Channel } from '@grpc/grpc-js';
import { bindingOf } from '../../core/turn/agent-interface.ts';
import type { Egress } from '../../host/net/egress.ts';
import { addressesOf, createGuardedChannel } from '../../host/net/grpc-channel.ts';
import { watchBody } from '../../host/net/guarded-fetch.ts';
import type { TokenSource } from '../../host/net/oauth.ts';
import { CardError } from './a2a-errors.ts';
import { withPlainError } from './a2a-plain-error.ts';
import { grpcTransportFactory } from './grpc-client.ts';
import { createNumberKeeper, fetchRewriting, keepingDropped, readingOldEnvelopes } from './rewrite-answers.ts';

/** What a call wants to know of its answer. */
export interface Watch {
  signal: AbortSignal;
  onResponse?: () => void;
  onBytes?: (bytes: number) => void;
}

/** How one agent is called, for everything or for what only reads. */
export interface Way {
  fetch: typeof fetch;
  grpc: GrpcWay;
}

export interface CallClient {
  client: Client;
  /** Ends the connection of its own that it may have. */
  close(): void;
}

const legacyCompat = { enabled: true };

/** A client is cheap, so each call has its own, which reports on that call only. */
export async function clientFor(card: AgentCard, way: Way, call: Watch): Promise<CallClient> {
  const [chosen] = card.supportedInterfaces;
  const watchedFetch: typeof fetch = async (input, init) => {
    const response = await way.fetch(input, init);
    call.onResponse?.();
    return watchBody(await withPlainError(response), (bytes) => call.onBytes?.(bytes));
  };
  let fetchNow = watchedFetch;
  const fetchImpl: typeof fetch = (input, init) => fetchNow(input, init);
  const grpc =
    chosen !== undefined && bindingOf(chosen.protocolBinding) === 'GRPC' ? await way.grpc.open(chosen.url, call) : null;
  const factory = new ClientFactory({
    transports: [
      new JsonRpcTransportFactory({ legacyCompat, fetchImpl }),
      new RestTransportFactory({ legacyCompat, fetchImpl }),
      ...(grpc === null ? [] : [grpcTransportFactory(grpc)]),
    ],
    cardResolver: new DefaultAgentCardResolver({ legacyCompat, fetchImpl }),
  });
  const close = (): void => grpc?.close();
  try {
    const client = await factory.createFromAgentCard({ ...card, supportedInterfaces: chosen ? [chosen] : [] });
    const rewrite = createNumberKeeper(client);
    if (drops(client)) fetchNow = keepingDropped(watchedFetch, rewrite);
    else if (client.protocolVersion.startsWith('1.')) fetchNow = readingOldEnvelopes(watchedFetch, rewrite);
    else fetchNow = fetchRewriting(watchedFetch, rewrite);
    return { client, close };
  } catch (error) {
    close();
    throw new CardError('the agent card names no way of talking that we know', { cause: error });
  }
}

/** Only over this transport does the SDK lose parts of a message; `keepingDropped` restores them. */
export function drops({ protocolVersion, transport }: Client): boolean {
  return protocolVersion === '0.3' && transport.protocolName === 'HTTP+JSON';
}

interface GrpcWay {
  open(url: string, call: Watch): Promise<Parameters<typeof grpcTransportFactory>[0] & { close(): void }>;
}

interface GrpcOptions {
  egress: Egress;
  headers: Readonly<Record<string, string>>;
  tokens: TokenSource | null;
  maxBytes: number;
  /** One connection for many requests: only for what may be sent twice. */
  keepsConnections: boolean;
}

export function createGrpcWay({ egress, headers, tokens, maxBytes, keepsConnections }: GrpcOptions): GrpcWay {
  let kept: { to: string; channel: Channel } | null = null;

  /** One that is kept is left for another when the name has other addresses now. */
  const keptTo = (url: URL, addresses: readonly string[]): Channel => {
    const to = [url.origin, ...addresses].join(' ');
    if (kept?.to === to) return kept.channel;
    // Calls that use it end as they would; an idle one has no connection.
    kept = { to, channel: createGuardedChannel({ url, addresses, maxBytes, mayRepeat: true }) };
    return kept.channel;
  };

  return {
    async open(address, { signal, onResponse, onBytes }) {
      const url = new URL(address);
      const addresses = await addressesOf(url, egress);
      const bearer = tokens === null ? {} : { authorization: `Bearer ${await tokens.token(signal)}` };
      const channel = keepsConnections
        ? keptTo(url, addresses)
        : createGuardedChannel({ url, addresses, maxBytes, mayRepeat: false });
      return {
        channel,
        headers: { ...headers, ...bearer },
        onResponse: () => onResponse?.(),
        onBytes,
        close: () => (keepsConnections ? undefined : channel.close()),
      };
    },
  };
}
