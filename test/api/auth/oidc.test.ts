// Sign-in by a real OpenID Connect provider, the certified `oidc-provider`, on a socket of this machine.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientId, clientSecret } from '../../rigs/pages/identity-provider.ts';
import { keyConfig, type Rig } from '../rig.ts';
import { browse, cookieOf, logoutEvent, publicUrl, describeOidc, tokensOf } from './oidc-rig.ts';
import { asOpened } from '../../rigs/proofs.ts';
import { aPrincipal } from '../../rigs/factories.ts';

const { rig, provider } = describeOidc();
let issuer: string;
/** The same with pages, and with a provider that is not there. */
let pages: Rig;
let away: Rig;
let webDir = '';
let token: ReturnType<typeof tokensOf>;

beforeAll(async () => {
  ({ issuer } = provider());
  token = tokensOf(provider());
  webDir = mkdtempSync(join(tmpdir(), 'standfast-pages-'));
  writeFileSync(join(webDir, 'index.html'), '<!doctype html>');
  const same = { publicUrl, webDir };
  pages = await rig.another({ ...same, config: rig.config });
  const { auth } = rig.config;
  away = await rig.another({
    ...same,
    config: { auth: { ...auth, oidc: { ...auth.oidc, issuer: 'http://127.0.0.1:1', clientId, clientSecret } } },
  });
});
afterAll(() => {
  if (webDir !== '') rmSync(webDir, { recursive: true });
});

async function signIn(login: string, returnTo = '/holds'): Promise<Record<string, string>> {
  const begun = await rig.app.inject({ url: `/api/login/oidc?returnTo=${encodeURIComponent(returnTo)}` });
  const pending = cookieOf(begun.headers, 'standfast-sign-in');
  const back = await browse(String(begun.headers.location), login);
  const done = await rig.app.inject({ url: `${back.pathname}${back.search}`, headers: { cookie: pending } });
  expect([done.statusCode, done.headers.location]).toEqual([303, returnTo]);
  return { cookie: cookieOf(done.headers, 'standfast-session'), 'sec-fetch-site': 'same-origin' };
}
const me = (headers: Record<string, string>) => rig.app.inject({ url: '/api/me', headers });

