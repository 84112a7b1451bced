import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aHold, aTask, bearer, fakeTasks, freshThread, keyConfig, keys, type Rig } from '../rig.ts';
import { createHash } from 'node:crypto';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import { asOpened } from '../../rigs/proofs.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi({
  withKeys: true,
  config: {
    users: { anna: { name: 'Anna Berg' } },
    policies: { legal: { audience: ['role:legal'] }, finance: { audience: ['role:finance'] } },
    auth: { keys: keyConfig, maxIdle: '1h' },
  },
});
let other: Rig;
beforeAll(async () => {
  // Another process, restarted with a configuration in which fin has no key any more.
  other = await rig.another({ config: { auth: { keys: keyConfig.filter(({ user }) => user !== 'fin') } } });
});
beforeEach(() => {
  Object.assign(rig.tasks, fakeTasks());
  rig.setNow(null);
});

const ownPage = { 'sec-fetch-site': 'same-origin' };
let address = 0;
/** Each from an address of its own, so that failures of one test do not count for another. */
const login = (key: string, headers: Record<string, string> = ownPage, remoteAddress = `10.0.0.${(address += 1)}`) =>
  rig.app.inject({ method: 'POST', url: '/api/login', headers, payload: { key }, remoteAddress });

/** A signed-in browser: what it sends with each request. */
async function signedIn(key: string): Promise<Record<string, string>> {
  const { headers } = await login(key);
  return { cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '', ...ownPage };
}
const me = (headers: Record<string, string>, on: Rig = rig) =>
  on.app.inject({ method: 'GET', url: '/api/me', headers });

describe('a sign-in', () => {
  // Promise PE1
  test('a sign-in opens a session by a cookie that scripts cannot read and other sites cannot send', async () => {
    const response = await login(keys.anna);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      id: 'anna',
      name: 'Anna Berg',
      roles: [],
      isOperator: false,
      names: { anna: 'Anna Berg' },
      agents: [
        { name: 'expenses', title: 'Expenses' },
        { name: 'travel', title: 'travel' },
      ],
      policies: ['finance', 'legal'],
      via: 'session',
      temporalUrl: 'http://127.0.0.1:8233/namespaces/default/workflows',
      sessionEndsAt: expect.any(String),
    });
    const cookie = String(response.headers['set-cookie']);
    expect(cookie).toMatch(/^standfast-session=[\w-]{43}; /);
    for (const part of ['Max-Age=3600', 'Path=/', 'HttpOnly', 'SameSite=Strict']) expect(cookie).toContain(part);
    expect(cookie).not.toContain('Secure');
  });

  test('a sign-in keeps nothing of the cookie but its hash', async () => {
    const { cookie = '' } = await signedIn(keys.anna);
    expect(await rig.store.sessions.get(cookie.split('=')[1] ?? '')).toBeNull();
  });

  test('a sign-in is for this host and https alone where people reach us by https', async () => {
    const secure = await rig.another({ withKeys: true, publicUrl: 'https://holds.example.com' });
    const { headers } = await secure.app.inject({ method: 'POST', url: '/api/login', payload: { key: keys.anna } });
    expect(headers['set-cookie']).toMatch(/^__Host-standfast=.*; Secure/);
  });

  // Promise Q53
  test('a sign-in by a key that is not known is not_authenticated, and rate_limited when tried too often; one that is known is taken', async () => {
    const from = '10.9.9.9';
    const tried = async (key: string) => (await login(key, ownPage, from)).json<{ code: string }>().code;
    const codes: string[] = [];
    for (let n = 0; n < 21; n += 1) codes.push(await tried('a-key-that-nobody-has'));
    expect(codes.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'not_authenticated'));
    expect(codes.at(-1)).toBe('rate_limited');
    const refused = await login('a-key-that-nobody-has', ownPage, from);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Behind a proxy it may come from another person.
    expect((await login(keys.anna, ownPage, from)).statusCode).toBe(200);
    rig.setNow(new Date(Date.now() + 61_000).toISOString());
    expect(await tried('a-key-that-nobody-has')).toBe('not_authenticated');
  });

  test('a sign-in with a body that no key could fill is too_large', async () => {
    expect((await login('x'.repeat(20_000))).statusCode).toBe(413);
  });

  test.each<[string, object]>([
    ['no key', {}],
    ['an empty key', { key: '' }],
    ['a number', { key: 7 }],
    ['a key of 1,001 characters', { key: 'x'.repeat(1001) }],
    ['a list', []],
  ])('a sign-in is input_invalid with %s', async (_what, payload) => {
    const response = await rig.app.inject({ method: 'POST', url: '/api/login', payload });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'input_invalid' });
  });

  test('a sign-in is not needed without keys', async () => {
    const keyless = await rig.another();
    const response = await keyless.app.inject({ method: 'POST', url: '/api/login', payload: { key: 'anything' } });
    expect(response.json()).toMatchObject({ id: 'local', isOperator: true, via: 'none', sessionEndsAt: null });
    expect(response.headers['set-cookie']).toBeUndefined();
  });
});

