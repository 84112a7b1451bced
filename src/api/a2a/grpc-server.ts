// A2A over gRPC, 1.0 and 0.3, at a port of its own (`server.grpc`): gRPC has no paths, so all agents share it.
import { AgentCard } from '@a2a-js/sdk';
import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { type ServerCallContextBuilder, ServerCallContext } from '@a2a-js/sdk/server';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials, type ServerUnaryCall, type ServerWritableStream } from '@grpc/grpc-js';
import type { Config } from '../../contract/configuration/config.ts';
import { renewedCredentials } from '../../host/net/grpc-certificate.ts';
import { createGrpcHandler, GrpcCaller } from './grpc-calls.ts';

export interface GrpcServer {
  port: number;
  /** Ends all calls; those that wait for people are taken up again by SubscribeToTask. */
  stop(): void;
}

interface GrpcServerOptions {
  config: Config;
  host: string;
  /** Where this process answers HTTP. */
  ownUrl: string;
  log: { warn(fields: object, text: string): void };
  /** How often the certificate is read again. */
  renewMs?: number;
}

/** Undefined where the configuration names no port for it. Throws what is wrong with the port or the certificate. */
export async function startGrpcServer({
  config,
  host,
  ownUrl,
  log,
  renewMs,
}: GrpcServerOptions): Promise<GrpcServer | undefined> {
  const { grpc, bodyLimitBytes } = config.server;
  if (grpc === undefined) return undefined;
  const server = new Server({ 'grpc.max_receive_message_length': bodyLimitBytes });
  const requestHandler = createGrpcHandler({
    ownUrl,
    agents: () => Object.keys(config.agents),
    card: async () => versions,
  });
  server.addService(A2AService, grpcService({ requestHandler, userBuilder, contextBuilder: contextOf('1.0') }));
  server.addService(
    LegacyA2AService,
    legacyGrpcService({ requestHandler, userBuilder, contextBuilder: contextOf('0.3') }),
  );
  const { credentials, stop } = credentialsOf(grpc.tls, log, renewMs);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`${host.includes(':') ? `[${host}]` : host}:${grpc.port}`, credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(new Error(`server.grpc cannot listen: ${error.message}`)),
    ),
  );
  return {
    port,
    stop() {
      stop();
      server.forceShutdown();
    },
  };
}

/** What a caller may speak; the card of an agent is read over HTTP. */
const versions = AgentCard.fromJSON({
  supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
    url: '',
    protocolBinding: 'GRPC',
    tenant: '',
    protocolVersion,
  })),
});

/** The service itself says which version is spoken: many callers of gRPC send no header for it. */
const contextOf =
  (requestedVersion: string): ServerCallContextBuilder =>
  ({ extensions, user, tenant }) =>
    new ServerCallContext({
      requestedVersion,
      ...(extensions === undefined ? {} : { requestedExtensions: extensions }),
      ...(user === undefined ? {} : { user }),
      ...(tenant === undefined ? {} : { tenant }),
    });

type Call = ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>;

const userBuilder = async (call: Call): Promise<GrpcCaller> => {
  const gone = new AbortController();
  call.once('cancelled', () => gone.abort());
  return new GrpcCaller(call.metadata, gone.signal, () => roomIn(call, gone.signal));
};

function roomIn(call: Call, signal: AbortSignal): Promise<void> {
  if (!('writableNeedDrain' in call) || !call.writableNeedDrain || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    call.once('drain', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

type Tls = NonNullable<Config['server']['grpc']>['tls'];

function credentialsOf(
  tls: Tls,
  log: GrpcServerOptions['log'],
  renewMs?: number,
): { credentials: ServerCredentials; stop(): void } {
  if (tls === undefined) return { credentials: ServerCredentials.createInsecure(), stop: () => undefined };
  const warn = (why: string): void =>
    log.warn({ why }, 'the new certificate of server.grpc cannot be used; the one before goes on');
  return renewedCredentials(tls, warn, renewMs);
}
