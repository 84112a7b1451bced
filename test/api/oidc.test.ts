// Sign-in by a real OpenID Connect provider, the certified `oidc-provider`, on a socket of this machine.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Provider } from 'oidc-provider';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { keyConfig, keys, startRig, type Rig } from './rig.ts';

const clientId = 'holdpoint';
const clientSecret = 'a-secret-of-the-provider-and-us-0001';
const publicUrl = 'http://127.0.0.1:8600';
let server: Server;
let issuer: string;
let rig: Rig;
let privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

const groups: Record<string, string[]> = { anna: ['fin-team', 'everybody'], opal: ['admins'] };

beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true });
  privateKey = pair.privateKey;
  const jwk = { ...(await exportJWK(privateKey)), kid: 'k1', use: 'sig', alg: 'RS256' };
  server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/api/login/oidc/callback`],
        post_logout_redirect_uris: [`${publicUrl}/`],
      },
    ],
    claims: { openid: ['sub', 'sid'], profile: ['name', 'groups'], email: ['email'] },
    cookies: { keys: ['a-key-of-the-provider'] },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, name: `${id} of the directory`, email: `${id}@example.com`, groups: groups[id] ?? [] }),
    }),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  rig = await startRig({
    publicUrl,
    config: {
      auth: {
        keys: keyConfig,
        session: '1h',
        oidc: {
          issuer,
          clientId,
          clientSecret,
          maxSession: '2h',
          allowBearer: true,
          audience: 'holdpoint-api',
          roles: { 'fin-team': ['finance'], admins: ['operator'] },
        },
      },
    },
  });
});
afterAll(async () => {
  await rig?.close();
  server.closeAllConnections();
  server.close();
});

/** A browser as far as redirects, cookies and the provider’s own two forms go. */
async function browse(start: string, login: string): Promise<URL> {
  const jar = new Map<string, string>();
  const load = async (url: string, body?: URLSearchParams): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    for (const one of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      jar.set(name, value);
    }
    return response;
  };
  let url = start;
  for (let n = 0; n < 12; n += 1) {
    let response = await load(url);
    if (response.status === 200) {
      const prompt = (await response.text()).includes('name="login"') ? 'login' : 'consent';
      response = await load(url, new URLSearchParams({ prompt, login, password: 'x' }));
    }
    url = new URL(response.headers.get('location') ?? '', url).href;
    if (url.startsWith(publicUrl)) return new URL(url);
  }
  throw new Error(`the provider never came back: ${url}`);
}

const cookieOf = (headers: Record<string, unknown>, name: string): string => {
  const all = [headers['set-cookie']].flat().map(String);
  return all.find((one) => one.startsWith(`${name}=`))?.split(';', 1)[0] ?? '';
};

async function signIn(login: string, returnTo = '/holds'): Promise<Record<string, string>> {
  const begun = await rig.app.inject({ url: `/api/login/oidc?returnTo=${encodeURIComponent(returnTo)}` });
  const pending = cookieOf(begun.headers, 'holdpoint-sign-in');
  const back = await browse(String(begun.headers.location), login);
  const done = await rig.app.inject({ url: `${back.pathname}${back.search}`, headers: { cookie: pending } });
  expect([done.statusCode, done.headers.location]).toEqual([303, returnTo]);
  return { cookie: cookieOf(done.headers, 'holdpoint-session'), 'sec-fetch-site': 'same-origin' };
}
const me = (headers: Record<string, string>) => rig.app.inject({ url: '/api/me', headers });

describe('a sign-in by the identity provider', () => {
  test('opens a session in the person’s name, with the roles of their groups', async () => {
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

  test('is taken from the browser that began it alone, and once', async () => {
    const begun = await rig.app.inject({ url: '/api/login/oidc' });
    const sent = new URL(String(begun.headers.location));
    expect(sent.searchParams.get('code_challenge_method')).toBe('S256');
    const back = await browse(sent.href, 'anna');
    const url = `${back.pathname}${back.search}`;
    expect((await rig.app.inject({ url })).statusCode).toBe(401);
    const other = cookieOf((await rig.app.inject({ url: '/api/login/oidc' })).headers, 'holdpoint-sign-in');
    expect((await rig.app.inject({ url, headers: { cookie: other } })).statusCode).toBe(401);
    const own = cookieOf(begun.headers, 'holdpoint-sign-in');
    expect((await rig.app.inject({ url, headers: { cookie: own } })).statusCode).toBe(303);
    expect((await rig.app.inject({ url, headers: { cookie: own } })).statusCode).toBe(401);
  });

  test.each(['//evil.example', 'https://evil.example/', '/\\evil.example', 'evil'])('leads never to %p', async (to) => {
    const response = await rig.app.inject({ url: `/api/login/oidc?returnTo=${encodeURIComponent(to)}` });
    expect(response.statusCode).toBe(400);
  });

  test('lasts while it is used, and never longer than it may in all', async () => {
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

  test('is not ended by a link on a page of others, which comes without the cookie', async () => {
    const headers = await signIn('anna');
    const out = await rig.app.inject({ url: '/api/logout/oidc', headers: { 'sec-fetch-site': 'cross-site' } });
    expect([out.headers.location, out.headers['set-cookie']]).toEqual(['/', undefined]);
    expect((await me(headers)).statusCode).toBe(200);
  });

  test('ends at the provider too, by its own address', async () => {
    const headers = await signIn('anna');
    const out = await rig.app.inject({ url: '/api/logout/oidc', headers });
    expect(String(out.headers.location)).toContain(`${issuer}/session/end`);
    expect((await me(headers)).statusCode).toBe(401);
  });
});

/** A token of the provider’s own making, signed by its key. */
const token = (claims: Record<string, unknown>, audience = 'holdpoint-api', typ = 'at+jwt', from = issuer) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'k1', typ })
    .setIssuer(from)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('5m')
    .setJti('j1')
    .sign(privateKey);

const event = { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } };
const logout = (logoutToken: string) =>
  rig.app.inject({
    method: 'POST',
    url: '/api/logout/oidc/backchannel',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: logoutToken }).toString(),
  });

describe('a sign-out told by the identity provider', () => {
  test('ends the sessions of that person, and a token that is none ends nobody’s', async () => {
    const [anna, opal] = [await signIn('anna'), await signIn('opal')];
    const wrong = [
      await token({ sub: 'anna' }, clientId),
      await token({ sub: 'anna', nonce: 'n', ...event }, clientId),
      await token({ sub: 'anna', ...event }, 'another-client'),
      await token({ sub: 'anna', ...event }, clientId, 'logout+jwt', 'https://evil.example'),
      'nonsense',
    ];
    for (const one of wrong) expect((await logout(one)).statusCode).toBe(400);
    expect((await me(anna)).statusCode).toBe(200);
    expect((await logout(await token({ sub: 'anna', ...event }, clientId, 'logout+jwt'))).statusCode).toBe(200);
    expect([(await me(anna)).statusCode, (await me(opal)).statusCode]).toEqual([401, 200]);
  });
});

describe('a bearer token of the identity provider', () => {
  const bearer = (text: string) => me({ authorization: `Bearer ${text}` });

  test('is its person, with the roles of their groups', async () => {
    const response = await bearer(await token({ sub: 'anna', groups: ['fin-team'] }));
    expect(response.json()).toMatchObject({ id: 'anna', roles: ['finance'], via: 'key' });
  });

  test('of another audience, another issuer, another key, or for another use is not taken; keys are as before', async () => {
    const { privateKey: foreign } = await generateKeyPair('RS256');
    const forged = new SignJWT({ sub: 'opal', groups: ['admins'] })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .setIssuer(issuer)
      .setAudience('holdpoint-api')
      .setExpirationTime('5m')
      .sign(foreign);
    const shared = new SignJWT({ sub: 'opal' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(issuer)
      .setAudience('holdpoint-api')
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(clientSecret));
    const wrong = [
      await token({ sub: 'anna' }, clientId),
      await token({ sub: 'anna' }, 'holdpoint-api', 'at+jwt', 'https://evil.example'),
      await token({ sub: 'anna', ...event }),
      await token({ sub: 'two words' }),
      await forged,
      await shared,
    ];
    for (const one of wrong) expect((await bearer(one)).statusCode).toBe(401);
    expect((await bearer(keys.fin)).json()).toMatchObject({ id: 'fin' });
  });
});
