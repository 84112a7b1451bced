// Access tokens of a real identity provider, as bearers.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { generateKeyPair, SignJWT, type JWK } from 'jose';
import { clientId, clientSecret, type IdentityProvider } from '../../rigs/pages/identity-provider.ts';
import { keys } from '../rig.ts';
import { logoutEvent, describeOidc, tokensOf } from './oidc-rig.ts';

const { rig, provider } = describeOidc();
let issuer: string;
let token: ReturnType<typeof tokensOf>;
let privateKey: IdentityProvider['privateKey'];
beforeAll(async () => {
  ({ issuer, privateKey } = provider());
  token = tokensOf(provider());
});

const me = (headers: Record<string, string>) => rig.app.inject({ url: '/api/me', headers });

describe('a bearer token of the identity provider', () => {
  const bearer = (text: string) => me({ authorization: `Bearer ${text}` });

  // Promise T18
  test('a bearer token of the identity provider is its person, with the roles of their groups', async () => {
    const response = await bearer(await token({ sub: 'anna', groups: ['fin-team'] }));
    expect(response.json()).toMatchObject({ id: 'anna', roles: ['finance'], via: 'key' });
  });

  // Promise T18
  test('a bearer token of the identity provider that is an ID token, or made for anything else, is not taken', async () => {
    const claims = { sub: 'anna', groups: ['fin-team'] };
    const wrong = [
      await token({ ...claims, nonce: 'n' }, 'standfast-api', 'JWT'),
      await token({ ...claims, at_hash: 'x' }, 'standfast-api', 'JWT'),
      await token({ ...claims, typ: 'ID' }, 'standfast-api', 'JWT'),
      await token({ ...claims, typ: 'Refresh' }, 'standfast-api', 'JWT'),
      await token({ ...claims, token_use: 'id' }, 'standfast-api', 'JWT'),
      await token(claims, 'standfast-api', 'logout+jwt'),
    ];
    for (const one of wrong) expect((await bearer(one)).statusCode).toBe(401);
    // Keycloak’s access tokens have this type.
    expect((await bearer(await token({ ...claims, typ: 'Bearer' }, 'standfast-api', 'JWT'))).statusCode).toBe(200);
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

  // Promise T18
  test('a bearer token of the identity provider that is for other services too is taken from known clients alone', async () => {
    const both = ['standfast-api', 'account'];
    const of = (claims: object, audience: string[] | string = both) => elsewhere({ sub: 'anna', ...claims }, audience);
    expect(await of({ azp: clientId })).toBe(200);
    expect(await of({ client_id: 'front-end' })).toBe(200);
    expect(await of({ azp: 'elsewhere' }, 'standfast-api')).toBe(200);
    expect(await of({ azp: 'elsewhere' })).toBe(401);
    expect(await of({ azp: 'elsewhere', client_id: 'front-end' })).toBe(401);
    expect(await of({})).toBe(401);
  });

  // Promise T18
  test('a bearer token of the identity provider that a client got for itself is refused, and so is one in a program’s name', async () => {
    const wrong = [
      { sub: 'front-end', client_id: 'front-end' },
      { sub: 'front-end', azp: 'front-end' },
      { sub: 'bot' },
      { sub: 'shop' },
    ];
    for (const claims of wrong) expect(await elsewhere(claims)).toBe(401);
  });

  // Promise T18
  test('a bearer token of the identity provider that a service account of a provider’s has is refused, whatever its subject is', async () => {
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

  // Promise T22
  test('a bearer token of the identity provider is refused with a name that has anything that cannot be seen, and gives no role by such a group', async () => {
    const hidden = ['\u200b', '\u200d', '\u202e', '\u2066', '\u00ad', '\u3164', '\u2800', '\u{e0061}', '\u00a0'];
    for (const one of hidden) {
      expect(await elsewhere({ sub: `an${one}na` }, undefined, '192.0.2.9')).toBe(401);
      const known = await bearer(await token({ sub: 'anna', groups: [`fin-team${one}`, 'fin-team'] }));
      expect(known.json()).toMatchObject({ roles: ['finance'] });
    }
  });

  // Promise T22
  test('a bearer token of the identity provider is refused with a name that is written like another one, and gives no role by such a group', async () => {
    const of = (sub: string) => elsewhere({ sub }, undefined, '192.0.2.10');
    // The first, in Cyrillic letters alone, resembles `op`; the others mix scripts, or write a letter in another way.
    expect(await of('\u043e\u0440')).toBe(401);
    expect(await of('\u0430nna')).toBe(401);
    expect(await of('\uff41nna')).toBe(401);
    expect(await of('Rene\u0301')).toBe(401);
    expect(await of('Ren\u00e9')).toBe(200);
    expect(await of('\u0430\u043d\u043d\u0430-dev')).toBe(200);
    const { oidc } = rig.config.auth;
    const roles = oidc?.roles;
    if (oidc === undefined || roles === undefined) throw new Error('there is no provider');
    delete oidc.roles;
    try {
      const known = await bearer(await token({ sub: 'anna', groups: ['fin\u0430nce', 'bu\u0308ro', 'b\u00fcro'] }));
      expect(known.json()).toMatchObject({ roles: ['b\u00fcro'] });
    } finally {
      oidc.roles = roles;
    }
  });

  // Promise T22
  test('a bearer token of the identity provider shows a name as one line of what can be seen', async () => {
    const name = ' Anna\u202e\u200b\n\u3000Meier\u2066 ';
    expect((await bearer(await token({ sub: 'anna', name }))).json()).toMatchObject({ name: 'Anna Meier' });
  });

  // Promise T18
  test('a bearer token of the identity provider of another audience, another issuer, another key, or for another use is not taken; keys are as before', async () => {
    const { privateKey: foreign } = await generateKeyPair('RS256');
    const forged = new SignJWT({ sub: 'opal', groups: ['admins'] })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .setIssuer(issuer)
      .setAudience('standfast-api')
      .setExpirationTime('5m')
      .sign(foreign);
    const shared = new SignJWT({ sub: 'opal' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(issuer)
      .setAudience('standfast-api')
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(clientSecret));
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { iss: issuer, aud: 'standfast-api', sub: 'opal', groups: ['admins'], exp: 4_102_444_800 };
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
      await token({ sub: 'anna' }, 'standfast-api', 'at+jwt', 'https://evil.example'),
      await token({ sub: 'anna', ...logoutEvent }),
      await token({ sub: 'two words' }),
      await forged,
      await shared,
    ];
    for (const one of wrong) expect((await bearer(one)).statusCode).toBe(401);
    expect((await bearer(keys.fin)).json()).toMatchObject({ id: 'fin' });
  });
});
