// A database that goes away: reported as what it is, and over when it is back.
import { afterAll, expect, test } from '@jest/globals';
import { openStore } from '../../../src/store/open-store.ts';
import { StoreUnavailableError, type Store } from '../../../src/store/store.ts';
import { createDatabase, startPostgres, type Postgres } from '../../rigs/process/postgres.ts';
import { startTcpProxy, type TcpProxy } from '../../rigs/process/tcp-proxy.ts';
import { describeApi } from '../describe-api.ts';

let postgres: Postgres;
let proxy: TcpProxy;
let store: Store;
const rig = describeApi(async () => {
  postgres = await startPostgres();
  const url = new URL(await createDatabase(postgres.url));
  proxy = await startTcpProxy({ port: Number(url.port) });
  url.port = String(proxy.port);
  store = await openStore({ databaseUrl: url.href });
  return { store };
});
afterAll(async () => {
  await store?.close();
  await proxy?.close();
  await postgres?.stop();
});

const run = { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'hello' }], state: {} };

// Promise W13
test('a request that meets a database outage is answered 503 with store_unavailable, and is good again after it', async () => {
  const list = { method: 'GET', url: '/api/tasks' } as const;
  const post = { method: 'POST', url: '/agents/expenses/run', payload: run } as const;
  expect((await rig.app.inject(list)).statusCode).toBe(200);
  // Both ways of failing: connections that break in use, and new ones that are refused.
  await proxy.refuse();
  for (const request of [list, post, list]) {
    const { statusCode, headers, body } = await rig.app.inject(request);
    expect([statusCode, JSON.parse(body)]).toMatchObject([503, { code: 'store_unavailable', status: 503 }]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    // Answers do not tell where the database is.
    expect(body).not.toMatch(/127\.0\.0\.1|ECONN|postgres/);
  }
  await expect(store.tx((tables) => tables.tasks.get('x'))).rejects.toThrow(StoreUnavailableError);
  await proxy.accept();
  expect((await rig.app.inject(list)).statusCode).toBe(200);
});

test('a connection that the server ends in the middle of a transaction is an outage too', async () => {
  const cut = store.tx(async (tables) => {
    await tables.tasks.get('x');
    proxy.cut();
    await tables.tasks.get('x');
  });
  await expect(cut).rejects.toThrow(StoreUnavailableError);
});

test('who waits for a run gets an outage as what it is, and sits out a short one', async () => {
  const { signal } = new AbortController();
  const key = { agent: 'expenses', threadId: 't', runId: 'later' };
  await proxy.refuse();
  await expect(store.waitForRun(key, { signal, timeoutMs: 0 })).rejects.toThrow(StoreUnavailableError);
  const waiting = store.waitForRun(key, { signal, timeoutMs: 45_000 });
  await proxy.accept();
  await store.runs.claim(key, { taskId: 'task', fence: 1, opener: 'client', fingerprint: '' });
  expect(await waiting).toMatchObject({ runId: 'later' });
});

test('what a statement itself does wrong is not an outage', async () => {
  await expect(store.threads.claim('a\0', 't', 'o')).rejects.not.toThrow(StoreUnavailableError);
});
