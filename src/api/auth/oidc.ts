// Sign-in by an OpenID Connect provider: the authorization code flow with PKCE, bearer tokens and back-channel logout. The
// protocol is openid-client's and jose's; this file maps the provider's claims to a Standfast user.
import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import * as client from 'openid-client';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../contract/configuration/config.ts';
import type { Oidc } from '../../contract/configuration/auth.ts';
import { isUserName, shownName } from '../../contract/base/text.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { valueAt } from '../../core/base/own-entry.ts';
import { isProgramUser } from '../../core/policy/askers.ts';
import { isLookalike } from '../../core/policy/lookalikes.ts';
import { provedEmail } from '../../core/policy/proved-email.ts';
import { createEgress } from '../../host/net/egress.ts';
import { createOpenFetch } from '../../host/net/guarded-fetch.ts';

/** The state of a sign-in in progress; the browser keeps it until it comes back. */
export interface SignInState {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
}

export interface SignedIn {
  principal: Principal;
  subject: string;
  /** The provider's session, if it names one; its end ends Standfast's. */
  sid: string | null;
}

export interface OidcSignIn {
  begin(returnTo: string): Promise<{ url: string; pending: SignInState }>;
  /** The person who returned to this address; throws `not_authenticated`. */
  finish(address: URL, pending: SignInState): Promise<SignedIn>;
  /** The user of a bearer token, and its expiry; throws `not_authenticated`. */
  ofBearer(token: string): Promise<{ principal: Principal; endsAtMs: number }>;
  /** Whose sessions end, by a logout token of the provider’s; throws `input_invalid`. */
  ofLogout(token: string): Promise<{ subject: string | null; sid: string | null }>;
  /** Where the provider ends its own session; null where it has no such address. */
  endSessionUrl(): Promise<string | null>;
}

/** Why a sign-in did not succeed: the page to sign in at has words for each. */
export type SignInFailure = 'refused' | 'stale' | 'unverified' | 'unknown' | 'failed';

export class SignInError extends StandfastError {
  readonly why: SignInFailure;
  constructor(why: SignInFailure, message: string, cause?: unknown) {
    super('not_authenticated', message, cause === undefined ? {} : { cause });
    this.why = why;
  }
}

interface Provider {
  config: client.Configuration;
  keys: JWTVerifyGetKey;
}

interface Deps {
  oidc: Oidc;
  config: Pick<Config, 'auth' | 'egress' | 'users'>;
  publicUrl: string;
  log: FastifyBaseLogger;
}

export const callbackPath = '/api/login/oidc/callback';
/** Of the provider's answers: metadata, keys, tokens, claims. */
const maxAnswerBytes = 1024 * 1024;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** `realm_access.roles`: a claim within a claim. */
const claimAt = (claims: JWTPayload, path: string): unknown =>
  Object.hasOwn(claims, path) ? claims[path] : valueAt(claims, path.split('.'));

/** The groups of a person as roles: through the table where there is one, else by their own names. */
function rolesOf({ rolesClaim, roles }: Oidc, claims: JWTPayload): string[] {
  const claim = claimAt(claims, rolesClaim);
  const groups = (Array.isArray(claim) ? claim : [claim]).filter((one) => typeof one === 'string');
  const named = groups.flatMap((group) =>
    roles === undefined ? [group] : Object.hasOwn(roles, group) ? (roles[group] ?? []) : [],
  );
  return [...new Set(named)].filter(isUserName);
}

function personOf(oidc: Oidc, config: Pick<Config, 'auth' | 'users'>, claims: JWTPayload): Principal {
  const id = textOf(claimAt(claims, oidc.userClaim));
  if (id === null || !isUserName(id))
    throw new SignInError('unknown', `the provider’s claim ${oidc.userClaim} names no person`);
  // Anybody can enter another's address where the provider does not verify it; silence counts as unverified.
  const proved = provedEmail({ from: 'oidc', claims });
  if (oidc.userClaim === 'email' && proved === null)
    throw new SignInError(
      'unverified',
      'the provider does not say that it has verified this mail address (email_verified)',
    );
  if (isLookalike(config, id))
    throw new SignInError('unknown', `the provider’s name ${id} is written like another one of the configuration`);
  // If a program has the same name, one of them could decide what the other asks.
  if (isProgramUser(config, id))
    throw new SignInError('unknown', `the provider calls somebody ${id}, which is a program’s name here`);
  const [name, email] = [shownName(textOf(claims['name']) ?? ''), proved];
  return {
    id,
    roles: rolesOf(oidc, claims),
    isSuper: false,
    ...(name === '' ? {} : { name: Array.from(name).slice(0, 100).join('') }),
    ...(email === null || shownName(email) !== email ? {} : { email: email.slice(0, 200) }),
  };
}

