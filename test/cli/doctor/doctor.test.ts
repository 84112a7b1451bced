import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { agentsAway, doctor, slotsFound, workersFound, type Finding } from '../../../src/cli/doctor/doctor.ts';
import { adkIntegration, kagentHitl } from '../../../src/core/questions/agent-dialects.ts';
import { choosePort } from '../../../src/host/net/free-port.ts';
import { processStart } from '../../../src/host/process/process-identity.ts';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { useColumnKeys } from '../../../src/store/sealed-columns.ts';
import { createDatabase, dropDatabase } from '../../rigs/process/postgres.ts';
import { aHold, onTheSide } from '../../store/stores.ts';

// Says at once that it is no Temporal: for one that does not answer doctor waits some seconds.
const noTemporal = new GrpcServer();
let noTemporalAddress = '';
beforeAll(async () => {
  const bind = promisify(noTemporal.bindAsync.bind(noTemporal));
  noTemporalAddress = `127.0.0.1:${await bind('127.0.0.1:0', ServerCredentials.createInsecure())}`;
});
afterAll(() => noTemporal.forceShutdown());

let before: NodeJS.ProcessEnv;
beforeEach(() => void (before = { ...process.env }));
afterEach(() => {
  process.env = before;
  process.exitCode = undefined;
});

async function found(config?: string, dataDir = '.standfast', purpose: 'up' | 'production' = 'up'): Promise<Finding[]> {
  let out = '';
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((words) => ((out += String(words)), true));
  try {
    await doctor({ json: true, dataDir, for: purpose, ...(config === undefined ? {} : { config }) });
  } finally {
    spy.mockRestore();
  }
  return JSON.parse(out) as Finding[];
}

// Promise Y81
test('standfast doctor names each agent that does not take what waits for it, with how much and since when', () => {
  const since = '2026-11-28T03:00:00.000Z';
  expect(agentsAway({ away: [] })).toEqual([]);
  const [one, many] = agentsAway({
    away: [
      { agent: 'expenses', tasks: 1, since },
      { agent: 'travel', tasks: 7, since },
    ],
  });
  expect(one).toMatchObject({
    what: 'waiting for expenses',
    isOk: false,
    text: expect.stringContaining('1 task waits'),
  });
  expect(many?.text).toContain(`7 tasks wait, the longest since ${since}`);
});

test('standfast doctor names the circuits that are not closed and who has the slots, and finds fault where none is free', () => {
  const since = '2026-11-28T03:00:00.000Z';
  const circuits = [{ agent: 'slow', state: 'open', since, cause: 'network', waiting: 498 }];
  const counts = { sending: 5, answering: 0, silent: 0 };
  expect(slotsFound({ circuits: [], slots: { total: 0, agents: {} } })).toEqual([]);
  const [circuit, full] = slotsFound({ circuits, slots: { total: 5, agents: { slow: counts } } });
  expect([circuit?.what, circuit?.isOk]).toEqual(['circuit of slow', false]);
  expect(circuit?.text).toContain(`open since ${since} (network); 498 messages wait`);
  expect(full).toEqual({
    what: 'slots',
    isOk: false,
    text: `all 5 slots of the workers are taken, 5 of them by agent slow, which is away since ${since}`,
  });
  expect(slotsFound({ circuits: [], slots: { total: 9, agents: { slow: counts } } })).toEqual([
    { what: 'slots', isOk: true, text: '5 of 9 are in use (slow: 5 wait for its first word)' },
  ]);
});

test('standfast doctor names it where no worker is alive, once the tables are there', () => {
  const none = { total: 0, agents: {} };
  const missing = { kind: 'missing' as const, count: 1 };
  expect(workersFound({ schema: { kind: 'current' }, slots: none })).toEqual([
    { what: 'workers', isOk: false, text: expect.stringContaining('start one: standfast worker') },
  ]);
  expect(workersFound({ schema: missing, slots: none })).toEqual([]);
  expect(workersFound({ schema: { kind: 'current' }, slots: { total: 500, agents: {} } })).toEqual([]);
});

