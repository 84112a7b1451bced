// `--peers`: what people could take instead, doing the floor's work in the same run: park, answer, completed. They come from
// their registries into a cache outside the tree; one that does not install or start is left out, with its reason.
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { tsImport } from 'tsx/esm/api';
import { resolveTemporal } from '#dist/host/temporal/temporal-cli.js';
import { startChild } from './child.mjs';
import { spread, sum } from './numbers.mjs';

const peers = [
  {
    name: 'DBOS',
    file: 'dbos.mjs',
    what: 'durable workflows in PostgreSQL, client and worker in one process',
    packages: { '@dbos-inc/dbos-sdk': '5.3.0' },
  },
  {
    name: 'Restate',
    file: 'restate.mjs',
    what: 'a server of its own, called over HTTP',
    packages: { '@restatedev/restate-sdk': '1.17.2', '@restatedev/restate-server': '1.7.12' },
  },
  {
    name: 'LangGraph',
    file: 'langgraph.mjs',
    what: 'interrupts with PostgresSaver, no worker: who answers also runs what follows',
    packages: {
      '@langchain/core': '1.4.0',
      '@langchain/langgraph': '1.7.3',
      '@langchain/langgraph-checkpoint-postgres': '1.0.5',
    },
  },
];

const resolveHere = (file) => fileURLToPath(new URL(file, import.meta.url));
const blockMs = 180_000;

/**
 * @param {import('./plan.mjs').Plan} plan
 * @param {string} dataDir
 * @param {(what: string) => void} say
 */
export async function measurePeers(plan, dataDir, say) {
  const results = [await measured(defaultTemporal, plan, dataDir, say)];
  for (const peer of peers) results.push(await measured(() => startPeer(peer, dataDir, say), plan, dataDir, say, peer));
  return results;
}

const temporalDefaults = { name: 'Temporal, as it comes', what: "the floor's workflow on `temporal server start-dev`" };

async function measured(startIt, plan, dataDir, say, { name, what } = temporalDefaults) {
  say(`${name}: starting`);
  let started;
  try {
    started = await startIt(dataDir);
    const { child } = started;
    await block(child, { atOnce: 20, times: Math.min(plan.warmUp, 100) });
    const before = await started.bytes();
    const blocks = [];
    for (const load of plan.peers) {
      say(`${name}: ${load.times} cycles, ${load.atOnce} at once`);
      blocks.push({ ...load, ...(await block(child, load)) });
    }
    const cycles = sum(blocks.map(({ answerMs }) => answerMs.length));
    return { name, what, blocks, bytesKept: ((await started.bytes()) - before) / cycles };
  } catch (error) {
    const [first = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return { name, why: first.replaceAll('|', '/').slice(0, 160) };
  } finally {
    await started?.stop();
  }
}

async function block(child, { atOnce, times }) {
  const ids = Array.from({ length: times }, () => randomUUID());
  const bounds = { atOnce, limitMs: 20_000 };
  const park = await child.ask('park', { ids, ...bounds }, blockMs);
  const answer = await child.ask('answer', { ...bounds, ids: park.done }, blockMs);
  const rate = ({ done, seconds }) => done.length / seconds;
  return {
    cyclesPerSecond: 1 / sum([park, answer].map((part) => 1 / rate(part))),
    answersPerSecond: rate(answer),
    answerMs: answer.latenciesMs,
    spread: spread(answer.latenciesMs),
  };
}

async function startPeer({ file, packages }, dataDir, say) {
  const dir = await install(packages, say);
  for (const own of [`peers/${file}`, 'child.mjs', 'load.mjs', 'numbers.mjs'])
    cpSync(resolveHere(own), join(dir, own.split('/').at(-1) ?? own));
  const { startPostgres } = await tsImport('../test/rigs/process/postgres.ts', import.meta.url);
  const postgres = await startPostgres();
  const child = startChild(pathToFileURL(join(dir, file)).href);
  const stop = async () => {
    await child.stop();
    await postgres.stop();
  };
  try {
    await child.ask('start', { databaseUrl: postgres.url, dataDir }, blockMs);
  } catch (error) {
    await stop();
    throw error;
  }
  const bytes = async () => (await databaseBytes(postgres.url)) + bytesIn(join(dataDir, 'restate'));
  return { child, stop, bytes };
}

async function databaseBytes(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const all = await client.query('select sum(pg_database_size(datname))::float8 as bytes from pg_database');
    return all.rows[0].bytes;
  } finally {
    await client.end();
  }
}

/** Of a file, or of all in a directory; nothing where there is none. */
function bytesIn(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.size ?? 0;
  return sum(readdirSync(path).map((name) => bytesIn(join(path, name))));
}

/** Once for each set of versions; under its name only when whole. */
export async function install(packages, say) {
  const hash = createHash('sha256').update(JSON.stringify(packages)).update(process.version).digest('hex').slice(0, 16);
  const dir = join(homedir(), '.cache/standfast', `bench-peers-${hash}`);
  if (existsSync(dir)) return dir;
  say(`installing ${Object.keys(packages).join(', ')} (once)`);
  const draft = `${dir}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: packages }));
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'], {
    cwd: draft,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  npm.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(npm, 'close');
  if (code !== 0) throw new Error(`npm install ended with ${code}: ${output.trim().split('\n').at(-1)}`);
  renameSync(draft, dir);
  return dir;
}

/** The server with its own settings, as anybody gets it who follows its first page. */
async function defaultTemporal(dataDir) {
  const source = await resolveTemporal({ env: { ...process.env, TEMPORAL_ADDRESS: undefined } });
  if (source.use !== 'cli') throw new Error('there is no Temporal CLI');
  const port = await freePort();
  const file = join(dataDir, 'default-temporal.db');
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
  const server = spawn(source.path, [...args, '--log-level', 'never'], { stdio: 'ignore' });
  const child = startChild('./floor/process.mjs');
  const stop = async () => {
    await child.stop();
    server.kill('SIGKILL');
  };
  try {
    await child.ask('start', { address: `127.0.0.1:${port}` }, blockMs);
  } catch (error) {
    await stop();
    throw error;
  }
  return { child, stop, bytes: async () => bytesIn(file) + bytesIn(`${file}-wal`) };
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}
