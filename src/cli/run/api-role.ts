import type { Server } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { createEngramAgent } from '../../activities/a2a/engram-agent.ts';
import { createHistoryReader, maxHistoryBytes } from '../../activities/a2a/read-history.ts';
import { startGrpcServer } from '../../api/a2a/grpc-server.ts';
import { buildApp } from '../../api/app.ts';
import { createDeciderWatch } from '../../api/holds/undecidable.ts';
import { createSweeper } from '../../api/runs/sweeper.ts';
import { createTaskClient } from '../../api/engine/task-client.ts';
import { dataConverterOf } from '../../host/temporal/payload-codec.ts';
import { settledWithin } from '../../host/process/retry.ts';
import { clockOf } from '../../host/temporal/temporal-time.ts';
import { lastingConnection } from '../../host/temporal/temporal-connection.ts';
import { startFailure } from '../../host/temporal/start-failure.ts';
import { createTransports } from './agent-transports.ts';
import { takenPort } from './settings.ts';
import type { Role, RoleDeps } from './worker-role.ts';

interface ApiRole extends Role {
  /** `http://HOST:PORT` as it listens. */
  url: string;
}

/** Largest response of an Engram call. */
const maxEngramBytes = 16 * 1024 * 1024;
/** Readers that all come back at once: the kernel drops connections beyond Node's 511, which try again after seconds. */
const backlog = 4_096;
/** As long as open requests are answered during shutdown. */
const lastSweepMs = 3_000;

export async function startApi(
  deps: RoleDeps & { host: string; port: number; temporalUiUrl: string | null },
): Promise<ApiRole> {
  const { config, store, target, log, schemas, time } = deps;
  // Lazy: the API starts without Temporal and reports that in readyz.
  const connection = Connection.lazy({ ...lastingConnection(target), connectTimeout: 4000 });
  const dataConverter = dataConverterOf(deps.codec, deps.prover);
  const interceptors = { workflow: deps.traces?.clientInterceptors ?? [] };
  const client = new Client({ connection, namespace: target.namespace, dataConverter, interceptors });
  const tasks = createTaskClient(client, { now: time.now, explain: (fault) => startFailure(fault, target) });
  const engramTransport = createTransports(config, log.child({ part: 'engram' }), {
    maxBytes: maxEngramBytes,
    traces: deps.traces,
  });
  const app = buildApp({
    config,
    store,
    tasks,
    checkAnswer: (schema, values) => schemas.check(schema, values),
    sealer: deps.sealer,
    codec: deps.codec ?? null,
    links: deps.links,
    signer: deps.signer,
    prover: deps.prover,
    readHistory: createHistoryReader(
      createTransports(config, log.child({ part: 'chat' }), { maxBytes: maxHistoryBytes }),
    ),
    engram: (agent) => createEngramAgent(engramTransport(agent)),
    log: log.child({ part: 'api' }),
    traceRequest: deps.traces?.startRequest ?? null,
    registry: deps.metrics.registry,
    now: time.now,
    publicUrl: deps.publicUrl,
    temporalUiUrl: deps.temporalUiUrl,
  });
  await app.listen({ host: deps.host, port: deps.port, backlog }).catch((error: unknown) => {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw isTaken ? takenPort(deps.host, deps.port) : error;
  });
  const url = urlOf(deps.host, portOf(app.server.address(), deps.port));
  const ownUrl = urlOf(['0.0.0.0', '::'].includes(deps.host) ? '127.0.0.1' : deps.host, Number(new URL(url).port));
  const grpc = await startGrpcServer({ config, host: deps.host, ownUrl, log: log.child({ part: 'grpc' }) }).catch(
    async (error: unknown) => {
      await app.close();
      throw error;
    },
  );
  const sweeper = createSweeper({ ...deps, tasks, codec: deps.codec ?? null, now: time.now });
  sweeper.start();
  const deciders = createDeciderWatch({ config, store, tasks, log: log.child({ part: 'api' }), now: time.now });
  deciders.start();
  void time.follow(clockOf(connection, target));
  const ended = new Promise<void>((resolve) => app.server.once('close', () => resolve()));
  return {
    url,
    ended,
    async stop() {
      grpc?.stop();
      // The sweeper may be blocked on Temporal, which must not delay the HTTP shutdown.
      await Promise.all([
        settledWithin(lastSweepMs, Promise.all([sweeper.stop(), deciders.stop(), time.stop()])),
        app.close(),
      ]);
      await connection.close();
    },
  };
}

function portOf(address: ReturnType<Server['address']>, asked: number): number {
  return typeof address === 'object' && address !== null ? address.port : asked;
}

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
