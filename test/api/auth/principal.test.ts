import { Registry } from 'prom-client';
import { createHash } from 'node:crypto';
import { fastify } from 'fastify';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createKeyRing } from '../../../src/api/auth/keys.ts';
import { createFailedKeys } from '../../../src/api/auth/login-limit.ts';
import { createPrometheusMetrics } from '../../../src/api/http/prometheus.ts';
import { guardRoutes, keyOf, localPrincipal } from '../../../src/api/auth/principal.ts';
import { createSessions } from '../../../src/api/auth/sessions.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { prover } from '../../rigs/proofs.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import {
  aHold,
  aTask,
  bearer,
  eventsOf,
  freshThread,
  keyConfig,
  keys,
  lastOf,
  openingWorker,
  runBody,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { keepSnapshot } from '../../rigs/store/store-writes.ts';

const withKeys = (entries: object[]) => ConfigSchema.parse({ auth: { keys: entries } });

describe('who is calling', () => {
  test('who is calling is local, who owns everything, without keys', () => {
    expect(createKeyRing(withKeys([]), () => new Date()).isEmpty).toBe(true);
    expect(localPrincipal).toEqual({ id: 'local', roles: [], isSuper: true });
  });

  test('who is calling is the user of the key, given as itself or as its hash', () => {
    const hashed = createHash('sha256').update('a-key-that-is-only-a-hash').digest('hex');
    const keyRing = createKeyRing(
      withKeys([...keyConfig, { user: 'hash', keySha256: hashed, id: 'second' }]),
      () => new Date(),
    );
    const who = (authorization: string) => keyOf(keyRing, authorization)?.principal;
    expect(who(`Bearer ${keys.fin}`)).toEqual({
      id: 'fin',
      roles: ['finance'],
      isSuper: false,
      credential: `key:${createHash('sha256').update(keys.fin).digest('hex').slice(0, 12)}`,
    });
    expect(who('bearer a-key-that-is-only-a-hash')).toMatchObject({ id: 'hash', credential: 'key:second' });
  });

  test.each(['', 'Bearer', 'Bearer ', `Basic ${keys.fin}`, `Bearer ${keys.fin} more`, keys.fin])(
    'who is calling is not known by %p',
    (authorization) => {
      expect(() =>
        keyOf(
          createKeyRing(withKeys(keyConfig), () => new Date()),
          authorization,
        ),
      ).toThrow(expect.objectContaining({ code: 'not_authenticated' }));
    },
  );
});

describe('a key', () => {
  // Promise T3
  test('a key is not known any more once it has expired, nor is what was opened with it', () => {
    let now = new Date('2026-12-31T23:59:59Z');
    const config = withKeys([{ user: 'anna', key: keys.anna, expires: '2027-01-01' }]);
    const keyRing = createKeyRing(config, () => now);
    const hash = createHash('sha256').update(keys.anna).digest('hex');
    expect(keyRing.byKey(keys.anna)).toMatchObject({ principal: { id: 'anna' } });
    expect(keyRing.byHash(hash)).toMatchObject({ principal: { id: 'anna' } });
    now = new Date('2027-01-01T00:00:00Z');
    expect(keyRing.byKey(keys.anna)).toBeNull();
    expect(keyRing.byHash(hash)).toBeNull();
  });

  // Promise T21
  test('a key is known from when it is taken over until it is taken away, while we run', () => {
    const config = withKeys([{ user: 'anna', key: keys.anna }]);
    const keyRing = createKeyRing(config, () => new Date());
    expect(keyRing.byKey(keys.ben)).toBeNull();
    config.auth.keys = withKeys([{ user: 'ben', key: keys.ben, roles: ['finance'] }]).auth.keys;
    expect(keyRing.byKey(keys.anna)).toBeNull();
    expect(keyRing.byKey(keys.ben)).toMatchObject({ principal: { id: 'ben', roles: ['finance'] } });
  });
});

describe('a route', () => {
  // Promise X1
  test('a route that does not declare who may call it fails at boot', async () => {
    const app = fastify();
    const store = await openTestStore();
    const config = withKeys([]);
    const deps = {
      config,
      store,
      publicUrl: 'http://127.0.0.1:8600',
      now: () => new Date(),
      keys: createKeyRing(config, () => new Date()),
      failedKeys: createFailedKeys(() => new Date(), createPrometheusMetrics(new Registry())),
      oidc: null,
      prover,
    };
    guardRoutes(app, { ...deps, sessions: createSessions(deps) });
    app.get('/open-by-accident', async () => 'secret');
    await expect(app.ready()).rejects.toThrow('/open-by-accident does not declare');
    await store.close();
  });
});

describe('with keys', () => {
  const rig = describeApi({ withKeys: true });
  beforeAll(() => {
    rig.tasks.open = openingWorker(rig.store);
  });

  const run = (body: object, who: 'anna' | 'ben' | 'fin' | 'op') =>
    rig.app.inject({ method: 'POST', url: '/agents/expenses/run', headers: bearer(who), payload: body });

  test.each([
    '/agents',
    '/agents/expenses/capabilities',
    '/api/tasks',
    '/api/holds',
    '/api/tasks/x',
    '/api/holds/x',
    '/metrics',
  ])('the route %s is not_authenticated without a key', async (url) => {
    const response = await rig.app.inject({ method: 'GET', url });
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.json()).toMatchObject({ code: 'not_authenticated' });
  });

  test.each(['/healthz', '/readyz', '/docs/json', '/'])('the route %s is open to all', async (url) => {
    expect((await rig.app.inject({ method: 'GET', url })).statusCode).toBe(200);
  });

  test('/metrics is for operators', async () => {
    const status = async (who: 'anna' | 'op') =>
      (await rig.app.inject({ method: 'GET', url: '/metrics', headers: bearer(who) })).statusCode;
    expect(await status('anna')).toBe(403);
    expect(await status('op')).toBe(200);
  });

  // Promise X2
  test('a thread id is a space of each caller’s own: others have another thread by it, operators may read', async () => {
    const threadId = freshThread();
    expect(lastOf((await run(runBody(threadId, 'r1'), 'anna')).body)).toMatchObject({ type: 'RUN_FINISHED' });
    // By the same id others have a thread of their own, also by the runId that the owner used, and learn nothing of the first.
    const { body } = await run(runBody(threadId, 'r1'), 'ben');
    expect(eventsOf(body)[0]).toMatchObject({ type: 'RUN_STARTED', threadId });
    const owners = (await rig.store.tasks.list({ owner: 'ben' })).items.map((task) => task.threadId);
    expect(owners).toEqual([expect.stringMatching(new RegExp(`^${threadId}~[0-9a-f]{12}$`))]);
    const listed = await rig.app.inject({ url: '/api/tasks', headers: bearer('ben') });
    expect(listed.json()).toMatchObject({ items: [{ threadId }] });
    expect((await rig.store.tasks.newest('expenses', threadId))?.owner).toBe('anna');
    expect((await run(runBody(threadId, 'r3'), 'op')).statusCode).toBe(403);
    const subscribe = { messages: [], forwardedProps: { a2a: { subscribeOnly: true } } };
    expect((await run(runBody(threadId, 's1', subscribe), 'op')).statusCode).toBe(200);
    const read = await run(runBody(threadId, 's2', subscribe), 'ben');
    expect(read.body).not.toContain('anna');
  });

  test('a message may not be sent to the task of a stranger by naming it', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const body = runBody(freshThread(), 'r1', { forwardedProps: { a2a: { taskId: task.a2aTaskId } } });
    expect((await run(body, 'ben')).json()).toMatchObject({ code: 'not_found' });
  });

  // Promise Q49
  test('a thread is read by its owner and operators alone, also by naming a task that others are asked about', async () => {
    const threadId = freshThread();
    const task = await aTask(rig.store, threadId, { owner: 'anna' });
    await aHold(rig.store, task, { audience: ['role:finance'] });
    await keepSnapshot(rig.store, 'expenses', threadId, {}, [
      { id: 'm0', role: 'user', content: 'said before that task' },
    ]);
    const reading = runBody(freshThread(), 's1', {
      messages: [],
      forwardedProps: { a2a: { taskId: task.a2aTaskId, subscribeOnly: true } },
    });
    const { body } = await run(reading, 'op');
    expect(body).toContain('said before that task');
    const response = await run(reading, 'fin');
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'not_found' });
    const url = `/api/tasks/${task.taskId}/chat`;
    expect((await rig.app.inject({ method: 'GET', url, headers: bearer('fin') })).statusCode).toBe(200);
  });

  // Promise Q49
  test('artifacts of the task that a thread went on with are not shown to who was asked about an earlier one', async () => {
    const threadId = freshThread();
    const task = await aTask(rig.store, threadId, { owner: 'anna', at: '2026-11-21T09:00:00.000Z' });
    await aHold(rig.store, task, { audience: ['role:finance'] });
    await keepSnapshot(rig.store, 'expenses', threadId, { view: { artifacts: { reply: 'of now' } } }, []);
    const url = `/api/tasks/${task.taskId}/artifacts/reply`;
    const status = async (who: 'anna' | 'fin' | 'op') =>
      (await rig.app.inject({ method: 'GET', url, headers: bearer(who) })).statusCode;
    expect([await status('anna'), await status('fin'), await status('op')]).toEqual([200, 200, 200]);
    await rig.store.tasks.update(task.taskId, { status: 'DONE' });
    await aTask(rig.store, threadId, { owner: 'anna', n: 2, at: '2026-11-21T10:00:00.000Z' });
    expect([await status('anna'), await status('fin'), await status('op')]).toEqual([200, 404, 200]);
  });

  const inContext = (contextId: string) => runBody(freshThread(), 'r1', { forwardedProps: { a2a: { contextId } } });

  // Promise Q48
  test('a context in which only others talk is not there, before anything is kept', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    await rig.store.tasks.update(task.taskId, { contextId: 'memories-of-anna' });
    const body = inContext('memories-of-anna');
    const response = await run(body, 'ben');
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({
      code: 'not_found',
      errors: [{ path: 'forwardedProps.a2a.contextId', message: 'there is no such context' }],
    });
    expect(await rig.store.threads.get('expenses', String(body['threadId']))).toBeNull();
  });

  // Promise Q48
  test('one’s own context is taken on another thread, any by operators, and so is one without an owner here', async () => {
    for (const [owner, contextId] of [
      ['anna', 'shared'],
      ['ben', 'shared'],
      ['anna', 'annas-own'],
    ] as const) {
      const task = await aTask(rig.store, freshThread(), { owner });
      await rig.store.tasks.update(task.taskId, { contextId });
    }
    expect((await run(inContext('shared'), 'ben')).statusCode).toBe(200);
    expect((await run(inContext('annas-own'), 'anna')).statusCode).toBe(200);
    expect((await run(inContext('annas-own'), 'op')).statusCode).toBe(200);
    expect((await run(inContext('begun-elsewhere'), 'ben')).statusCode).toBe(200);
  });

  test('a context of another agent is another context', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', agent: 'travel' });
    await rig.store.tasks.update(task.taskId, { contextId: 'trip' });
    expect((await run(inContext('trip'), 'ben')).statusCode).toBe(200);
  });
});

describe('without keys', () => {
  const rig = describeApi();

  test.each([
    ['127.0.0.1:8600', 200],
    ['localhost:9999', 200],
    ['[::1]:8600', 200],
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
  ])('a page that calls us %s gets %i', async (host, status) => {
    const response = await rig.app.inject({ method: 'GET', url: '/api/tasks', headers: { host } });
    expect(response.statusCode).toBe(status);
  });
});
