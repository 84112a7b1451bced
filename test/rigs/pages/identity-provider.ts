// A real identity provider on a socket of this machine: the certified `oidc-provider`, with pages of its own to sign in at.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { exportJWK, generateKeyPair, type CryptoKey } from 'jose';

export const clientId = 'standfast';
export const clientSecret = 'a-secret-of-the-provider-and-us-0001';

export interface IdentityProvider {
  issuer: string;
  /** By which it signs, with the key id `k1`. */
  privateKey: CryptoKey;
  stop(): void;
}

/** What the provider says of a person's address. */
export interface MailClaims {
  email: string;
  /** Missing: the provider says nothing about it. */
  email_verified?: boolean | string;
}

interface Options {
  publicUrl: string;
  /** The groups of each person; everybody can sign in, by any password. */
  groups: Record<string, string[]>;
  /** Missing for a person: their name at example.com, without email_verified. */
  mail?: Record<string, MailClaims>;
  /** As browsers call it: of another name than Standfast it is another site, as in the world. */
  host?: string;
}

export async function startIdentityProvider(options: Options): Promise<IdentityProvider> {
  const { publicUrl, groups, mail = {}, host = '127.0.0.1' } = options;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'k1', use: 'sig', alg: 'RS256' };
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/api/login/oidc/callback`],
        post_logout_redirect_uris: [`${publicUrl}/`],
        backchannel_logout_uri: `${publicUrl}/api/logout/oidc/backchannel`,
      },
    ],
    claims: { openid: ['sub', 'sid'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a-key-of-the-provider'] },
    features: { backchannelLogout: { enabled: true } },
    pkce: { required: () => true },
    // Its own dispatcher reaches no address of this machine, where what it signs out of is.
    fetch: (url: string | URL | Request, init: RequestInit & { dispatcher?: unknown } = {}) => {
      const { dispatcher: _guarded, ...plain } = init;
      return fetch(url, plain);
    },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: `${id} of the directory`,
        email: `${id}@example.com`,
        groups: groups[id] ?? [],
        ...mail[id],
      }),
    }),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  return {
    issuer,
    privateKey,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
