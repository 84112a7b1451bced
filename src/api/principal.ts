// Who is calling. Every route declares who may: a route that does not is a programming error and fails at boot.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../contract/config.ts';
import type { Principal } from '../contract/principal.ts';
import { isOperator } from '../core/audience.ts';
import { HoldpointError } from '../core/errors.ts';

/** `public`: anybody · `caller`: whoever is known · `operator`: operators only. */
export type Access = 'public' | 'caller' | 'operator';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    principal: Principal;
  }
}

/** Without keys there is one caller, on loopback only (the cli refuses any other address). */
export const localPrincipal: Principal = { id: 'local', roles: [], isSuper: true };
const nobody: Principal = { id: 'nobody', roles: [], isSuper: false };

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Reads the Authorization header; throws `not_authenticated`. */
export function createAuthenticator(config: Config): (authorization: string | undefined) => Principal {
  const known = config.auth.keys.map(({ user, roles, key, keySha256 }) => ({
    hash: key === undefined ? Buffer.from(keySha256 ?? '', 'hex') : sha256(key),
    principal: { id: user, roles, isSuper: false } satisfies Principal,
  }));
  if (known.length === 0) return () => localPrincipal;
  return (authorization) => {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) {
      throw new HoldpointError('not_authenticated', 'send a key: Authorization: Bearer <key>');
    }
    const hash = sha256(token);
    // All keys are compared, each in constant time: how long it takes says nothing about which one was near.
    const matching = known.filter((one) => one.hash.length === hash.length && timingSafeEqual(one.hash, hash));
    const found = matching[0];
    if (found === undefined) throw new HoldpointError('not_authenticated', 'this key is not known');
    return found.principal;
  };
}

const loopbackName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Without keys a web page must not reach us by a name of its own that resolves to loopback. */
function refuseForeignHost(request: FastifyRequest, ownHost: string): void {
  const host = request.headers.host ?? '';
  if (loopbackName.test(host) || host === ownHost) return;
  throw new HoldpointError('forbidden', 'without API keys Holdpoint answers on loopback names only');
}

export function guardRoutes(app: FastifyInstance, config: Config, publicUrl: string): void {
  const authenticate = createAuthenticator(config);
  const isKeyless = config.auth.keys.length === 0;
  const ownHost = new URL(publicUrl).host;
  const declared: { url: string; config?: { access?: Access } }[] = [];
  app.decorateRequest('principal');
  app.addHook('onRoute', (route) => void declared.push(route));
  app.addHook('onReady', async () => {
    const silent = declared.find((route) => route.config?.access === undefined);
    if (silent !== undefined) throw new Error(`the route ${silent.url} does not declare who may call it`);
  });
  app.addHook('onRequest', async (request) => {
    request.principal = nobody;
    const access = request.routeOptions.config.access ?? (request.is404 ? 'public' : 'operator');
    if (access === 'public') return;
    if (isKeyless) refuseForeignHost(request, ownHost);
    request.principal = authenticate(request.headers.authorization);
    if (access === 'operator' && !isOperator(request.principal)) {
      throw new HoldpointError('forbidden', 'only operators may do this');
    }
  });
}

/** A thread, and all on it, belongs to who opened it; operators see everything. */
export function refuseStranger(principal: Principal, owner: string): void {
  if (principal.id === owner || isOperator(principal)) return;
  throw new HoldpointError('forbidden', 'this belongs to somebody else');
}