/**
 * An ID token tells a client who signed in, and opens nothing. Where access tokens have no audience of their own, the type of RFC 9068
 * alone tells the two apart.
 */
function isAccessToken({ audience }: Oidc, { claims, type }: { claims: JWTPayload; type: string }): boolean {
  if (type === 'at+jwt') return true;
  if (type !== 'jwt' || audience === undefined) return false;
  const isNamedOther = /^(id|refresh|logout)$/i.test(String(claims['typ'] ?? claims['token_use'] ?? ''));
  return !isNamedOther && !['nonce', 'at_hash', 'c_hash'].some((name) => claims[name] !== undefined);
}

/**
 * A token that a client got for itself, by what providers tell of it: the client as its subject (RFC 9068, Okta's `cid`, Auth0's
 * `@clients`), the grant, an app's kind (Entra), and of Keycloak's service accounts, whose subject is a UUID, the name and whence they called.
 */
function isClientsOwn(claims: JWTPayload): boolean {
  const [azp, clientNamed, cid, name] = ['azp', 'client_id', 'cid', 'preferred_username'].map((one) =>
    textOf(claims[one])?.toLowerCase(),
  );
  const subject = claims.sub?.toLowerCase();
  const isSubject = [azp, clientNamed, cid].some(
    (one) => one !== undefined && [one, `${one}@clients`].includes(subject ?? ''),
  );
  const isKeycloaks =
    name?.startsWith('service-account-') === true || textOf(claims['clientAddress'] ?? claims['clientHost']) !== null;
  return isSubject || isKeycloaks || claims['gty'] === 'client-credentials' || claims['idtyp'] === 'app';
}

/** A token for several services reaches all of them, and each could send it here: then it counts to whom it was issued. */
function isForUs({ clientId, authorizedParties }: Oidc, { aud, azp, client_id: clientNamed }: JWTPayload): boolean {
  const issuedTo = textOf(azp) ?? textOf(clientNamed);
  if (!Array.isArray(aud) || new Set(aud).size < 2) return true;
  return issuedTo !== null && [clientId, ...authorizedParties].includes(issuedTo);
}

/** What sign-ins need: the configuration, and the provider as it was found. */
interface SignIn extends Deps {
  provider: () => Promise<Provider>;
}

export function createOidcSignIn(deps: Deps): OidcSignIn {
  const signIn: SignIn = { ...deps, provider: foundOnce(deps) };
  return {
    begin: (returnTo) => begin(signIn, returnTo),
    finish: (address, pending) => finish(signIn, address, pending),
    ofBearer: (token) => ofBearer(signIn, token),
    ofLogout: (token) => ofLogout(signIn, token),
    endSessionUrl: () => endSessionUrl(signIn),
  };
}

/** Discovered once; after a failure it is tried again the next time. */
function foundOnce(deps: Deps): () => Promise<Provider> {
  const { oidc, log } = deps;
  let found: Promise<Provider> | null = null;
  return async () => {
    found ??= discover(deps);
    try {
      return await found;
    } catch (error) {
      found = null;
      log.warn({ err: error, issuer: oidc.issuer }, 'the identity provider cannot be reached');
      throw new StandfastError('sign_in_unavailable', 'the identity provider cannot be reached just now', {
        cause: error,
      });
    }
  };
}

async function discover({ oidc, config: { egress } }: Deps): Promise<Provider> {
  const issuer = new URL(oidc.issuer);
  // Its addresses are wherever its metadata says, often with other hosts: egress alone judges them.
  const providerFetch = createOpenFetch(createEgress(egress), maxAnswerBytes);
  // Only on this machine may a provider speak http.
  const isLocal = issuer.protocol === 'http:' && loopback.test(issuer.hostname);
  const execute = isLocal ? [client.allowInsecureRequests] : [];
  const config = await client.discovery(issuer, oidc.clientId, oidc.clientSecret, undefined, {
    execute,
    [client.customFetch]: providerFetch,
  });
  const { jwks_uri: jwks } = config.serverMetadata();
  if (jwks === undefined) throw new Error('the provider names no keys (jwks_uri)');
  return { config, keys: createRemoteJWKSet(new URL(jwks), { [customFetch]: providerFetch }) };
}

