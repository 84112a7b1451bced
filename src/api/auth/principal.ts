// Who is calling: by a key, by a session cookie, or the local caller on loopback. Every route declares who may call it;
// a route that does not is a programming error and fails at boot.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../contract/configuration/config.ts';
import type { Me } from '../../contract/views/inbox.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isOperator, ownsThread } from '../../core/policy/audience.ts';
import { principalNow } from '../../core/policy/delegates.ts';
import { StandfastError } from '../../core/base/errors.ts';
import type { KeyRing, KnownKey } from './keys.ts';
import type { FailedKeys } from './login-limit.ts';
import type { OidcSignIn } from './oidc.ts';
import { actingPrincipal } from './on-behalf-of.ts';
import { refuseCrossOrigin, requireSameOrigin } from './same-origin.ts';
import { sessionCredential, type Session, type Sessions } from './sessions.ts';

/**
 * `public`: anybody · `optional`: anybody, and known by a key that is sent · `caller`: a known caller · `operator`:
 * operators only · `metrics`: operators, and keys of kind `metrics`, which nothing else takes.
 */
export type Access = 'public' | 'optional' | 'caller' | 'operator' | 'metrics';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    principal: Principal;
    via: Me['via'];
    session: Session | null;
    knownKey: KnownKey | null;
    tokenEndsAtMs: number | null;
  }
}

/** Without keys there is one caller, on loopback only (the cli refuses any other address). */
export const localPrincipal: Principal = { id: 'local', roles: [], isSuper: true };
const anonymous: Principal = { id: 'nobody', roles: [], isSuper: false };

/** Reads the Authorization header; null for a key that is not known; throws `not_authenticated`. */
export function keyOf(keys: KeyRing, authorization: string): KnownKey | null {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw new StandfastError('not_authenticated', 'send a key: Authorization: Bearer <key>');
  return keys.byKey(token);
}

const loopbackName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Without keys a web page must not reach the api by a host name that resolves to loopback (DNS rebinding). */
export function refuseUnknownHost(request: FastifyRequest, ownHost: string): void {
  const host = request.headers.host ?? '';
  if (loopbackName.test(host) || host === ownHost) return;
  throw new StandfastError('forbidden', 'without API keys Standfast answers on loopback names only');
}

interface GuardDeps {
  config: Config;
  publicUrl: string;
  now: () => Date;
  keys: KeyRing;
  sessions: Sessions;
  failedKeys: FailedKeys;
  oidc: OidcSignIn | null;
}

export function guardRoutes(app: FastifyInstance, deps: GuardDeps): void {
  const { config, publicUrl, now, keys, sessions, failedKeys, oidc } = deps;
  const ownHost = new URL(publicUrl).host;
  const allowedOrigins = config.server.cors?.origins ?? [];
  const declared: { url: string; config?: { access?: Access } }[] = [];

  /** Access tokens of the identity provider, if they are accepted. */
  async function ofToken(request: FastifyRequest, authorization: string): Promise<Principal | null> {
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i.exec(authorization)?.[1];
    if (token === undefined || oidc === null || config.auth.oidc?.allowBearer !== true) return null;
    try {
      const { principal, endsAtMs } = await oidc.ofBearer(token);
      request.tokenEndsAtMs = endsAtMs;
      return principal;
    } catch (error) {
      if (error instanceof StandfastError && error.code === 'not_authenticated') return null;
      throw error;
    }
  }

  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { authorization } = request.headers;
    if (keys.isEmpty) {
      refuseUnknownHost(request, ownHost);
      refuseCrossOrigin(request, publicUrl, allowedOrigins);
      request.principal = actingPrincipal(config, request, localPrincipal);
    } else if (authorization !== undefined) {
      request.knownKey = keyOf(keys, authorization);
      const known = request.knownKey?.principal ?? (await ofToken(request, authorization));
      if (known === null) return failedKeys.refuse(request, reply, 'bearer');
      request.via = 'key';
      request.principal = principalNow(config, actingPrincipal(config, request, known), now());
    } else {
      const session = await sessions.find(request.cookies);
      if (session === null) {
        throw new StandfastError('not_authenticated', 'send a key (Authorization: Bearer <key>), or sign in');
      }
      requireSameOrigin(request, publicUrl);
      const known = { ...session.principal, credential: sessionCredential(session.tokenHash) };
      request.principal = principalNow(config, actingPrincipal(config, request, known), now());
      request.via = 'session';
      request.session = await sessions.slide(reply, session, request.cookies);
    }
  }

  app.decorateRequest('principal');
  app.decorateRequest('via', 'none');
  app.decorateRequest('session', null);
  app.decorateRequest('knownKey', null);
  app.decorateRequest('tokenEndsAtMs', null);
  app.addHook('onRoute', (route) => void declared.push(route));
  app.addHook('onReady', async () => {
    const silent = declared.find((route) => route.config?.access === undefined);
    if (silent !== undefined) throw new Error(`the route ${silent.url} does not declare who may call it`);
  });
  app.addHook('onRequest', async (request, reply) => {
    request.principal = anonymous;
    const access = request.routeOptions.config.access ?? (request.is404 ? 'public' : 'operator');
    if (access === 'public') return;
    if (access === 'optional' && request.headers.authorization === undefined) {
      if (keys.isEmpty) request.principal = localPrincipal;
      return;
    }
    // What one caller may see no cache keeps for the next: without this header some proxies keep tables (`.csv`).
    void reply.header('cache-control', 'private, no-store');
    await authenticate(request, reply);
    const isScraper = request.principal.kind === 'metrics';
    if (isScraper && access !== 'metrics')
      throw new StandfastError('forbidden', 'a key of kind metrics reads /metrics alone');
    if ((access === 'operator' || (access === 'metrics' && !isScraper)) && !isOperator(request.principal)) {
      throw new StandfastError('forbidden', 'only operators may do this');
    }
  });
}

/** What a caller may not see does not exist for them: a refusal would reveal it. */
export function hideFromStranger(principal: Principal, owner: string, what: string): void {
  if (ownsThread(principal, owner)) return;
  throw new StandfastError('not_found', `there is no ${what}`);
}

/** A thread, and all on it, is seen by who opened it; operators see everything. */
export function refuseStranger(principal: Principal, owner: string): void {
  if (ownsThread(principal, owner)) return;
  throw new StandfastError('forbidden', 'this belongs to somebody else');
}

/** Only who opened a thread writes on it; the keyless caller owns everything. */
export function refuseThreadOfOthers(principal: Principal, owner: string, what: string): void {
  if (principal.isSuper || principal.id === owner) return;
  // An operator sees it, and writes on no thread of others; for anybody else it is not there.
  if (isOperator(principal)) throw new StandfastError('forbidden', 'this thread belongs to somebody else');
  throw new StandfastError('not_found', `there is no ${what}`);
}