describe('a session', () => {
  test('a session says who is calling, as a key does', async () => {
    expect((await me(await signedIn(keys.op))).json()).toMatchObject({ id: 'op', isOperator: true, via: 'session' });
    expect((await me(bearer('fin'))).json()).toMatchObject({
      id: 'fin',
      roles: ['finance'],
      via: 'key',
      sessionEndsAt: null,
    });
  });

  test('a session ends by signing out: the cookie is worth nothing any more', async () => {
    const browser = await signedIn(keys.anna);
    const out = await rig.app.inject({ method: 'POST', url: '/api/logout', headers: browser });
    expect(out.statusCode).toBe(204);
    expect(out.headers['set-cookie']).toContain('Max-Age=0');
    expect((await me(browser)).json()).toMatchObject({ code: 'not_authenticated', status: 401 });
  });

  test('a session is over when its time is', async () => {
    rig.setNow(new Date(Date.now() - 2 * 3_600_000).toISOString());
    const browser = await signedIn(keys.anna);
    rig.setNow(null);
    expect((await me(browser)).statusCode).toBe(401);
  });

  // Promise PE1
  test('a session lasts on while it is used', async () => {
    rig.setNow(new Date(Date.now() - 1_800_000).toISOString());
    const browser = await signedIn(keys.anna);
    const before = (await me(browser)).json<{ sessionEndsAt: string }>().sessionEndsAt;
    rig.setNow(null);
    const used = await me(browser);
    expect(used.headers['set-cookie']).toContain('Max-Age=3600');
    expect(used.json<{ sessionEndsAt: string }>().sessionEndsAt > before).toBe(true);
    // Not each use is written down.
    expect((await me(browser)).headers['set-cookie']).toBeUndefined();
  });

  // Promise PE1
  test('a session is over when its key is taken out of the configuration', async () => {
    const browser = await signedIn(keys.fin);
    expect((await me(browser)).statusCode).toBe(200);
    expect((await me(browser, other)).json()).toMatchObject({ code: 'not_authenticated' });
  });

  // Promise T21
  test('a session is over as soon as its key is taken away while we run', async () => {
    const browser = await signedIn(keys.ben);
    expect((await me(browser)).statusCode).toBe(200);
    const before = rig.config.auth.keys;
    rig.config.auth.keys = before.filter(({ user }) => user !== 'ben');
    expect((await me(browser)).statusCode).toBe(401);
    expect((await me(bearer('ben'))).statusCode).toBe(401);
    expect((await me(bearer('anna'))).statusCode).toBe(200);
    rig.config.auth.keys = before;
  });

  test.each(['', 'standfast-session=', 'standfast-session=x', `standfast-session=${'A'.repeat(43)}`, 'a=b; c'])(
    'a session is not made of the cookie %j',
    async (cookie) => {
      expect((await me({ cookie })).statusCode).toBe(401);
    },
  );

  test('a session that sends a key as well is known by the key alone', async () => {
    const browser = await signedIn(keys.anna);
    expect((await me({ ...browser, ...bearer('op') })).json()).toMatchObject({ id: 'op' });
    expect((await me({ ...browser, authorization: 'Bearer nonsense' })).statusCode).toBe(401);
  });
});