describe('a sign-in by the identity provider', () => {
  // Promise T16
  test('a sign-in by the identity provider opens a session in the person’s name, with the roles of their groups', async () => {
    const methods = (await rig.app.inject({ url: '/api/login/methods' })).json();
    expect(methods).toEqual({ keys: true, oidc: { title: 'Single sign-on', url: '/api/login/oidc' } });
    expect((await me(await signIn('anna'))).json()).toMatchObject({
      id: 'anna',
      name: 'anna of the directory',
      roles: ['finance'],
      isOperator: false,
      via: 'session',
    });
    expect((await me(await signIn('opal', '/'))).json()).toMatchObject({ id: 'opal', isOperator: true });
  });

  // Promise T16
  test('a sign-in by the identity provider is taken from the browser that began it alone, and once', async () => {
    const begun = await rig.app.inject({ url: '/api/login/oidc' });
    const sent = new URL(String(begun.headers.location));
    expect(sent.searchParams.get('code_challenge_method')).toBe('S256');
    const back = await browse(sent.href, 'anna');
    const url = `${back.pathname}${back.search}`;
    expect((await rig.app.inject({ url })).statusCode).toBe(401);
    const other = cookieOf((await rig.app.inject({ url: '/api/login/oidc' })).headers, 'standfast-sign-in');
    expect((await rig.app.inject({ url, headers: { cookie: other } })).statusCode).toBe(401);
    const own = cookieOf(begun.headers, 'standfast-sign-in');
    expect((await rig.app.inject({ url, headers: { cookie: own } })).statusCode).toBe(303);
    expect((await rig.app.inject({ url, headers: { cookie: own } })).statusCode).toBe(401);
  });

  // Promise T16
  test('a sign-in by the identity provider is begun by https with a cookie that no neighbouring host can set, and taken with no other', async () => {
    const secure = await rig.another({ publicUrl: 'https://standfast.example', config: rig.config });
    try {
      const begun = await secure.app.inject({ url: '/api/login/oidc' });
      const name = '__Host-standfast-sign-in';
      const cookie = cookieOf(begun.headers, name);
      expect(String(begun.headers['set-cookie'])).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      const state = new URL(String(begun.headers.location)).searchParams.get('state');
      const why = async (sent: string): Promise<string> => {
        const url = `/api/login/oidc/callback?state=${state}&error=access_denied&iss=${encodeURIComponent(issuer)}`;
        const done = await secure.app.inject({ url, headers: { cookie: sent } });
        return done.json<{ detail: string }>().detail;
      };
      expect(await why(cookie.replace('__Host-', ''))).toMatch(/begun elsewhere/);
      expect(await why(cookie)).toBe('the sign-in did not succeed; try again');
    } finally {
      await secure.close();
    }
  });

  // Promise T25
  test.each([
    ['refused', 'state=STATE&error=access_denied'],
    ['failed', 'state=STATE&error=server_error'],
    ['failed', 'state=STATE&code=of-nobody'],
    ['stale', 'state=of-another&code=of-nobody'],
  ])(
    'a sign-in by the identity provider that does not succeed leads a browser to the page to sign in at: %s, %s',
    async (why, query) => {
      const begun = await pages.app.inject({ url: '/api/login/oidc?returnTo=/settings' });
      const state = new URL(String(begun.headers.location)).searchParams.get('state') ?? '';
      const cookie = cookieOf(begun.headers, 'standfast-sign-in');
      const url = `/api/login/oidc/callback?${query.replace('STATE', state)}&iss=${encodeURIComponent(issuer)}`;
      const done = await pages.app.inject({ url, headers: { cookie, accept: 'text/html' } });
      expect([done.statusCode, done.headers.location]).toEqual([303, `/login?failed=${why}&next=%2Fsettings`]);
      expect(done.headers['set-cookie']).toMatch(/^standfast-sign-in=;/);
      const program = await pages.app.inject({ url, headers: { cookie } });
      expect(program.json()).toMatchObject({ code: 'not_authenticated' });
    },
  );

  // Promise T25
  test('a sign-in by the identity provider of a provider that is away leads a browser to the page to sign in at, and a sign-out to it as well', async () => {
    const headers = { ...(await signIn('anna')), accept: 'text/html' };
    const url = '/api/login/oidc?returnTo=/settings';
    const begun = await away.app.inject({ url, headers: { accept: 'text/html' } });
    expect([begun.statusCode, begun.headers.location]).toEqual([303, '/login?failed=unavailable&next=%2Fsettings']);
    expect((await away.app.inject({ url })).json()).toMatchObject({ code: 'sign_in_unavailable' });
    const out = await away.app.inject({ url: '/api/logout/oidc', headers });
    expect(out.headers.location).toBe('/login?failed=signOut');
    expect((await me(headers)).statusCode).toBe(401);
  });

  // Promise T16
  test.each(['bot', 'shop'])(
    'a sign-in by the identity provider is refused with the name of a program’s user: %s',
    async (login) => {
      const begun = await rig.app.inject({ url: '/api/login/oidc' });
      const back = await browse(String(begun.headers.location), login);
      const cookie = cookieOf(begun.headers, 'standfast-sign-in');
      const done = await rig.app.inject({ url: `${back.pathname}${back.search}`, headers: { cookie } });
      expect([done.statusCode, cookieOf(done.headers, 'standfast-session')]).toEqual([401, '']);
    },
  );

  // Promise T17
  test('a sign-in by the identity provider is over once its name is a program’s', async () => {
    const headers = await signIn('anna');
    const { auth } = rig.config;
    const before = auth.keys;
    auth.keys = before.map((key) => (key.user === 'anna' ? { ...key, kind: 'agent' as const } : key));
    try {
      expect((await me(headers)).statusCode).toBe(401);
    } finally {
      auth.keys = before;
    }
  });

  // Promise T16
  test.each(['//evil.example', 'https://evil.example/', '/\\evil.example', 'evil'])(
    'a sign-in by the identity provider leads never to %p',
    async (to) => {
      const response = await rig.app.inject({ url: `/api/login/oidc?returnTo=${encodeURIComponent(to)}` });
      expect(response.statusCode).toBe(400);
    },
  );

  // Promise T17
  test('a sign-in by the identity provider lasts while it is used, and never longer than it may in all', async () => {
    const headers = await signIn('anna');
    const at = (minutes: number): void => rig.setNow(new Date(Date.now() + minutes * 60_000).toISOString());
    try {
      at(50);
      const { sessionEndsAt } = (await me(headers)).json<{ sessionEndsAt: string }>();
      expect(Date.parse(sessionEndsAt) - Date.now()).toBeGreaterThan(100 * 60_000);
      at(100);
      const last = (await me(headers)).json<{ sessionEndsAt: string }>();
      expect(Date.parse(last.sessionEndsAt) - Date.now()).toBeLessThan(121 * 60_000);
    } finally {
      rig.setNow(null);
    }
  });

  // Promise T17
  test('a sign-in by the identity provider is not ended by a link on a page of others, with or without the cookie', async () => {
    const headers = await signIn('anna');
    for (const site of ['same-site', 'cross-site']) {
      const sent = await rig.app.inject({ url: '/api/logout/oidc', headers: { ...headers, 'sec-fetch-site': site } });
      expect([sent.headers.location, sent.headers['set-cookie']]).toEqual(['/', undefined]);
    }
    const out = await rig.app.inject({ url: '/api/logout/oidc', headers: { 'sec-fetch-site': 'cross-site' } });
    expect([out.headers.location, out.headers['set-cookie']]).toEqual(['/', undefined]);
    expect((await me(headers)).statusCode).toBe(200);
  });

  // Promise T17
  test('a sign-in by the identity provider ends at the provider too, by its own address', async () => {
    const headers = await signIn('anna');
    const out = await rig.app.inject({ url: '/api/logout/oidc', headers });
    expect(String(out.headers.location)).toContain(`${issuer}/session/end`);
    expect((await me(headers)).statusCode).toBe(401);
  });
});

