// Temporal's full server on PostgreSQL, as clusters and docker-compose.yml run it, with the settings of deploy/temporal. Its
// namespace has nothing registered: that is the worker's part.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { msToTs } from '@temporalio/common/lib/time.js';
import { Client } from 'pg';
import { localTarget, withConnection } from '../../../src/host/temporal/temporal-connection.ts';
import { leastBoundMs, waitFor } from '../wait-for.ts';
import type { RigProcess, Supervisor } from './supervisor.ts';

interface FullTemporalOptions {
  /** Directory of the programs that scripts/temporal-server.mjs makes. */
  programs: string;
  /** A server for its two databases, which are used again where they are there. */
  postgresUrl: string;
  /** Its configuration is written there. */
  dir: string;
}

export interface FullTemporal {
  address: string;
  kill9(): Promise<void>;
  /** On the same ports and databases as before. */
  restart(): Promise<void>;
  process(): RigProcess;
}

export const dynamicConfigFile = fileURLToPath(
  new URL('../../../deploy/temporal/dynamic-config.yaml', import.meta.url),
);
const schemas = { temporal: 'postgresql/v12/temporal', temporal_visibility: 'postgresql/v12/visibility' };
const retention = msToTs('30 days');

export async function startFullTemporal(
  supervisor: Supervisor,
  { programs, postgresUrl, dir }: FullTemporalOptions,
): Promise<FullTemporal> {
  const database = new URL(postgresUrl);
  for (const [name, schema] of Object.entries(schemas)) {
    if (!(await createMissing(postgresUrl, name))) continue;
    const to = ['--plugin', 'postgres12', '--ep', database.hostname, '-p', database.port, '-u', database.username];
    for (const step of ['setup-schema -v 0.0', `update-schema --schema-name ${schema}`])
      await promisify(execFile)(join(programs, 'sql'), [...to, '--pw', '', '--db', name, ...step.split(' ')]);
  }
  const ports: number[] = [];
  while (ports.length < 8) ports.push(await supervisor.freePort());
  mkdirSync(join(dir, 'config'), { recursive: true });
  // JSON is YAML as well.
  writeFileSync(join(dir, 'config', 'standfast.yaml'), JSON.stringify(configOf(database, ports)));
  const start = async (): Promise<RigProcess> => {
    const started = supervisor.start({
      name: 'Temporal',
      command: join(programs, 'server'),
      args: ['--root', dir, '--config', 'config', '--env', 'standfast', '--allow-no-auth', 'start'],
    });
    await waitFor(
      () => hasNamespace(address),
      leastBoundMs,
      'the Temporal server',
      () => started.output().slice(-2_000),
    );
    return started;
  };
  const address = `127.0.0.1:${ports[0]}`;
  let running = await start();
  return {
    address,
    kill9: () => running.kill9(),
    process: () => running,
    async restart() {
      if (running.isRunning()) await running.kill9();
      running = await start();
    },
  };
}

/** Whether the database had to be made. */
async function createMissing(postgresUrl: string, name: string): Promise<boolean> {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
    return rowCount === 0;
  } finally {
    await client.end();
  }
}

/** Makes it where need be, and lists: the server answers before it knows a new namespace everywhere. */
function hasNamespace(address: string): Promise<boolean> {
  const namespace = 'default';
  return withConnection(localTarget(address), 3_000, async ({ workflowService }) => {
    await workflowService
      .describeNamespace({ namespace })
      .catch(() => workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention }));
    await workflowService.listWorkflowExecutions({ namespace, pageSize: 1 });
    return true;
  });
}

function configOf({ host, username }: URL, ports: readonly number[]): object {
  const sql = (databaseName: string, maxConns: number): object => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: host,
      connectProtocol: 'tcp',
      user: username,
      password: '',
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const service = (n: number): object => ({
    rpc: { grpcPort: ports[2 * n], membershipPort: ports[2 * n + 1], bindOnLocalHost: true },
  });
  const frontend = `127.0.0.1:${ports[0]}`;
  const active = { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: frontend };
  return {
    log: { stdout: true, level: 'error' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: 4,
      datastores: { default: sql('temporal', 20), visibility: sql('temporal_visibility', 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: { frontend: service(0), history: service(1), matching: service(2), worker: service(3) },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: { active },
    },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '60s' },
    publicClient: { hostPort: frontend },
  };
}