describe('what changes something by a session', () => {
  async function claimAs(headers: Record<string, string>): Promise<number> {
    const hold = await aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }));
    const { cookie = '' } = await signedIn(keys.anna);
    const url = `/api/holds/${hold.holdId}/claim`;
    return (await rig.app.inject({ method: 'POST', url, headers: { cookie, host: 'holds.local:8600', ...headers } }))
      .statusCode;
  }

  // Promise PE2
  test.each<[number, string, Record<string, string>]>([
    [200, 'our own page', { 'sec-fetch-site': 'same-origin' }],
    [200, 'our own page of an older browser', { origin: 'http://holds.local:8600' }],
    [200, 'the address that people are given', { origin: 'http://127.0.0.1:8600' }],
    [403, 'a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:8600' }],
    [403, 'a page of another port', { 'sec-fetch-site': 'same-site' }],
    [403, 'a foreign page of an older browser', { origin: 'http://evil.example' }],
    [403, 'a page without an origin', { origin: 'null' }],
    [403, 'no page is named', {}],
    [400, 'a form', { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }],
  ])('what changes something by a session is %i from %s', async (status, _from, headers) => {
    expect(await claimAs(headers)).toBe(status);
  });

  test('what changes something by a session is refused to pages of others at every route that is described, whatever the body is', async () => {
    const { paths } = (await rig.app.inject({ url: '/docs/json' })).json<{ paths: Record<string, object> }>();
    const changing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== 'get')
        .map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'expenses')] as const),
    );
    // A sign-in and an agent's push come without a session, a sign-out has no other than this one, and the codec endpoint
    // changes nothing and has its own list of origins.
    const own = changing.filter(([, path]) => !/\/(login|logout|push-notifications|codec\/\w+)$/.test(path));
    expect(own.length).toBeGreaterThan(15);
    const { cookie = '' } = await signedIn(keys.op);
    const allowed: string[] = [];
    for (const [method, url] of [...own, ['POST', '/a2a/expenses'], ['POST', '/a2a/expenses/message:send']] as const)
      for (const from of [{}, { origin: 'http://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }])
        for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
          const headers = { cookie, ...from, 'content-type': type };
          const { statusCode } = await rig.app.inject({ method: method as 'POST', url, headers, payload: '{}' });
          if (statusCode !== 403) allowed.push(`${method} ${url} ${JSON.stringify(headers)}: ${statusCode}`);
        }
    expect(allowed).toEqual([]);
  });

  test('what changes something by a session may not be a sign-in by a page of others either', async () => {
    expect((await login(keys.anna, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await login(keys.anna, { origin: 'http://evil.example' })).statusCode).toBe(403);
  });

  test('what changes something by a session comes with a key from wherever it likes', async () => {
    const hold = await aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }));
    const headers = { ...bearer('anna'), 'sec-fetch-site': 'cross-site' };
    const response = await rig.app.inject({ method: 'POST', url: `/api/holds/${hold.holdId}/claim`, headers });
    expect(response.statusCode).toBe(200);
  });

  // Promise PE2
  test('what changes something by a session is refused without keys too, when a page of others asks', async () => {
    const keyless = await rig.another();
    const hold = await aHold(rig.store, await aTask(rig.store, freshThread()));
    const status = async (headers: Record<string, string>) =>
      (await keyless.app.inject({ method: 'POST', url: `/api/holds/${hold.holdId}/claim`, headers })).statusCode;
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await status({ origin: 'http://evil.example' })).toBe(403);
    expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await status({})).toBe(200);
  });
});

describe('a session that a writer of the database made', () => {
  // Promise T27
  test('a session that a writer of the database made signs in no one', async () => {
    const { cookie = '' } = await signedIn(keys.fin);
    const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
    const row = await rig.store.sessions.get(hashOf(cookie.split('=')[1] ?? ''));
    if (row === null) throw new Error('there is no session');
    const stranger = createProver('another key of at least thirty-two characters');
    const forged = [
      (tokenHash: string) => ({ ...row, tokenHash, mac: '' }),
      (tokenHash: string) => ({ ...row, tokenHash }),
      (tokenHash: string) => asOpened({ ...row, tokenHash }, stranger),
      (tokenHash: string) => ({ ...asOpened({ ...row, tokenHash, keyHash: 'of no one' }), keyHash: row.keyHash }),
    ];
    const { expiresAt } = row;
    for (const [n, made] of forged.entries()) {
      const token = String(n).repeat(43);
      await rig.store.sessions.open({ ...made(hashOf(token)), expiresAt });
      expect([n, (await me({ cookie: `standfast-session=${token}`, ...ownPage })).statusCode]).toEqual([n, 401]);
    }
    expect((await me({ cookie, ...ownPage })).json()).toMatchObject({ id: 'fin' });
  });
});

describe('somebody who is away', () => {
  // Promise PE4
  test('somebody who is away is stood in for by their delegate, until they are back', async () => {
    const away = { from: '2026-11-01T00:00:00Z', until: '2026-12-01T00:00:00Z', delegate: 'user:ben' };
    const office = await rig.another({ withKeys: true, config: { users: { fin: { away } } } });
    const hold = await aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), {
      audience: ['user:fin'],
    });
    const read = async () =>
      office.app.inject({ method: 'GET', url: `/api/holds/${hold.holdId}`, headers: bearer('ben') });
    office.setNow('2026-11-20T00:00:00.000Z');
    expect((await read()).json()).toMatchObject({ mayDecide: true });
    const mine = await office.app.inject({ method: 'GET', url: '/api/holds?view=mine', headers: bearer('ben') });
    expect(mine.json<{ items: { id: string }[] }>().items.map((item) => item.id)).toContain(hold.holdId);
    office.setNow('2026-12-02T00:00:00.000Z');
    expect((await read()).statusCode).toBe(404);
  });
});