const logout = (logoutToken: string) =>
  rig.app.inject({
    method: 'POST',
    url: '/api/logout/oidc/backchannel',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: logoutToken }).toString(),
  });

describe('a sign-out sent by the identity provider', () => {
  // Promise T17
  test('a sign-out sent by the identity provider ends the sessions of that person, and a token that is none ends none', async () => {
    const [anna, opal] = [await signIn('anna'), await signIn('opal')];
    const wrong = [
      await token({ sub: 'anna' }, clientId),
      await token({ sub: 'anna', nonce: 'n', ...logoutEvent }, clientId),
      await token({ sub: 'anna', ...logoutEvent }, 'another-client'),
      await token({ sub: 'anna', ...logoutEvent }, clientId, 'logout+jwt', 'https://evil.example'),
      'nonsense',
    ];
    for (const one of wrong) expect((await logout(one)).statusCode).toBe(400);
    expect((await me(anna)).statusCode).toBe(200);
    expect((await logout(await token({ sub: 'anna', ...logoutEvent }, clientId, 'logout+jwt'))).statusCode).toBe(200);
    expect([(await me(anna)).statusCode, (await me(opal)).statusCode]).toEqual([401, 200]);
  });

  test('a sign-out sent by the identity provider that names a session of the provider’s ends that one alone', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const opened = await Promise.all(
      ['sid-1', 'sid-2'].map(async (sid, index) => {
        const cookie = String(index).repeat(43);
        const tokenHash = createHash('sha256').update(cookie).digest('hex');
        const principal = aPrincipal('anna');
        const row = { tokenHash, principal, keyHash: null, subject: 'anna', sid };
        await rig.store.sessions.open({ ...asOpened({ ...row, endsBy: inAnHour }), expiresAt: inAnHour });
        return { cookie: `standfast-session=${cookie}`, 'sec-fetch-site': 'same-origin' };
      }),
    );
    const stateOf = () => Promise.all(opened.map(async (headers) => (await me(headers)).statusCode));
    expect(await stateOf()).toEqual([200, 200]);
    expect((await logout(await token({ sid: 'sid-1', ...logoutEvent }, clientId, 'logout+jwt'))).statusCode).toBe(200);
    expect(await stateOf()).toEqual([401, 200]);
    expect(
      (await logout(await token({ sub: 'opal', sid: 'sid-2', ...logoutEvent }, clientId, 'logout+jwt'))).statusCode,
    ).toBe(200);
    expect(await stateOf()).toEqual([401, 200]);
  });
});

describe('an identity provider', () => {
  test('an identity provider is reached by the rules of egress, and so is every address that it names', async () => {
    const asked: string[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{"keys":[]}');
    }).listen(0, '127.0.0.2');
    await once(elsewhere, 'listening');
    const other = `http://127.0.0.2:${(elsewhere.address() as AddressInfo).port}`;
    const naming = createServer((_request, response) => {
      const metadata = { issuer: own, jwks_uri: `${other}/jwks`, token_endpoint: `${other}/token` };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...metadata, authorization_endpoint: `${own}/auth` }));
    }).listen(0, '127.0.0.1');
    await once(naming, 'listening');
    const own = `http://127.0.0.1:${(naming.address() as AddressInfo).port}`;
    const signInBy = async (egress: { deny: 'private'[]; allow: string[] }): Promise<unknown[]> => {
      const auth = { keys: keyConfig, oidc: { issuer: own, clientId, clientSecret, allowBearer: true } };
      const guarded = await rig.another({ publicUrl, config: { auth, egress } });
      const begun = await guarded.app.inject({ url: '/api/login/oidc' });
      const cookie = cookieOf(begun.headers, 'standfast-sign-in');
      const state = begun.statusCode === 303 ? new URL(String(begun.headers.location)).searchParams.get('state') : '';
      const back = `/api/login/oidc/callback?code=c&state=${state}&iss=${encodeURIComponent(own)}`;
      const done = await guarded.app.inject({ url: back, headers: { cookie } });
      const authorization = `Bearer ${await token({ sub: 'anna' }, clientId, 'at+jwt', own)}`;
      const known = await guarded.app.inject({ url: '/api/me', headers: { authorization } });
      await guarded.close();
      return [begun.statusCode, done.statusCode, known.statusCode];
    };
    try {
      expect(await signInBy({ deny: ['private'], allow: ['127.0.0.1/32'] })).toEqual([303, 401, 401]);
      expect(await signInBy({ deny: ['private'], allow: [] })).toEqual([503, 401, 503]);
      expect(asked).toEqual([]);
      await signInBy({ deny: [], allow: [] });
      expect(asked.toSorted()).toEqual(['/jwks', '/token']);
    } finally {
      elsewhere.close();
      naming.close();
    }
  });
});
