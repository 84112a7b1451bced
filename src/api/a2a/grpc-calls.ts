// A call over gRPC is the same call over JSON-RPC of its version to this server itself: keys, limits, the record and the words of
// errors are then one for all bindings, and only the translation is the SDK's.
import { AgentCard } from '@a2a-js/sdk';
import { JsonRpcTransportFactory, type RequestOptions, type Transport } from '@a2a-js/sdk/client';
import { A2AError } from '@a2a-js/sdk/errors';
import type { A2ARequestHandler, ServerCallContext, User } from '@a2a-js/sdk/server';
import { status as statuses, type Metadata } from '@grpc/grpc-js';
import { A2A_VERSION_HEADER } from '@a2a-js/sdk';
import { AgentNameSchema } from '../../contract/base/ids.ts';
import { isObject, parseJson } from '../../core/base/json.ts';
import { onBehalfOfHeader } from '../auth/on-behalf-of.ts';

/** Metadata that are passed on as headers; nothing else of a call reaches the server. */
const passedOn = ['authorization', 'a2a-extensions', onBehalfOfHeader, 'traceparent', 'tracestate'];

/** The SDK's user of a call over gRPC. Who it is decides the server that the call is passed on to. */
export class GrpcCaller implements User {
  readonly isAuthenticated = true;
  readonly userName = '';
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
  /** Resolves when the caller has taken what was written, or has gone. */
  readonly hasRoom: () => Promise<void>;
  constructor(metadata: Metadata, signal: AbortSignal, hasRoom: () => Promise<void>) {
    const found = passedOn.flatMap((name) => {
      const values = metadata.get(name).map(String);
      return values.length === 0 ? [] : [[name, values.join(', ')] as const];
    });
    this.headers = Object.fromEntries(found);
    this.signal = signal;
    this.hasRoom = hasRoom;
  }
}

/** An answer that is no answer of A2A, with the status that gRPC has for it. */
class GrpcStatusError extends A2AError {
  readonly transport = 'grpc';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'A2AError';
    this.status = status;
  }
}

const statusOfHttp = new Map<number, number>([
  [400, statuses.INVALID_ARGUMENT],
  [401, statuses.UNAUTHENTICATED],
  [403, statuses.PERMISSION_DENIED],
  [404, statuses.NOT_FOUND],
  [413, statuses.RESOURCE_EXHAUSTED],
  [429, statuses.RESOURCE_EXHAUSTED],
  [503, statuses.UNAVAILABLE],
]);

/** The words of a refusal: of JSON-RPC, or of a problem (RFC 9457). */
function wordsOf(text: string, httpStatus: number): string {
  const body = parseJson(text);
  const error = isObject(body) && isObject(body['error']) ? body['error']['message'] : undefined;
  const detail = isObject(body) ? (error ?? body['detail']) : undefined;
  return typeof detail === 'string' ? detail : `Standfast answered HTTP ${httpStatus}`;
}

interface GrpcCallsOptions {
  /** Where this server itself answers HTTP. */
  ownUrl: string;
  /** Each agent's card names it as tenant. */
  agents(): readonly string[];
  card(): Promise<AgentCard>;
}

export function createGrpcHandler({ ownUrl, agents, card }: GrpcCallsOptions): A2ARequestHandler {
  const factory = (caller: GrpcCaller, version: string): JsonRpcTransportFactory =>
    new JsonRpcTransportFactory({
      legacyCompat: { enabled: true },
      fetchImpl: async (input, init) => {
        const headers = new Headers(init?.headers);
        for (const [name, value] of Object.entries(caller.headers)) headers.set(name, value);
        headers.set(A2A_VERSION_HEADER, version);
        const response = await fetch(input, { ...init, headers });
        if (response.ok) return response;
        const why = wordsOf(await response.text(), response.status);
        throw new GrpcStatusError(statusOfHttp.get(response.status) ?? statuses.INTERNAL, why);
      },
    });

  const agentOf = ({ tenant = '' }: ServerCallContext): string => {
    const known = agents();
    const [only, ...more] = known;
    if (tenant === '' && only !== undefined && more.length === 0) return only;
    if (AgentNameSchema.safeParse(tenant).success) return tenant;
    if (tenant !== '') throw new GrpcStatusError(statuses.NOT_FOUND, 'there is no agent of this name');
    throw new GrpcStatusError(
      statuses.INVALID_ARGUMENT,
      'name the agent as tenant, as the interface of its card does: several agents are behind this port',
    );
  };

  async function open(context: ServerCallContext): Promise<{ to: Transport; own: RequestOptions; caller: GrpcCaller }> {
    const { user } = context;
    if (!(user instanceof GrpcCaller)) throw new Error('a call without a caller');
    const url = new URL(`/a2a/${encodeURIComponent(agentOf(context))}/`, ownUrl).href;
    // Of the version that the caller speaks: their pushes are written in it, and names of 0.3 are read as such.
    const version = context.requestedVersion;
    const interfaces = [{ url, protocolBinding: 'JSONRPC', protocolVersion: version }];
    const to = await factory(user, version).create(url, AgentCard.fromJSON({ supportedInterfaces: interfaces }));
    return { to, own: { signal: user.signal }, caller: user };
  }

  const once =
    <P extends { tenant: string }, R>(act: (to: Transport, params: P, own: RequestOptions) => Promise<R>) =>
    async (params: P, context: ServerCallContext): Promise<R> => {
      const { to, own } = await open(context);
      // The path names the agent.
      return act(to, { ...params, tenant: '' }, own);
    };
  const stream = <P extends { tenant: string }, R>(
    act: (to: Transport, params: P, own: RequestOptions) => AsyncGenerator<R, void, undefined>,
  ) =>
    async function* (params: P, context: ServerCallContext): AsyncGenerator<R, void, undefined> {
      const { to, own, caller } = await open(context);
      for await (const event of act(to, { ...params, tenant: '' }, own)) {
        // The SDK writes without waiting: a reader who is slow would have the whole task in our memory.
        await caller.hasRoom();
        yield event;
      }
    };

  return {
    getAgentCard: card,
    getAuthenticatedExtendedAgentCard: (params, context) =>
      once((to, own: typeof params, options) => to.getExtendedAgentCard(own, options))(params, context),
    sendMessage: once((to, params, own) => to.sendMessage(params, own)),
    sendMessageStream: stream((to, params, own) => to.sendMessageStream(params, own)),
    resubscribe: stream((to, params, own) => to.resubscribeTask(params, own)),
    getTask: once((to, params, own) => to.getTask(params, own)),
    cancelTask: once((to, params, own) => to.cancelTask(params, own)),
    listTasks: once((to, params, own) => to.listTasks(params, own)),
    createTaskPushNotificationConfig: once((to, params, own) => to.createTaskPushNotificationConfig(params, own)),
    getTaskPushNotificationConfig: once((to, params, own) => to.getTaskPushNotificationConfig(params, own)),
    listTaskPushNotificationConfigs: once((to, params, own) => to.listTaskPushNotificationConfig(params, own)),
    deleteTaskPushNotificationConfig: once((to, params, own) => to.deleteTaskPushNotificationConfig(params, own)),
  };
}
