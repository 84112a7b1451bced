import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { leastBoundMs } from '../wait-for.ts';

export interface Postgres {
  /** Of the maintenance database; tests take one of their own by `createDatabase`. */
  url: string;
  /** Goes away as `fast` (an operator's restart) or `crash` (every process at once), and comes back on the same port. */
  restart(how: 'fast' | 'crash', awayMs: number): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** A directory whose database is used again, as durable as PostgreSQL comes; without it the data go away with `stop`. */
  keptIn?: string;
}

/** Starts a PostgreSQL on a free loopback port. */
export async function startPostgres({ keptIn }: PostgresOptions = {}): Promise<Postgres> {
  const bin = findBinaries();
  const dir = keptIn ?? mkdtempSync(join(tmpdir(), 'standfast-postgres-'));
  if (keptIn !== undefined) mkdirSync(keptIn, { recursive: true });
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined) chownSync(dir, user.uid, user.gid);
  const data = join(dir, 'data');
  const options = { ...user, cwd: dir, env: { LC_ALL: 'C' } };
  if (existsSync(join(data, 'postmaster.pid'))) endLeftOver(join(bin, 'pg_ctl'), data, options);
  if (!existsSync(join(data, 'PG_VERSION'))) {
    execFileSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
      { ...options, stdio: 'pipe' },
    );
  }

  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  if (keptIn === undefined) settings.push('fsync=off');
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const launch = (): Server => {
    const server = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    return { process: server, exited: once(server, 'exit') };
  };
  let output = '';
  let server = launch();
  const isOver = (): boolean => server.process.exitCode !== null || server.process.signalCode !== null;
  const onExit = (): void => void server.process.kill('SIGQUIT');
  process.once('exit', onExit);

  async function untilItAnswers(): Promise<void> {
    server.process.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_000);
    });
    const dueMs = Date.now() + leastBoundMs;
    while (!(await answers(url))) {
      if (isOver() || Date.now() > dueMs) {
        await stop();
        throw new Error(`PostgreSQL did not start: ${output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  // SIGINT is PostgreSQL's fast shutdown, which does not wait for clients; SIGQUIT its immediate one, as in a crash.
  async function end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    if (!isOver()) server.process.kill(signal);
    await server.exited;
  }

  async function restart(how: 'fast' | 'crash', awayMs: number): Promise<void> {
    await end(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await new Promise((resolve) => setTimeout(resolve, awayMs));
    server = launch();
    await untilItAnswers();
  }

  async function stop(): Promise<void> {
    process.removeListener('exit', onExit);
    await end('SIGINT');
    if (keptIn === undefined) rmSync(dir, { recursive: true, force: true });
  }

  await untilItAnswers();
  return { url, restart, stop };
}

/** A process that was killed has left its server running on a directory that is kept. */
function endLeftOver(pgCtl: string, data: string, options: object): void {
  try {
    execFileSync(pgCtl, ['stop', '-D', data, '-m', 'fast', '-w'], { ...options, stdio: 'ignore' });
  } catch {
    // It was killed as well; PostgreSQL takes no notice of the file then.
  }
}

interface Server {
  process: ChildProcess;
  exited: Promise<unknown>;
}

/** Creates a database on the server of this address, empty or as this other one is, and returns its address. */
export async function createDatabase(serverUrl: string, template = 'template1'): Promise<string> {
  const name = `standfast_test_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${name} template ${template}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database made by `createDatabase`, also with open connections. */
export const dropDatabase = (url: string): Promise<void> => dropped(url, null);

/** The same, and an empty one in its place. */
export const emptyDatabase = (url: string): Promise<void> => dropped(url, 'template1');

/** The same, and one as this other one is, to which nothing is connected. */
export const restoreDatabase = (url: string, copy: string): Promise<void> =>
  dropped(url, new URL(copy).pathname.slice(1));

async function dropped(url: string, template: string | null): Promise<void> {
  const server = new URL(url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const client = new Client({ connectionString: server.href });
  await client.connect();
  try {
    await client.query(`drop database if exists ${name} with (force)`);
    if (template !== null) await client.query(`create database ${name} template ${template}`);
  } finally {
    await client.end();
  }
}

function findBinaries(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const places = [...versions.map((version) => join(root, version, 'bin')), ...(process.env['PATH'] ?? '').split(':')];
  const bin = places.find((place) => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres')));
  if (bin === undefined) throw new Error('PostgreSQL is not installed: neither initdb nor postgres was found');
  return bin;
}

function idOf(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
