// docker-compose.yml as it is, without Docker: each of Standfast’s services by its own command, environment and health check, on the
// databases that deploy/postgres makes. Addresses, ports and directories of containers are those of this machine.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createStandfastClient } from '../../rigs/product/standfast.ts';
import { startPostgres, type Postgres } from '../../rigs/process/postgres.ts';
import { createSupervisor, type RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { read, root } from '../../source-tree.ts';
import { buildOnce, ended, longMs, openHold, temporalCli } from '../setting.ts';
import { startTemporal, type TemporalProcess } from './split.ts';

interface Service {
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
  healthcheck: { test: string[] };
}

const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
const image = read('Dockerfile');
const entrypoint = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(image)?.[1] ?? '[]') as string[];
const imageEnv = Object.fromEntries(
  [...image.matchAll(/(?<=^ENV .*)\b([A-Z_]+)=(\S+)/gm)].map(([, name = '', value = '']) => [name, value]),
);

/** As somebody fills deploy/env.example in. */
const secrets = Object.fromEntries(
  [...read('deploy/env.example').matchAll(/^([A-Z_]+)=$/gm)].map(([, name = ''], n) => [
    name,
    name === 'STANDFAST_CODEC_CLEAR' || name.endsWith('_KEY_OLD') ? '' : `${10 + n}`.repeat(32),
  ]),
);

const supervisor = createSupervisor();
let postgres: Postgres;
let temporal: TemporalProcess;
let path: string;

beforeAll(async () => {
  buildOnce();
  [postgres, temporal] = await Promise.all([startPostgres(), startTemporal(supervisor)]);
  supervisor.defer(() => postgres.stop());
  path = [dirname(process.execPath), dirname(await temporalCli()), process.env['PATH'] ?? ''].join(delimiter);
});
afterAll(() => supervisor.end());

const service = (name: string): Service => {
  const found = services[name];
  if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
};

/** What stands for the network and the volumes of one container. */
interface Place {
  apiPort: number;
  metricsPort: number;
  agentPort: number;
  configDir: string;
  dataDir: string;
}

async function makePlace(): Promise<Place> {
  const dir = await supervisor.tempDir('compose');
  const [configDir, dataDir] = [join(dir, 'config'), join(dir, 'data')];
  const [apiPort, metricsPort, agentPort] = [
    await supervisor.freePort(),
    await supervisor.freePort(),
    await supervisor.freePort(),
  ];
  return { apiPort, metricsPort, agentPort, configDir, dataDir };
}

/** A text of docker-compose.yml as it is true here. */
function here(text: string, place: Place): string {
  const places: Record<string, string> = {
    '@postgres:5432': `@${new URL(postgres.url).host}`,
    'temporal:7233': temporal.address,
    '/etc/standfast': place.configDir,
    '/data': place.dataDir,
    '0.0.0.0': '127.0.0.1',
    '8600': String(place.apiPort),
    '9464': String(place.metricsPort),
    '8701': String(place.agentPort),
  };
  return text.replaceAll(/@postgres:5432|temporal:7233|\/etc\/standfast|\/data|0\.0\.0\.0|8600|9464|8701/g, (found) =>
    String(places[found]),
  );
}

function envOf(name: string, place: Place): NodeJS.ProcessEnv {
  const filled = (value: string): string =>
    value.replaceAll(/\$\{([A-Z_]+)(?::\?[^}]*|:-([^}]*))\}/g, (_, variable: string, otherwise = '') =>
      String(secrets[variable] || otherwise),
    );
  const given = Object.entries(service(name).environment ?? {}).map(([key, value]) => [
    key,
    here(filled(value), place),
  ]);
  const { hostname, port } = new URL(postgres.url);
  // The image of PostgreSQL has its port; here `pg_isready` and `psql` are given another one.
  return { ...imageEnv, ...secrets, ...Object.fromEntries(given), PGHOST: hostname, PGPORT: port, PATH: path };
}

const isHealthy = (name: string, place: Place): Promise<boolean> => {
  const [how, command = '', ...args] = service(name).healthcheck.test.map((word) => here(word, place));
  expect(how).toBe('CMD');
  return promisify(execFile)(command, args, { cwd: root, env: { ...process.env, ...envOf(name, place) } }).then(
    () => true,
    () => false,
  );
};

const healthy = (name: string, place: Place, output: () => string = () => ''): Promise<unknown> =>
  waitFor(() => isHealthy(name, place), longMs, `the health check of ${name}`, output);

function start(name: string, place: Place): RigProcess {
  mkdirSync(place.configDir, { recursive: true });
  mkdirSync(place.dataDir, { recursive: true });
  writeFileSync(join(place.configDir, 'standfast.yaml'), here(read('deploy/config/standfast.yaml'), place));
  const { entrypoint: own = entrypoint, command: words = [] } = service(name);
  const [command = '', ...args] = [...own, ...words].map((word) => here(word, place));
  return supervisor.start({ name, command, args, cwd: root, env: envOf(name, place) });
}

// Promise ST13
test('the services of docker-compose.yml start as it says, are found healthy by their own checks, and work together', async () => {
  const place = await makePlace();
  const env = { ...process.env, ...envOf('postgres', place) };
  await promisify(execFile)('sh', [join(root, 'deploy/postgres/10-databases.sh')], { env });
  expect(await isHealthy('postgres', place)).toBe(true);
  await healthy('temporal', place);

  const worker = start('worker', place);
  await healthy('worker', place, () => worker.output());
  const agent = start('demo-agent', place);
  await healthy('demo-agent', place, () => agent.output());
  // A container of its own, with its own ports, in which the api finds no agent.
  const front = { ...(await makePlace()), agentPort: place.agentPort };
  expect(await isHealthy('api', front)).toBe(false);
  const api = start('api', front);
  await healthy('api', front, () => api.output());

  const client = createStandfastClient(`http://127.0.0.1:${front.apiPort}`, secrets['STANDFAST_API_KEY']);
  const text = 'Lunch with the customer, 84.50 EUR';
  ended(await client.run('expenses', { threadId: 'compose', text }, longMs), 'interrupt');
  expect(await openHold(client, 'expenses', 'compose')).toMatchObject({ audience: ['role:finance'] });

  // Within `stop_grace_period`, after which Docker kills.
  for (const role of [api, worker]) expect(await role.stop(15_000)).toEqual({ code: 0, signal: null });
  expect(await Promise.all([isHealthy('api', front), isHealthy('worker', place)])).toEqual([false, false]);
});
