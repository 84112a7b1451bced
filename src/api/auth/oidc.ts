// Sign-in by an OpenID Connect provider: the authorization code flow with PKCE, bearer tokens and back-channel logout. The
// protocol is openid-client's and jose's; here stands what a person of the provider's is to Holdpoint.
import { createHash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import * as client from 'openid-client';
import type { FastifyBaseLogger } from 'fastify';
import type { Oidc } from '../../contract/config.ts';
import type { Principal } from '../../contract/principal.ts';
import { HoldpointError } from '../../core/base/errors.ts';

/** What one sign-in under way is known by; the browser keeps it until it is back. */
export interface SignInState {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
}

export interface SignedIn {
  principal: Principal;
  subject: string;
  /** The provider's own session, where it names one: its end ends ours. */
  sid: string | null;
}

export interface OidcSignIn {
  begin(returnTo: string): Promise<{ url: string; pending: SignInState }>;
  /** The person who came back by this address; throws `not_authenticated`. */
  finish(address: URL, pending: SignInState): Promise<SignedIn>;
  /** Whom a bearer token is for; throws `not_authenticated`. */
  ofBearer(token: string): Promise<Principal>;
  /** Whose sessions end, by a logout token of the provider’s; throws `input_invalid`. */
  ofLogout(token: string): Promise<{ subject: string | null; sid: string | null }>;
  /** Where the provider ends its own session; null where it has no such address. */
  endSessionUrl(): Promise<string | null>;
}

interface Provider {
  config: client.Configuration;
  keys: JWTVerifyGetKey;
}

interface Deps {
  oidc: Oidc;
  publicUrl: string;
  log: FastifyBaseLogger;
}

export const callbackPath = '/api/login/oidc/callback';
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const userName = /^[^\s:\p{Cc}\p{Cs}]{1,100}$/u;
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** `realm_access.roles`: a claim within a claim. */
function claimAt(claims: JWTPayload, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((part, name) => {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined;
    return (part as Record<string, unknown>)[name];
  }, claims);
}

/** The groups of a person as roles: through the table where there is one, else by their own names. */
function rolesOf({ rolesClaim, roles }: Oidc, claims: JWTPayload): string[] {
  const claim = claimAt(claims, rolesClaim);
  const groups = (Array.isArray(claim) ? claim : [claim]).filter((one) => typeof one === 'string');
  const named = groups.flatMap((group) =>
    roles === undefined ? [group] : Object.hasOwn(roles, group) ? (roles[group] ?? []) : [],
  );
  return [...new Set(named)].filter((role) => userName.test(role));
}

function personOf(oidc: Oidc, claims: JWTPayload): Principal {
  const id = textOf(claimAt(claims, oidc.userClaim));
  if (id === null || !userName.test(id))
    throw new HoldpointError('not_authenticated', `the provider names nobody in its claim ${oidc.userClaim}`);
  const [name, email] = [textOf(claims['name']), textOf(claims['email'])];
  return {
    id,
    roles: rolesOf(oidc, claims),
    isSuper: false,
    ...(name === null ? {} : { name: name.slice(0, 100) }),
    ...(email === null ? {} : { email: email.slice(0, 200) }),
  };
}

export function createOidcSignIn({ oidc, publicUrl, log }: Deps): OidcSignIn {
  const issuer = new URL(oidc.issuer);
  const redirectUri = new URL(callbackPath, publicUrl).href;
  let found: Promise<Provider> | null = null;

  async function discover(): Promise<Provider> {
    // Only on this machine may a provider speak http.
    const isLocal = issuer.protocol === 'http:' && loopback.test(issuer.hostname);
    const execute = isLocal ? [client.allowInsecureRequests] : [];
    const config = await client.discovery(issuer, oidc.clientId, oidc.clientSecret, undefined, { execute });
    const { jwks_uri: jwks } = config.serverMetadata();
    if (jwks === undefined) throw new Error('the provider names no keys (jwks_uri)');
    return { config, keys: createRemoteJWKSet(new URL(jwks)) };
  }

  /** Found once; a provider that is away is asked again the next time. */
  async function provider(): Promise<Provider> {
    found ??= discover();
    try {
      return await found;
    } catch (error) {
      found = null;
      log.warn({ err: error, issuer: oidc.issuer }, 'the identity provider cannot be reached');
      throw new HoldpointError('sign_in_unavailable', 'the identity provider cannot be reached just now', {
        cause: error,
      });
    }
  }

  async function verified(token: string, audience: string): Promise<JWTPayload> {
    const { keys, config } = await provider();
    const { payload } = await jwtVerify(token, keys, {
      issuer: config.serverMetadata().issuer,
      audience,
      // Shared secrets are no keys of the provider’s.
      algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
      requiredClaims: ['exp'],
    });
    return payload;
  }

  return {
    async begin(returnTo) {
      const { config } = await provider();
      const verifier = client.randomPKCECodeVerifier();
      const pending = { state: client.randomState(), nonce: client.randomNonce(), verifier, returnTo };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: oidc.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    },
    async finish(address, { state, nonce, verifier }) {
      const { config } = await provider();
      try {
        const tokens = await client.authorizationCodeGrant(config, address, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('there is no ID token');
        // Groups and names are often told there alone.
        const more =
          config.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
        return { principal: personOf(oidc, { ...claims, ...more }), subject: claims.sub, sid: textOf(claims['sid']) };
      } catch (error) {
        if (error instanceof HoldpointError) throw error;
        log.warn({ err: error }, 'a sign-in at the identity provider failed');
        throw new HoldpointError('not_authenticated', 'the sign-in did not succeed; try again', { cause: error });
      }
    },
    async ofBearer(token) {
      let claims: JWTPayload;
      try {
        claims = await verified(token, oidc.audience ?? oidc.clientId);
      } catch (error) {
        if (error instanceof HoldpointError) throw error;
        throw new HoldpointError('not_authenticated', 'this token is not valid here', { cause: error });
      }
      if (claims['events'] !== undefined) throw new HoldpointError('not_authenticated', 'this token signs nobody in');
      const fingerprint = createHash('sha256').update(token).digest('hex').slice(0, 12);
      return { ...personOf(oidc, claims), credential: `token:${fingerprint}` };
    },
    async ofLogout(token) {
      try {
        const claims = await verified(token, oidc.clientId);
        const events = claims['events'];
        const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent);
        const [subject, sid] = [textOf(claims.sub), textOf(claims['sid'])];
        if (!isLogout || claims['nonce'] !== undefined || (subject === null && sid === null))
          throw new Error('it is no logout token');
        return { subject, sid };
      } catch (error) {
        if (error instanceof HoldpointError) throw error;
        throw new HoldpointError('input_invalid', 'logout_token: is not valid', { cause: error });
      }
    },
    async endSessionUrl() {
      const { config } = await provider();
      if (config.serverMetadata().end_session_endpoint === undefined) return null;
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: new URL('/', publicUrl).href }).href;
    },
  };
}
