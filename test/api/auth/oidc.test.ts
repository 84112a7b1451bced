// Sign-in by a real OpenID Connect provider, the certified `oidc-provider`, on a socket of this machine.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Provider } from 'oidc-provider';
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';
import { keyConfig, keys, startRig, type Rig } from '../rig.ts';

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
        keys: [
          ...keyConfig,
          { user: 'bot', kind: 'agent', key: 'the-bot-has-a-key-of-its-own-00001' },
          { user: 'shop', kind: 'backend', key: 'the-shop-has-a-key-of-its-own-0001' },
        ],
        session: '1h',
        oidc: {
          issuer,
          clientId,
          clientSecret,
          maxSession: '2h',
          allowBearer: true,
          audience: 'holdpoint-api',
          authorizedParties: ['front-end'],
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

  test.each(['bot', 'shop'])('is nobody’s by the name of a program’s user: %s', async (login) => {
    const begun = await rig.app.inject({ url: '/api/login/oidc' });
    const back = await browse(String(begun.headers.location), login);
    const cookie = cookieOf(begun.headers, 'holdpoint-sign-in');
    const done = await rig.app.inject({ url: `${back.pathname}${back.search}`, headers: { cookie } });
    expect([done.statusCode, cookieOf(done.headers, 'holdpoint-session')]).toEqual([401, '']);
  });

  test('is over once its name is a program’s', async () => {
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

  test('is not ended by a link on a page of others, with or without the cookie', async () => {
    const headers = await signIn('anna');
    for (const site of ['same-site', 'cross-site']) {
      const sent = await rig.app.inject({ url: '/api/logout/oidc', headers: { ...headers, 'sec-fetch-site': site } });
      expect([sent.headers.location, sent.headers['set-cookie']]).toEqual(['/', undefined]);
    }
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
const token = (
  claims: Record<string, unknown>,
  audience: string | string[] = 'holdpoint-api',
  typ = 'at+jwt',
  from = issuer,
) =>
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

describe('a sign-out sent by the identity provider', () => {
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

  test('that names a session of the provider’s ends that one alone', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const opened = await Promise.all(
      ['sid-1', 'sid-2'].map(async (sid, index) => {
        const cookie = String(index).repeat(43);
        const tokenHash = createHash('sha256').update(cookie).digest('hex');
        const principal = { id: 'anna', roles: [], isSuper: false };
        const row = { tokenHash, principal, keyHash: null, subject: 'anna', sid };
        await rig.store.sessions.open({ ...row, expiresAt: inAnHour, endsBy: inAnHour });
        return { cookie: `holdpoint-session=${cookie}`, 'sec-fetch-site': 'same-origin' };
      }),
    );
    const stateOf = () => Promise.all(opened.map(async (headers) => (await me(headers)).statusCode));
    expect(await stateOf()).toEqual([200, 200]);
    expect((await logout(await token({ sid: 'sid-1', ...event }, clientId, 'logout+jwt'))).statusCode).toBe(200);
    expect(await stateOf()).toEqual([401, 200]);
    expect(
      (await logout(await token({ sub: 'opal', sid: 'sid-2', ...event }, clientId, 'logout+jwt'))).statusCode,
    ).toBe(200);
    expect(await stateOf()).toEqual([401, 200]);
  });
});

describe('an identity provider', () => {
  test('is reached by the rules of egress, and so is every address that it names', async () => {
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
      const guarded = await startRig({ publicUrl, store: rig.store, config: { auth, egress } });
      const begun = await guarded.app.inject({ url: '/api/login/oidc' });
      const cookie = cookieOf(begun.headers, 'holdpoint-sign-in');
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

describe('a bearer token of the identity provider', () => {
  const bearer = (text: string) => me({ authorization: `Bearer ${text}` });

  test('is its person, with the roles of their groups', async () => {
    const response = await bearer(await token({ sub: 'anna', groups: ['fin-team'] }));
    expect(response.json()).toMatchObject({ id: 'anna', roles: ['finance'], via: 'key' });
  });

  test('that is an ID token, or made for anything else, is not taken', async () => {
    const claims = { sub: 'anna', groups: ['fin-team'] };
    const wrong = [
      await token({ ...claims, nonce: 'n' }, 'holdpoint-api', 'JWT'),
      await token({ ...claims, at_hash: 'x' }, 'holdpoint-api', 'JWT'),
      await token({ ...claims, typ: 'ID' }, 'holdpoint-api', 'JWT'),
      await token({ ...claims, typ: 'Refresh' }, 'holdpoint-api', 'JWT'),
      await token({ ...claims, token_use: 'id' }, 'holdpoint-api', 'JWT'),
      await token(claims, 'holdpoint-api', 'logout+jwt'),
    ];
    for (const one of wrong) expect((await bearer(one)).statusCode).toBe(401);
    // Keycloak’s access tokens have this type.
    expect((await bearer(await token({ ...claims, typ: 'Bearer' }, 'holdpoint-api', 'JWT'))).statusCode).toBe(200);
    const { oidc } = rig.config.auth;
    if (oidc === undefined) throw new Error('there is no provider');
    const { audience } = oidc;
    // Without an audience of their own they are for the client, as its ID tokens are.
    delete oidc.audience;
    try {
      expect((await bearer(await token(claims, clientId, 'JWT'))).statusCode).toBe(401);
      expect((await bearer(await token(claims, clientId))).statusCode).toBe(200);
    } finally {
      if (audience !== undefined) oidc.audience = audience;
    }
  });

  // Wrong ones are counted by address.
  const elsewhere = async (claims: object, audience?: string | string[], remoteAddress = '192.0.2.7') => {
    const authorization = `Bearer ${await token({ ...claims }, audience)}`;
    return (await rig.app.inject({ url: '/api/me', headers: { authorization }, remoteAddress })).statusCode;
  };

  test('that is for other services too is taken from known clients alone', async () => {
    const both = ['holdpoint-api', 'account'];
    const of = (claims: object, audience: string[] | string = both) => elsewhere({ sub: 'anna', ...claims }, audience);
    expect(await of({ azp: clientId })).toBe(200);
    expect(await of({ client_id: 'front-end' })).toBe(200);
    expect(await of({ azp: 'elsewhere' }, 'holdpoint-api')).toBe(200);
    expect(await of({ azp: 'elsewhere' })).toBe(401);
    expect(await of({ azp: 'elsewhere', client_id: 'front-end' })).toBe(401);
    expect(await of({})).toBe(401);
  });

  test('that a client got for itself is nobody’s, and so is one in a program’s name', async () => {
    const wrong = [
      { sub: 'front-end', client_id: 'front-end' },
      { sub: 'front-end', azp: 'front-end' },
      { sub: 'bot' },
      { sub: 'shop' },
    ];
    for (const claims of wrong) expect(await elsewhere(claims)).toBe(401);
  });

  test('that a service account of a provider’s has is nobody’s, whatever its subject is', async () => {
    const sub = '5b1f0c3e-6c1a-4a57-9a54-0d3c2f0e8d11';
    // As Keycloak issues them, with and without the profile scope; Auth0, Entra and Okta.
    const keycloak = { sub, typ: 'Bearer', azp: 'Deploy', scope: 'profile', client_id: 'Deploy' };
    const wrong = [
      {
        ...keycloak,
        preferred_username: 'service-account-deploy',
        clientHost: '192.0.2.9',
        clientAddress: '192.0.2.9',
      },
      { ...keycloak, preferred_username: 'service-account-deploy' },
      { ...keycloak, clientAddress: '192.0.2.9' },
      { sub: 'Deploy@clients', azp: 'deploy' },
      { sub, azp: 'deploy', gty: 'client-credentials' },
      { sub, azp: 'deploy', idtyp: 'app' },
      { sub: 'deploy', cid: 'deploy' },
    ];
    for (const claims of wrong) expect(await elsewhere(claims, undefined, '192.0.2.8')).toBe(401);
    expect(await elsewhere({ ...keycloak, sid: 's-1', preferred_username: 'anna' })).toBe(200);
  });

  test('names nobody by a name with anything that cannot be seen, and gives no role by such a group', async () => {
    const hidden = ['\u200b', '\u200d', '\u202e', '\u2066', '\u00ad', '\u3164', '\u2800', '\u{e0061}', '\u00a0'];
    for (const one of hidden) {
      expect(await elsewhere({ sub: `an${one}na` }, undefined, '192.0.2.9')).toBe(401);
      const known = await bearer(await token({ sub: 'anna', groups: [`fin-team${one}`, 'fin-team'] }));
      expect(known.json()).toMatchObject({ roles: ['finance'] });
    }
  });

  test('shows a name as one line of what can be seen', async () => {
    const name = ' Anna\u202e\u200b\n\u3000Meier\u2066 ';
    expect((await bearer(await token({ sub: 'anna', name }))).json()).toMatchObject({ name: 'Anna Meier' });
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
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { iss: issuer, aud: 'holdpoint-api', sub: 'opal', groups: ['admins'], exp: 4_102_444_800 };
    const { keys: published } = (await (await fetch(`${issuer}/jwks`)).json()) as { keys: JWK[] };
    const publicKey = JSON.stringify(published[0]);
    const signedBy = (header: { alg: string; kid?: string }, key: Parameters<SignJWT['sign']>[0], more = {}) =>
      new SignJWT({ ...claims, ...more }).setProtectedHeader({ typ: 'at+jwt', ...header }).sign(key);
    const wrong = [
      `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims)}.`,
      `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims)}.eA`,
      await signedBy({ alg: 'HS256', kid: 'k1' }, new TextEncoder().encode(publicKey)),
      await signedBy({ alg: 'RS256', kid: '../../../../dev/null' }, privateKey),
      await signedBy({ alg: 'RS256', kid: 'k1' }, privateKey, { nbf: 4_102_444_700 }),
      await signedBy({ alg: 'RS256', kid: 'k1' }, privateKey, { exp: 1_000_000_000 }),
      await signedBy({ alg: 'RS256', kid: 'k1' }, privateKey, { exp: undefined }),
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
