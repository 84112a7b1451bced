// Users named by their mail address, at a real OpenID Connect provider: only an address that the provider has verified names one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Rig } from '../rig.ts';
import { browse, cookieOf, publicUrl, describeOidc, tokensOf } from './oidc-rig.ts';

const email = 'cfo@acme.test';
const unverified = {
  mallory: { email, email_verified: false },
  silent: { email },
  words: { email, email_verified: 'yes' },
};

const { rig, provider } = describeOidc({
  userClaim: 'email',
  mail: { ...unverified, chief: { email, email_verified: true } },
});

interface SignedIn {
  status: number;
  session: string;
  location: unknown;
}

async function signIn(
  login: string,
  { app }: Pick<Rig, 'app'> = rig,
  more: Record<string, string> = {},
): Promise<SignedIn> {
  const begun = await app.inject({ url: '/api/login/oidc' });
  const back = await browse(String(begun.headers.location), login);
  const cookie = cookieOf(begun.headers, 'standfast-sign-in');
  const done = await app.inject({ url: `${back.pathname}${back.search}`, headers: { cookie, ...more } });
  const session = cookieOf(done.headers, 'standfast-session');
  return { status: done.statusCode, session, location: done.headers.location };
}

const byBearer = async (claims: Record<string, unknown>): Promise<number> => {
  const token = await tokensOf(provider())({ sub: 'any', client_id: 'front-end', ...claims });
  const { statusCode } = await rig.app.inject({ url: '/api/me', headers: { authorization: `Bearer ${token}` } });
  return statusCode;
};

describe('a user who is named by the claim email', () => {
  test('a user who is named by the claim email signs in with an address that the provider has verified', async () => {
    const { status, session } = await signIn('chief');
    expect(status).toBe(303);
    const me = await rig.app.inject({ url: '/api/me', headers: { cookie: session, 'sec-fetch-site': 'same-origin' } });
    expect(me.json()).toMatchObject({ id: email });
    expect(await byBearer({ email, email_verified: true })).toBe(200);
  });

  test.each(Object.keys(unverified))(
    'a user who is named by the claim email does not sign in with an address that is not verified: %s',
    async (login) => {
      expect(await signIn(login)).toMatchObject({ status: 401, session: '' });
    },
  );

  test('a user who is named by the claim email reads on the page to sign in at that their address is not verified', async () => {
    const webDir = mkdtempSync(join(tmpdir(), 'standfast-pages-'));
    writeFileSync(join(webDir, 'index.html'), '<!doctype html>');
    const pages = await rig.another({ publicUrl, webDir, config: rig.config });
    try {
      const done = await signIn('mallory', pages, { accept: 'text/html' });
      expect(done).toEqual({ status: 303, session: '', location: '/login?failed=unverified' });
    } finally {
      await pages.close();
      rmSync(webDir, { recursive: true });
    }
  });

  test.each([[false], ['true'], [undefined], [null], [1]])(
    'a user who is named by the claim email is not taken from a bearer token whose email_verified is %p',
    async (verified) => {
      expect(await byBearer({ email, ...(verified === undefined ? {} : { email_verified: verified }) })).toBe(401);
    },
  );
});
