// The production layout on one machine: PostgreSQL, a Temporal server started apart, and `api` and `worker` as processes of their own.
import { copyFile, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { searchAttributes } from '../../../src/host/temporal/search-attributes.ts';
import { localTarget, withConnection } from '../../../src/host/temporal/temporal-connection.ts';
import { startApi, startWorker } from '../../rigs/product/standfast.ts';
import type { StandfastClient } from '../../rigs/product/standfast.ts';
import { createDatabase, dropDatabase, startPostgres } from '../../rigs/process/postgres.ts';
import type { RigProcess, Supervisor } from '../../rigs/process/supervisor.ts';
import { startTcpProxy } from '../../rigs/process/tcp-proxy.ts';
import type { TcpProxy } from '../../rigs/process/tcp-proxy.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { temporalCli } from '../setting.ts';

export interface TemporalProcess {
  address: string;
  kill9(): Promise<void>;
  /** On the same port and file as before. */
  restart(): Promise<void>;
  process(): RigProcess;
}

/** One whose file is at hand. */
export interface OwnTemporal extends TemporalProcess {
  /** Copies its file as it is now; what it returns puts that copy back. The server is away meanwhile. */
  backUp(): Promise<() => Promise<void>>;
}

function isServing(address: string): Promise<boolean> {
  return withConnection(localTarget(address), 2_000, async ({ workflowService }) => {
    await workflowService.describeNamespace({ namespace: 'default' });
    return true;
  });
}

/** A server of its own: the processes under test find it by its address only. */
export async function startTemporal(supervisor: Supervisor): Promise<OwnTemporal> {
  const command = await temporalCli();
  const port = await supervisor.freePort();
  const address = `127.0.0.1:${port}`;
  const file = join(await supervisor.tempDir('temporal'), 'temporal.db');
  const args = [
    'server',
    'start-dev',
    '--headless',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--db-filename',
    file,
  ];
  args.push('--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL', '--log-level', 'error');
  const dynamic = ['history.transferProcessorMaxPollRPS=1000', 'history.timerProcessorMaxPollRPS=1000'];
  for (const value of dynamic) args.push('--dynamic-config-value', value);
  for (const [name, type] of Object.entries(searchAttributes)) args.push('--search-attribute', `${name}=${type}`);
  const start = async (): Promise<RigProcess> => {
    const started = supervisor.start({ name: 'Temporal', command, args });
    await waitFor(
      () => isServing(address),
      30_000,
      'the Temporal server',
      () => started.output().slice(-2_000),
    );
    return started;
  };
  let running = await start();
  return {
    address,
    kill9: () => running.kill9(),
    process: () => running,
    async backUp() {
      const copy = await supervisor.tempDir('temporal-copy');
      await running.kill9();
      const files = (await readdir(dirname(file))).filter((name) => name.startsWith(basename(file)));
      for (const name of files) await copyFile(join(dirname(file), name), join(copy, name));
      running = await start();
      return async () => {
        await running.kill9();
        for (const name of await readdir(dirname(file))) await rm(join(dirname(file), name));
        for (const name of files) await copyFile(join(copy, name), join(dirname(file), name));
        running = await start();
      };
    },
    async restart() {
      if (running.isRunning()) await running.kill9();
      running = await start();
    },
  };
}

export type Api = StandfastClient & { process: RigProcess };

export interface Split {
  temporal: TemporalProcess;
  /** The network to PostgreSQL. */
  database: TcpProxy;
  startApi(port?: number): Promise<Api>;
  /** With more in its environment, if given. */
  startWorker(more?: NodeJS.ProcessEnv): Promise<RigProcess>;
}

const env = { STANDFAST_LOG_LEVEL: 'warn' };

/** On a database and a Temporal server of its own unless others are given; `more`: environment of both roles. */
export async function startSplit(
  supervisor: Supervisor,
  configText: string,
  givenDatabase?: string,
  more: NodeJS.ProcessEnv = {},
  givenTemporal?: TemporalProcess,
): Promise<Split> {
  const own = { ...env, ...more };
  const [databaseUrl, temporal] = await Promise.all([
    givenDatabase ?? ownDatabase(supervisor),
    givenTemporal ?? startTemporal(supervisor),
  ]);
  const address = new URL(databaseUrl);
  const database = await startTcpProxy({ host: address.hostname, port: Number(address.port || 5432) });
  supervisor.defer(() => database.close());
  address.host = database.address;
  const options = {
    configText,
    temporalAddress: temporal.address,
    databaseUrl: address.href,
    env: own,
    boundMs: 60_000,
  };
  return {
    temporal,
    database,
    startApi: (port) => startApi(supervisor, { ...options, ...(port !== undefined && { port }) }),
    startWorker: (further = {}) => startWorker(supervisor, { ...options, env: { ...own, ...further } }),
  };
}

/** On the server of the test run if there is one, else on a throwaway one. */
async function ownDatabase(supervisor: Supervisor): Promise<string> {
  const given = process.env['STANDFAST_TEST_PG'];
  if (given !== undefined && given !== '') {
    const url = await createDatabase(given);
    supervisor.defer(() => dropDatabase(url));
    return url;
  }
  const server = await startPostgres();
  supervisor.defer(() => server.stop());
  return createDatabase(server.url);
}
