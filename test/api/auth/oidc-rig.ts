// An api whose people sign in at a real identity provider, and tokens of that provider's making.
import { afterAll } from '@jest/globals';
import { SignJWT } from 'jose';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type IdentityProvider,
  type MailClaims,
} from '../../rigs/pages/identity-provider.ts';
import { describeApi, type ApiOptions, type DescribedApi } from '../describe-api.ts';
import { keyConfig } from '../rig.ts';

export const publicUrl = 'http://127.0.0.1:8600';

/** The claim that makes a token one of a sign-out. */
export const logoutEvent = { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } };

const groups = { anna: ['fin-team', 'everybody'], opal: ['admins'] };

interface Options {
  userClaim?: string;
  /** The addresses of people, and whether the provider has verified them. */
  mail?: Record<string, MailClaims>;
}

interface Oidc {
  rig: DescribedApi;
  /** Once the tests run. */
  provider: () => IdentityProvider;
}

export function describeOidc({ userClaim, mail }: Options = {}): Oidc {
  let provider: IdentityProvider | null = null;
  const started = (): IdentityProvider => {
    if (provider === null) throw new Error('the provider is there once the tests run');
    return provider;
  };
  const rig = describeApi(async () => {
    provider = await startIdentityProvider({ publicUrl, groups, ...(mail === undefined ? {} : { mail }) });
    return optionsOf(provider, userClaim);
  });
  afterAll(() => provider?.stop());
  return { rig, provider: started };
}

const optionsOf = ({ issuer }: IdentityProvider, userClaim: string | undefined): ApiOptions => ({
  publicUrl,
  config: {
    auth: {
      keys: [
        ...keyConfig,
        { user: 'bot', kind: 'agent', key: 'the-bot-has-a-key-of-its-own-00001' },
        { user: 'shop', kind: 'backend', key: 'the-shop-has-a-key-of-its-own-0001' },
      ],
      maxIdle: '1h',
      oidc: {
        issuer,
        ...(userClaim === undefined ? {} : { userClaim }),
        clientId,
        clientSecret,
        maxSession: '2h',
        allowBearer: true,
        audience: 'standfast-api',
        authorizedParties: ['front-end'],
        roles: { 'fin-team': ['finance'], admins: ['operator'] },
      },
    },
  },
});

/** A token of the provider’s own making, signed by its key. */
export const tokensOf =
  ({ issuer, privateKey }: IdentityProvider) =>
  (
    claims: Record<string, unknown>,
    audience: string | string[] = 'standfast-api',
    typ = 'at+jwt',
    from = issuer,
  ): Promise<string> =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', typ })
      .setIssuer(from)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m')
      .setJti('j1')
      .sign(privateKey);

/** A browser as far as redirects, cookies and the provider’s own two forms go. */
export async function browse(start: string, login: string): Promise<URL> {
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

export const cookieOf = (headers: Record<string, unknown>, name: string): string => {
  const all = [headers['set-cookie']].flat().map(String);
  return all.find((one) => one.startsWith(`${name}=`))?.split(';', 1)[0] ?? '';
};