describe('standfast doctor', () => {
  // Promise Q59
  test('standfast doctor reports a Temporal and a database that do not answer, with their addresses, and ends with 1', async () => {
    const port = await choosePort([]);
    process.env['TEMPORAL_ADDRESS'] = `127.0.0.1:${port}`;
    process.env['DATABASE_URL'] = `postgres://me:hush@127.0.0.1:${port}/standfast`;
    const findings = await found();
    expect(findings.map(({ what, isOk }) => [what, isOk])).toEqual([
      ['node', true],
      ['configuration', true],
      // Its search attributes are not spoken of: what to do about them is not known yet.
      ['temporal', false],
      ['database', false],
    ]);
    const words = new Map(findings.map((finding) => [finding.what, finding.text]));
    expect(words.get('temporal')).toContain(`nothing answers at TEMPORAL_ADDRESS=127.0.0.1:${port} (`);
    expect(words.get('temporal')).toContain('start Temporal there, correct the address, or unset it');
    expect(words.get('database')).toContain(`127.0.0.1:${port}/standfast cannot be reached`);
    expect(JSON.stringify(findings)).not.toContain('hush');
    expect(process.exitCode).toBe(1);
  });

  test('standfast doctor asks the Temporal of the standfast up that runs in its data directory', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'standfast-doctor-'));
    const port = await choosePort([]);
    const state = { pid: process.pid, startTime: await processStart(process.pid), port, uiPort: 1, args: [] };
    await writeFile(join(dir, 'temporal.json'), JSON.stringify(state));
    delete process.env['TEMPORAL_ADDRESS'];
    try {
      const [, , temporal, database] = await found(undefined, dir);
      expect(temporal?.text).toContain(`127.0.0.1:${port}`);
      expect(database).toMatchObject({ isOk: true, text: expect.stringContaining('the `standfast up` that runs') });
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  test('standfast doctor finds no fault with the demo agent that standfast up starts, and does in production', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'doctor-'));
    try {
      const url = `http://127.0.0.1:${await choosePort([])}/`;
      const config = join(dir, 'standfast.yaml');
      await writeFile(config, `agents: { expenses: { url: '${url}' }, other: { url: '${url}other' } }\n`);
      process.env['TEMPORAL_ADDRESS'] = noTemporalAddress;
      const agents = async (purpose: 'up' | 'production'): Promise<[string, boolean][]> =>
        (await found(config, dir, purpose)).flatMap(({ what, isOk }) =>
          what.startsWith('agent ') ? [[what, isOk]] : [],
        );
      expect(await agents('up')).toEqual([
        ['agent expenses', true],
        ['agent other', false],
      ]);
      expect(await agents('production')).toContainEqual(['agent expenses', false]);
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  // Promise D14
  test('standfast doctor says by which dialects an agent asks, as its card and the configuration tell', async () => {
    const cards: Record<string, object> = {
      '/adk': { name: 'desk', skills: [{ id: 'desk', name: 'model', tags: ['llm'] }] },
      '/kagent': { name: 'k8s', capabilities: { extensions: [{ uri: kagentHitl }], streaming: true } },
      '/bare': { name: 'bare' },
    };
    const server = createServer(({ url = '' }, response) => {
      const card = cards[url.replace('/.well-known/agent-card.json', '')];
      const address = `http://127.0.0.1:${portOf(server)}${url}`;
      const supportedInterfaces = [{ url: address, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...card, supportedInterfaces }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const dir = await mkdtemp(join(tmpdir(), 'doctor-'));
    try {
      const base = `http://127.0.0.1:${portOf(server)}`;
      const config = join(dir, 'standfast.yaml');
      const names = ['adk', 'kagent', 'bare'].map((name) => `  ${name}: { url: '${base}/${name}/' }`);
      const yaml = `  told: { url: '${base}/bare/', extensions: ['${adkIntegration}'] }`;
      await writeFile(config, `agents:\n${[...names, yaml].join('\n')}\n`);
      process.env['TEMPORAL_ADDRESS'] = noTemporalAddress;
      const words = new Map((await found(config)).map((finding) => [finding.what, finding.text]));
      expect(words.get('agent adk')).toMatch(
        /^desk \(does not stream: it will be polled; asks by adk\); called by JSONRPC 1.0 at /,
      );
      expect(words.get('agent kagent')).toMatch(/^k8s \(streams; asks by kagent.hitl\); called by /);
      expect(words.get('agent bare')).toMatch(/^bare \(does not stream: it will be polled\); called by /);
      expect(words.get('agent told')).toContain('asks by adk)');
    } finally {
      server.close();
      await rm(dir, { recursive: true });
    }
  });
});

const serverUrl = process.env['STANDFAST_TEST_PG'];
(serverUrl === undefined ? describe.skip : describe)('standfast doctor on a PostgreSQL', () => {
  let databaseUrl = '';
  beforeEach(async () => {
    databaseUrl = await createDatabase(serverUrl ?? '');
    process.env['DATABASE_URL'] = databaseUrl;
    process.env['TEMPORAL_ADDRESS'] = noTemporalAddress;
  });
  afterEach(() => dropDatabase(databaseUrl));

  const findingsOf = async (...parts: string[]): Promise<[string, boolean, string][]> =>
    (await found()).filter(({ what }) => parts.includes(what)).map(({ what, isOk, text }) => [what, isOk, text]);

  test('standfast doctor on a PostgreSQL says how many migrations are to do in an empty database, and leaves it empty', async () => {
    expect(await findingsOf('database')).toEqual([
      ['database', true, 'PostgreSQL answers; 1 migration to do, by the next api or worker that starts'],
    ]);
    const tables = "select schemaname from pg_tables where schemaname in ('public', 'drizzle')";
    expect(await onTheSide(databaseUrl, tables)).toEqual([]);
  });

  test('standfast doctor on a PostgreSQL names a database of an unreleased version, which no process can upgrade either', async () => {
    await (await openStore({ databaseUrl })).close();
    expect(await findingsOf('database')).toEqual([['database', true, 'PostgreSQL answers, tables are up to date']]);
    await onTheSide(databaseUrl, "update drizzle.standfast_migrations set hash = 'of another file'");
    expect(await findingsOf('database')).toEqual([
      ['database', false, expect.stringContaining('made by an unreleased version and cannot be upgraded')],
    ]);
    await expect(openStore({ databaseUrl })).rejects.toThrow(/made by an unreleased version.*empty database/s);
  });

  test('standfast doctor on a PostgreSQL compares its clock with the database’s, and names a difference of more than seconds', async () => {
    expect(await findingsOf('clocks')).toEqual([['clocks', true, 'that of the database agrees']]);
    const now = Date.now.bind(Date);
    const ahead = jest.spyOn(Date, 'now').mockImplementation(() => now() + 25 * 3_600_000);
    try {
      expect(await findingsOf('clocks')).toEqual([
        ['clocks', false, expect.stringMatching(/^that of the database is 1 d behind this machine's — .*NTP/)],
      ]);
    } finally {
      ahead.mockRestore();
    }
  });

  test('standfast doctor on a PostgreSQL names the key that encrypts the database and is not given', async () => {
    const keys = createCodecKeys('ab'.repeat(32));
    const store = await openStore({ databaseUrl, keys });
    await store.holds.putOnce([aHold()]);
    await store.close();
    useColumnKeys(null);
    expect(await findingsOf('encryption')).toEqual([
      ['encryption', false, expect.stringContaining(`encrypted with the key ${keys.ids[0]}, which is not given`)],
    ]);
    process.env['STANDFAST_CODEC_KEY'] = 'ab'.repeat(32);
    expect(await findingsOf('encryption')).toEqual([
      ['encryption', true, `the keys given here open what is encrypted (${keys.ids[0]})`],
    ]);
  });
});

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address.port;
}
