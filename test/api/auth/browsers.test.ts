import { afterEach, describe, expect, test } from '@jest/globals';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { bearer, keys, openingWorker, runBody, freshThread, eventsOf, type Rig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const api = describeApi();
let rig: Rig | undefined;
afterEach(() => rig?.close());

const begin = async (options: Parameters<typeof api.another>[0] = {}): Promise<Rig> => {
  rig = await api.another(options);
  return rig;
};

const page = 'https://app.example.com';
const cors = { origins: [page, 'http://localhost:3000'] };
const preflight = (url: string, origin: string, method = 'POST') => ({
  method: 'OPTIONS' as const,
  url,
  headers: {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type',
  },
});

describe('browser clients', () => {
  // Promise G29
  test('browser clients of other origins are not served unless the configuration names them', async () => {
    const { app } = await begin();
    const asked = await app.inject(preflight('/agents/expenses/run', page));
    expect(asked.headers['access-control-allow-origin']).toBeUndefined();
    const read = await app.inject({ method: 'GET', url: '/agents', headers: { origin: page } });
    expect(read.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('browser clients of a named origin may ask without their key, send it, and read the answer', async () => {
    const { app } = await begin({ withKeys: true, server: { cors } });
    const asked = await app.inject(preflight('/agents/expenses/run', page));
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-headers': expect.stringContaining('authorization'),
      'access-control-allow-methods': expect.stringContaining('POST'),
      vary: expect.stringMatching(/origin/i),
    });
    // AG-UI clients in browsers that are traced send it with each run; unlisted, no run would leave the page.
    expect(asked.headers['access-control-allow-headers']).toMatch(/traceparent.*tracestate/);
    expect(asked.headers['access-control-allow-credentials']).toBeUndefined();
    const read = await app.inject({ method: 'GET', url: '/agents', headers: { origin: page, ...bearer('anna') } });
    expect(read.statusCode).toBe(200);
    expect(read.headers['access-control-allow-origin']).toBe(page);
  });

  // A browser's client cannot leave them out: a preflight that does not allow one of them ends the call.
  test.each([
    ['MCP', '/mcp', ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']],
    ['A2A', '/a2a/expenses/', ['a2a-version', 'a2a-extensions']],
    ['TanStack AI', '/agents/expenses/run', ['x-run-id']],
  ])('browser clients of a named origin may send the headers of %s', async (_what, url, headers) => {
    const { app } = await begin({ server: { cors } });
    const asked = await app.inject(preflight(url, page));
    expect(String(asked.headers['access-control-allow-headers']).split(/, */)).toEqual(expect.arrayContaining(headers));
  });

  test('browser clients read the events of a run', async () => {
    const { app, tasks } = await begin({ server: { cors } });
    tasks.open = openingWorker(api.store);
    const response = await app.inject({
      method: 'POST',
      url: '/agents/expenses/run',
      headers: { origin: 'http://localhost:3000' },
      payload: runBody(freshThread(), 'r1'),
    });
    expect(response.headers['access-control-allow-origin']).toBe('http://localhost:3000');
    expect(eventsOf(response.body).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  test('browser clients may read why they were refused', async () => {
    const { app } = await begin({ withKeys: true, server: { cors } });
    const refused = await app.inject({ method: 'GET', url: '/agents', headers: { origin: page } });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe(page);
    const missing = await app.inject({ method: 'GET', url: '/nowhere', headers: { origin: page } });
    expect(missing.statusCode).toBe(404);
    expect(missing.json()).toMatchObject({ code: 'not_found' });
    expect(missing.headers['access-control-allow-origin']).toBe(page);
  });

  test.each(['https://evil.example.com', 'http://app.example.com', 'https://app.example.com.evil.com', 'null'])(
    'browser clients of the origin %s are not let in with the named ones',
    async (origin) => {
      const { app } = await begin({ server: { cors } });
      const asked = await app.inject(preflight('/api/holds/x/decision', origin));
      expect(asked.headers['access-control-allow-origin']).toBeUndefined();
      const read = await app.inject({ method: 'GET', url: '/agents', headers: { origin } });
      expect(read.headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  test.each(['*', 'app.example.com', 'https://app.example.com/', 'ftp://app.example.com', ''])(
    'an origin cannot be named as %p',
    (origin) => {
      expect(ConfigSchema.safeParse({ server: { cors: { origins: [origin] } } }).success).toBe(false);
    },
  );
});

describe('a caller who changes things too often', () => {
  const cancel = (who: Parameters<typeof bearer>[0]) => ({
    method: 'POST' as const,
    url: '/api/tasks/nobody/cancel',
    headers: bearer(who),
  });

  // Promise Q53
  test('a caller who changes things too often is not kept from signing in by strangers who try to', async () => {
    const { app } = await begin({ withKeys: true, server: { rateLimit: { max: 1, per: '1m' } } });
    const login = (key: string) => app.inject({ method: 'POST', url: '/api/login', payload: { key } });
    for (let n = 0; n < 3; n += 1) expect((await login('a-key-that-nobody-has')).statusCode).toBe(401);
    expect((await login(keys.anna)).statusCode).toBe(200);
  });

  test('a caller who changes things too often is rate_limited with Retry-After, over all routes together, and others are not', async () => {
    const { app } = await begin({ withKeys: true, server: { rateLimit: { max: 2, per: '1m' } } });
    const run = { method: 'POST' as const, url: '/agents/nobody/run', headers: bearer('anna'), payload: {} };
    expect((await app.inject(cancel('anna'))).statusCode).toBe(404);
    expect((await app.inject(run)).statusCode).toBe(404);
    const refused = await app.inject(cancel('anna'));
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(refused.json()).toMatchObject({ code: 'rate_limited', status: 429 });
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(2);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await app.inject(run)).json()).toMatchObject({ code: 'rate_limited' });
    expect((await app.inject(cancel('ben'))).statusCode).toBe(404);
  });

  test('a caller who changes things too often reads on, and health is never counted', async () => {
    const { app } = await begin({ withKeys: true, server: { rateLimit: { max: 1, per: '1m' } } });
    await app.inject(cancel('anna'));
    expect((await app.inject(cancel('anna'))).statusCode).toBe(429);
    for (const url of ['/healthz', '/agents', '/api/tasks', '/agents/expenses/threads/none/events']) {
      const response = await app.inject({ method: 'GET', url, headers: bearer('anna') });
      expect([200, 404]).toContain(response.statusCode);
    }
  });

  test.each([
    ['by max: 0', { withKeys: true, server: { rateLimit: { max: 0 } } }],
    ['without keys', { withKeys: false, server: { rateLimit: { max: 1 } } }],
  ])('a caller who changes things too often is not limited %s', async (_what, options) => {
    const { app } = await begin(options);
    for (let n = 0; n < 3; n += 1) expect((await app.inject(cancel('anna'))).statusCode).toBe(404);
  });
});
