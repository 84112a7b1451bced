// Counts unknown keys by address, in the login form and as bearers, and limits them.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StandfastError } from '../../core/base/errors.ts';
import type { PrometheusMetrics } from '../http/prometheus.ts';

/** Counts and refuses unknown keys. */
export interface FailedKeys {
  /** Throws `not_authenticated`, or `rate_limited` for an address that has tried too many. */
  refuse(request: FastifyRequest, reply: FastifyReply, how: 'bearer' | 'login'): never;
}

interface LoginLimit {
  /** Seconds to wait before the next try; 0: now. */
  waitS(address: string): number;
  failed(address: string): void;
}

const maxFailures = 20;
const windowMs = 60_000;
/** Number of addresses kept; the oldest is dropped first. */
const maxAddresses = 10_000;

function createLoginLimit(now: () => Date): LoginLimit {
  const counts = new Map<string, { failures: number; untilMs: number }>();
  const countOf = (address: string): { failures: number; untilMs: number } | undefined => {
    const count = counts.get(address);
    return count !== undefined && count.untilMs > now().getTime() ? count : undefined;
  };
  return {
    waitS(address) {
      const count = countOf(address);
      if (count === undefined || count.failures < maxFailures) return 0;
      return Math.max(1, Math.ceil((count.untilMs - now().getTime()) / 1000));
    },
    failed(address) {
      const count = countOf(address);
      const [oldest] = counts.keys();
      if (count === undefined && counts.size >= maxAddresses && oldest !== undefined) counts.delete(oldest);
      counts.delete(address);
      counts.set(address, {
        failures: (count?.failures ?? 0) + 1,
        untilMs: count?.untilMs ?? now().getTime() + windowMs,
      });
    },
  };
}

export function createFailedKeys(now: () => Date, metrics: Pick<PrometheusMetrics, 'refusedKeys'>): FailedKeys {
  const limit = createLoginLimit(now);
  // Prometheus cannot see a counter rise that it first reads at 1.
  for (const how of ['bearer', 'login']) metrics.refusedKeys.inc({ given_as: how, result: 'limited' }, 0);
  return {
    refuse(request, reply, how) {
      const { ip } = request;
      const waitS = limit.waitS(ip);
      metrics.refusedKeys.inc({ given_as: how, result: waitS > 0 ? 'limited' : 'unknown' });
      if (waitS > 0) {
        void reply.header('retry-after', String(waitS));
        throw new StandfastError('rate_limited', `too many keys that are not known; again in ${waitS} s`);
      }
      limit.failed(ip);
      if (limit.waitS(ip) > 0) request.log.warn({ ip, how }, 'an address tries keys that are not known');
      else request.log.info({ ip, how }, 'a key was refused');
      throw new StandfastError('not_authenticated', 'this key is not known');
    },
  };
}
