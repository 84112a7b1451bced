// The Temporal server of `npm run bench -- scale`, kept in a directory: on PostgreSQL, as in production, where the server can be
// had (built by Go, once), else the CLI's on a SQLite file. The report says which it was.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { searchAttributes } from '../../dist/host/temporal/search-attributes.js';
import { localTarget, withConnection } from '../../dist/host/temporal/temporal-connection.js';
import { resolveTemporal } from '../../dist/host/temporal/temporal-cli.js';

const run = promisify(execFile);
/** The version that the CLI of `holdpoint up` embeds, and that docker-compose.yml runs. */
const serverVersion = '1.29.1';
const settings = fileURLToPath(new URL('../../deploy/temporal/dynamic-config.yaml', import.meta.url));
const retentionSeconds = 30 * 86_400;
const buildMs = 20 * 60_000;

/** Builds the server and the tool that makes its tables, into the cache; null where that is not possible. */
async function serverBinaries(say) {
  const bin =
    process.env['HOLDPOINT_SCALE_BIN'] ?? join(homedir(), '.cache', 'holdpoint', 'temporal-server', serverVersion);
  const [server, sql] = ['server', 'sql'].map((name) => join(bin, name));
  if (existsSync(server) && existsSync(sql)) return { server, sql };
  mkdirSync(bin, { recursive: true });
  try {
    for (const command of ['cmd/tools/sql', 'cmd/server']) {
      say(`building Temporal's ${command} with Go, once`);
      const env = { ...process.env, GOBIN: bin };
      await run('go', ['install', `go.temporal.io/server/${command}@v${serverVersion}`], { env, timeout: buildMs });
    }
    return { server, sql };
  } catch (error) {
    say(`no Temporal server on PostgreSQL: ${String(error.message).split('\n')[0]}`);
    return null;
  }
}

/**
 * @param {import('../../test/rigs/process/supervisor.ts').Supervisor} supervisor
 * @param {{ dir: string, postgresUrl: string, kind: 'postgres' | 'sqlite' | undefined }} options
 * @param {(what: string) => void} say
 */
export async function startTemporal(supervisor, { dir, postgresUrl, kind }, say) {
  const ports = await Promise.all(Array.from({ length: 8 }, () => supervisor.freePort()));
  const binaries = kind === 'sqlite' ? null : await serverBinaries(say);
  if (binaries === null && kind === 'postgres') throw new Error('the Temporal server could not be built');
  const started =
    binaries === null
      ? await startCli(supervisor, dir, ports[0])
      : await startServer(supervisor, { dir, postgresUrl, ports, binaries });
  const address = `127.0.0.1:${ports[0]}`;
  await untilReady(address, started);
  return { address, pid: started.pid, kind: binaries === null ? 'SQLite' : 'PostgreSQL' };
}

async function startCli(supervisor, dir, port) {
  const source = await resolveTemporal({ env: { ...process.env, TEMPORAL_ADDRESS: undefined } });
  if (source.use !== 'cli') throw new Error('the bench needs a Temporal CLI of its own');
  const args = ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)];
  args.push('--db-filename', join(dir, 'temporal.db'), '--log-level', 'error');
  args.push('--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL');
  for (const [name, type] of Object.entries(searchAttributes)) args.push('--search-attribute', `${name}=${type}`);
  for (const value of ['transfer', 'timer'].map((queue) => `history.${queue}ProcessorMaxPollRPS=1000`)) {
    args.push('--dynamic-config-value', value);
  }
  args.push('--dynamic-config-value', 'matching.useNewMatcher=true');
  return supervisor.start({ name: 'Temporal', command: source.path, args });
}

async function startServer(supervisor, { dir, postgresUrl, ports, binaries }) {
  const { hostname, port, username } = new URL(postgresUrl);
  const databases = { temporal: 'postgresql/v12/temporal', temporal_visibility: 'postgresql/v12/visibility' };
  for (const [name, schema] of Object.entries(databases)) {
    if (!(await madeDatabase(postgresUrl, name))) continue;
    const to = ['--plugin', 'postgres12', '--ep', hostname, '-p', port, '-u', username, '--pw', '', '--db', name];
    await run(binaries.sql, [...to, 'setup-schema', '-v', '0.0']);
    await run(binaries.sql, [...to, 'update-schema', '--schema-name', schema]);
  }
  const home = join(dir, 'temporal');
  mkdirSync(join(home, 'config'), { recursive: true });
  // JSON is YAML as well.
  const config = JSON.stringify(serverConfig({ address: `${hostname}:${port}`, user: username, ports }));
  writeFileSync(join(home, 'config', 'scale.yaml'), config);
  return supervisor.start({
    name: 'Temporal',
    command: binaries.server,
    args: ['--root', home, '--config', 'config', '--env', 'scale', 'start'],
    env: { TEMPORAL_ALLOW_NO_AUTH: 'true' },
  });
}

async function madeDatabase(postgresUrl, name) {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
    return rowCount === 0;
  } finally {
    await client.end();
  }
}

function serverConfig({ address, user, ports }) {
  const [frontend, ...others] = ports;
  const sql = (databaseName, maxConns) => ({
    sql: {
      ...{ pluginName: 'postgres12', databaseName, connectAddr: address, connectProtocol: 'tcp', user, password: '' },
      ...{ maxConns, maxIdleConns: maxConns, maxConnLifetime: '1h' },
    },
  });
  const rpc = (grpcPort, membershipPort) => ({ rpc: { grpcPort, membershipPort, bindOnLocalHost: true } });
  return {
    log: { stdout: true, level: 'error' },
    persistence: {
      ...{ defaultStore: 'default', visibilityStore: 'visibility', numHistoryShards: 4 },
      datastores: { default: sql('temporal', 20), visibility: sql('temporal_visibility', 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: {
      frontend: rpc(frontend, others[0]),
      history: rpc(others[1], others[2]),
      matching: rpc(others[3], others[4]),
      worker: rpc(others[5], others[6]),
    },
    clusterMetadata: {
      ...{ enableGlobalNamespace: false, failoverVersionIncrement: 10 },
      ...{ masterClusterName: 'active', currentClusterName: 'active' },
      clusterInformation: {
        active: {
          ...{ enabled: true, initialFailoverVersion: 1, rpcName: 'frontend' },
          rpcAddress: `127.0.0.1:${frontend}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: settings, pollInterval: '60s' },
    publicClient: { hostPort: `127.0.0.1:${frontend}` },
  };
}

/** Until the namespace `default` is there, made if need be. */
async function untilReady(address, started) {
  const deadline = performance.now() + 90_000;
  for (;;) {
    try {
      await withConnection(localTarget(address), 3_000, async ({ workflowService }) => {
        await workflowService.describeNamespace({ namespace: 'default' }).catch(() =>
          workflowService.registerNamespace({
            namespace: 'default',
            workflowExecutionRetentionPeriod: { seconds: retentionSeconds },
          }),
        );
        await workflowService.listWorkflowExecutions({ namespace: 'default', pageSize: 1 });
      });
      return;
    } catch (error) {
      if (performance.now() > deadline || !started.isRunning())
        throw new Error(`Temporal did not become ready: ${error.message}\n${started.output().slice(-2_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
