// A bound on how often one caller may change things. Reading is never counted: a stream that comes back after a broken
// connection must not be refused for coming back.
import { fastifyRateLimit } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../contract/configuration/config.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { StandfastError } from '../../core/base/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Not a known person's doing: an agent that streams may notify us of every word, and strangers could keep each other from signing in. */
    isUncounted?: true;
  }
}

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A program has one count, whomever it names: names are free, so a count for each would bound nothing. */
const countedAs = ({ id, kind, actor, credential }: Principal): string =>
  kind === 'backend' || actor !== undefined ? (credential ?? actor ?? id) : id;

/** Counts by principal, each process for itself. Without keys there is one caller, on this machine. */
export async function limitChanges(app: FastifyInstance, config: Config): Promise<void> {
  const { max, per } = config.server.rateLimit;
  if (max === 0 || (config.auth.keys.length === 0 && config.auth.oidc === undefined)) return;
  await app.register(fastifyRateLimit, {
    global: false,
    max,
    timeWindow: durationMs(per),
    cache: 10_000,
    keyGenerator: ({ principal }) => countedAs(principal),
    errorResponseBuilder: (_request, { max: allowed, ttl }) => {
      const seconds = Math.max(1, Math.ceil(ttl / 1000));
      return new StandfastError(
        'rate_limited',
        `at most ${allowed} requests in ${per} may change things; again in ${seconds} s`,
      );
    },
  });
  // One count for all routes, which a limit named at each route would not be.
  const count = app.rateLimit();
  app.addHook('onRequest', async (request, reply) => {
    if (!reading.has(request.method) && request.routeOptions.config.isUncounted !== true)
      await count.call(app, request, reply);
  });
}
