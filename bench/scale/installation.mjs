// Several apis and workers, a PostgreSQL and a Temporal server, all kept in one directory, so that a run goes on where the last
// one ended.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { tsImport } from 'tsx/esm/api';
import { startChild } from '../child.mjs';
import { rssMiB } from '../cpu.mjs';
import { stormLengths } from './storm.mjs';
import { startTemporal } from './temporal.mjs';

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const startMs = 60_000;

/** The others outlast the run. */
const configText = (agentUrl, storm) => `
agents:
  bench: { url: '${agentUrl}', policy: patient }
${storm.map((seconds) => `  storm-${seconds}: { url: '${agentUrl}', policy: storm-${seconds} }`).join('\n')}
policies:
  patient: { expire: { after: 90d, then: fail } }
${storm.map((seconds) => `  storm-${seconds}: { expire: { after: ${seconds}s, then: fail } }`).join('\n')}
`;

/**
 * @param {{ dir: string, apis: number, workers: number, temporal?: 'postgres' | 'sqlite', workflowCache?: number, storm: number, agentPort?: number }} options
 * @param {(what: string) => void} say
 */
export async function startInstallation(
  { dir, apis, workers, temporal: kind, workflowCache, storm, agentPort = keptPort },
  say,
) {
  mkdirSync(dir, { recursive: true });
  // PostgreSQL, which refuses to run as root, has a directory of its own in it.
  chmodSync(dir, 0o711);
  const { createSupervisor } = await tsImport('../../test/rigs/process/supervisor.ts', import.meta.url);
  const { startPostgres } = await tsImport('../../test/rigs/process/postgres.ts', import.meta.url);
  const supervisor = createSupervisor();
  const agent = startChild('./agent.mjs');
  const end = async () => {
    await supervisor.end();
    await agent.stop();
  };
  try {
    const postgres = await startPostgres({ keptIn: join(dir, 'postgres') });
    supervisor.defer(() => postgres.stop());
    const temporal = await startTemporal(supervisor, { dir, postgresUrl: postgres.url, kind }, say);
    const database = await openDatabase(postgres.url, 'standfast');
    supervisor.defer(() => database.end());
    const { url: agentUrl } = await agent.ask('start', { keepIn: join(dir, 'agent.jsonl'), port: agentPort });
    const config = join(dir, 'standfast.yaml');
    const cache = workflowCache === undefined ? '' : `worker: { workflowCache: ${workflowCache} }\n`;
    writeFileSync(config, `${configText(agentUrl, stormLengths(storm))}${cache}`);
    const env = {
      STANDFAST_LOG_LEVEL: 'error',
      // As the program's first line and the image have it.
      MALLOC_ARENA_MAX: '2',
      DATABASE_URL: urlOf(postgres.url, 'standfast'),
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: 'default',
    };
    const start = async (role, index) => {
      const port = await supervisor.freePort();
      const args = ['--max-semi-space-size=8', program, role, '--config', config];
      const startedAt = performance.now();
      const running = supervisor.start({
        name: `${role} ${index + 1}`,
        command: process.execPath,
        args,
        env: { ...env, STANDFAST_PORT: String(port) },
      });
      await running.waitForLine(/^ready\b/, startMs);
      return { role, index, url: `http://127.0.0.1:${port}`, process: running, readyMs: performance.now() - startedAt };
    };
    const wanted = [
      ...Array.from({ length: workers }, (_, index) => ['worker', index]),
      ...Array.from({ length: apis }, (_, index) => ['api', index]),
    ];
    const roles = [];
    for (const [role, index] of wanted) roles.push(await start(role, index));
    return {
      kind: temporal.kind,
      roles,
      database,
      temporal,
      agent: { pid: agent.pid, url: agentUrl },
      /** The first process of PostgreSQL, and the address of a new database on it. */
      postgres: {
        pid: Number(readFileSync(join(dir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]),
        newDatabase: async (name) => {
          await (await openDatabase(postgres.url, name)).end();
          return urlOf(postgres.url, name);
        },
      },
      /** Addresses of the apis that run. */
      urls: () => roles.filter(({ role, isAway }) => role === 'api' && !isAway).map(({ url }) => url),
      memory: () => ({
        ...Object.fromEntries(roles.map(({ role, index, process: { pid } }) => [`${role} ${index + 1}`, rssMiB(pid)])),
        Temporal: rssMiB(temporal.pid),
      }),
      /** Stops one role as an operator does, and starts it again; returns the milliseconds until it was ready. */
      async restart(one) {
        one.isAway = true;
        await one.process.stop(15_000);
        Object.assign(one, await start(one.role, one.index), { isAway: false });
        return one.readyMs;
      },
      /** All roles end, and start together. */
      async restartAll() {
        await Promise.all(roles.map((one) => one.process.stop(15_000)));
        const startedAt = performance.now();
        await Promise.all(roles.map(async (one) => Object.assign(one, await start(one.role, one.index))));
        return performance.now() - startedAt;
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The same in each run of one directory: it is in the workflows. */
const keptPort = 18_701;

function urlOf(postgresUrl, name) {
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function openDatabase(postgresUrl, name) {
  const server = new pg.Pool({ connectionString: postgresUrl, max: 1 });
  const { rowCount } = await server.query('select 1 from pg_database where datname = $1', [name]);
  if (rowCount === 0) await server.query(`create database ${name}`);
  await server.end();
  const pool = new pg.Pool({ connectionString: urlOf(postgresUrl, name), max: 2 });
  pool.on('error', () => undefined);
  return pool;
}
