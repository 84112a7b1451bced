import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStore } from '../../src/store/open-store.ts';
import { StoreUnavailableError } from '../../src/store/store.ts';
import { createDatabase, dropDatabase } from '../rigs/process/postgres.ts';
import { startTcpProxy } from '../rigs/process/tcp-proxy.ts';
import { onTheSide, upTo } from './stores.ts';

describe('a PGlite directory', () => {
  let dir = '';
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'standfast-store-'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  test('a PGlite directory loses nothing acknowledged when its process is killed with SIGKILL, time and again', async () => {
    const dataDir = join(dir, 'not', 'there', 'yet');
    let acknowledged = 0;
    for (const afterLines of [60, 25]) {
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', join(import.meta.dirname, 'append-until-killed.ts'), dataDir],
        { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
      );
      const exited = once(child, 'exit');
      let seen = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        acknowledged = Number(line);
        seen += 1;
        if (seen === afterLines) child.kill('SIGKILL');
      }
      await exited;
      expect(seen).toBeGreaterThanOrEqual(afterLines);
    }
    const store = await openStore({ dataDir });
    const run = await store.runs.get({ agent: 'expenses', threadId: 't', runId: 'r' });
    const entries = await store.log.read(run?.logId ?? 0, 0, 100_000);
    expect(run?.lastSeq).toBeGreaterThanOrEqual(acknowledged);
    expect(entries.map((entry) => entry.seq)).toEqual(upTo(run?.lastSeq ?? -1));
    await store.close();
    await store.close();
  });

  test('a PGlite directory that cannot be opened is a clear error', async () => {
    const file = join(dir, 'a-file');
    writeFileSync(file, '');
    await expect(openStore({ dataDir: file })).rejects.toThrow(`the embedded database cannot be opened in ${file}:`);
  });
});

// Promise ST4
test('a PostgreSQL that cannot be reached is an outage, reported clearly and without the password', async () => {
  const opened = openStore({ databaseUrl: 'postgres://standfast:hunter2@127.0.0.1:1/standfast' });
  await expect(opened).rejects.toBeInstanceOf(StoreUnavailableError);
  const failure = await opened.then(() => 'opened', String);
  expect(failure).toContain('the database at 127.0.0.1:1/standfast cannot be reached: Error: connect ECONNREFUSED');
  expect(failure).toContain('Check that PostgreSQL runs there and lets this machine in (DATABASE_URL)');
  expect(failure).not.toContain('hunter2');
});

const serverUrl = process.env['STANDFAST_TEST_PG'];
(serverUrl === undefined ? describe.skip : describe)('on postgres', () => {
  // Promise ST4
  test('a database that is cut off while it is opened is an outage, named by its address and without statements', async () => {
    const url = new URL(await createDatabase(serverUrl ?? ''));
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    const through = new URL(url);
    through.host = proxy.address;
    // The tables are up to date when this is logged; what is done next finds no process.
    const opened = openStore({ databaseUrl: through.href, log: () => void proxy.refuse() });
    await expect(opened).rejects.toBeInstanceOf(StoreUnavailableError);
    const failure = await opened.then(() => 'opened', String);
    expect(failure).toContain(`the database at ${proxy.address}${url.pathname} cannot be reached: Error: connect`);
    expect(failure).toContain('Check that PostgreSQL runs there');
    expect(failure).not.toContain('Failed query');
    await proxy.close();
    await dropDatabase(url.href);
  });

  test('replicas that start together bring the tables up to date once', async () => {
    const url = await createDatabase(serverUrl ?? '');
    const stores = await Promise.all(upTo(5).map(() => openStore({ databaseUrl: url })));
    await Promise.all(stores.map((store) => store.ping()));
    await Promise.all(stores.map((store) => store.close()));
    const done = await onTheSide(url, 'select hash from drizzle.standfast_migrations');
    const steps = readdirSync(join(import.meta.dirname, '../../drizzle')).filter((name) => name.endsWith('.sql'));
    expect(done).toHaveLength(steps.length);
    await dropDatabase(url);
  });
});
