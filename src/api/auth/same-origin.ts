// A browser sends our cookie, and reaches a loopback address, on behalf of any page it shows. What changes something must
// come from our own pages; programs say nothing of a page at all.
import type { FastifyRequest } from 'fastify';
import { HoldpointError } from '../../core/base/errors.ts';

export const isReadMethod = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

/** Which page a request says it comes from; browsers write both headers themselves, pages cannot. */
type RequestOrigin = 'own' | 'foreign' | 'unknown';

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

function originOf({ headers }: FastifyRequest, publicUrl: string): RequestOrigin {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign';
  const { origin, host } = headers;
  if (origin === undefined) return 'unknown';
  const isOwn = origin === new URL(publicUrl).origin || (host !== undefined && hostOf(origin) === host);
  return isOwn ? 'own' : 'foreign';
}

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || /^application\/json\s*(;|$)/i.test(contentType);

/** For callers known by a cookie alone: only our own pages may change anything, and only in JSON. */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (isReadMethod(request.method)) return;
  if (originOf(request, publicUrl) !== 'own') {
    throw new HoldpointError('forbidden', 'a session changes things from our own pages only; programs send a key');
  }
  if (!isJson(request.headers['content-type'])) {
    throw new HoldpointError('input_invalid', 'send JSON: Content-Type: application/json');
  }
}

/** For the caller without keys: programs may, pages of others only where the configuration names their origin. */
export function refuseCrossOrigin(request: FastifyRequest, publicUrl: string, allowedOrigins: readonly string[]): void {
  if (isReadMethod(request.method) || originOf(request, publicUrl) !== 'foreign') return;
  const { origin } = request.headers;
  if (origin !== undefined && allowedOrigins.includes(origin)) return;
  throw new HoldpointError('forbidden', 'a page of another origin may not change anything here');
}