async function begin(
  { oidc, publicUrl, provider }: SignIn,
  returnTo: string,
): Promise<{ url: string; pending: SignInState }> {
  const { config } = await provider();
  const verifier = client.randomPKCECodeVerifier();
  const pending = { state: client.randomState(), nonce: client.randomNonce(), verifier, returnTo };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: new URL(callbackPath, publicUrl).href,
    scope: oidc.scopes,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, pending };
}

async function finish(
  { oidc, config: configuration, log, provider }: SignIn,
  address: URL,
  { state, nonce, verifier }: SignInState,
): Promise<SignedIn> {
  if (address.searchParams.get('state') !== state) throw new SignInError('stale', 'this is another sign-in’s answer');
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
    // Groups and names are often returned there alone.
    const more =
      config.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
    const principal = personOf(oidc, configuration, { ...claims, ...more });
    return { principal, subject: claims.sub, sid: textOf(claims['sid']) };
  } catch (error) {
    if (error instanceof StandfastError) throw error;
    log.warn({ err: error }, 'a sign-in at the identity provider failed');
    const isRefused = error instanceof client.AuthorizationResponseError && error.error === 'access_denied';
    throw new SignInError(isRefused ? 'refused' : 'failed', 'the sign-in did not succeed; try again', error);
  }
}

async function verified(
  { provider }: SignIn,
  token: string,
  audience: string,
): Promise<{ claims: JWTPayload; type: string }> {
  const { keys, config } = await provider();
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: config.serverMetadata().issuer,
    audience,
    // Symmetric keys are not accepted.
    algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
    requiredClaims: ['exp'],
  });
  return { claims: payload, type: (protectedHeader.typ ?? 'jwt').toLowerCase().replace(/^application\//, '') };
}

async function ofBearer(signIn: SignIn, token: string): Promise<{ principal: Principal; endsAtMs: number }> {
  const { oidc, config } = signIn;
  let claims: JWTPayload;
  try {
    const bearer = await verified(signIn, token, oidc.audience ?? oidc.clientId);
    if (!isAccessToken(oidc, bearer)) throw new Error('it is not an access token');
    ({ claims } = bearer);
    if (isClientsOwn(claims) || !isForUs(oidc, claims))
      throw new Error('it was issued to a client that is not known here, or to no person');
  } catch (error) {
    if (error instanceof StandfastError) throw error;
    throw new StandfastError('not_authenticated', 'this token is not valid here', { cause: error });
  }
  if (claims['events'] !== undefined) throw new StandfastError('not_authenticated', 'this token is to sign out');
  const fingerprint = createHash('sha256').update(token).digest('hex').slice(0, 12);
  return {
    principal: { ...personOf(oidc, config, claims), credential: `token:${fingerprint}` },
    endsAtMs: (claims.exp ?? 0) * 1000,
  };
}

async function ofLogout(signIn: SignIn, token: string): Promise<{ subject: string | null; sid: string | null }> {
  try {
    const { claims } = await verified(signIn, token, signIn.oidc.clientId);
    const events = claims['events'];
    const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent);
    const [subject, sid] = [textOf(claims.sub), textOf(claims['sid'])];
    if (!isLogout || claims['nonce'] !== undefined || (subject === null && sid === null))
      throw new Error('it is not a logout token');
    return { subject, sid };
  } catch (error) {
    if (error instanceof StandfastError) throw error;
    throw new StandfastError('input_invalid', 'logout_token: is not valid', { cause: error });
  }
}

async function endSessionUrl({ publicUrl, provider }: SignIn): Promise<string | null> {
  const { config } = await provider();
  if (config.serverMetadata().end_session_endpoint === undefined) return null;
  return client.buildEndSessionUrl(config, { post_logout_redirect_uri: new URL('/', publicUrl).href }).href;
}
