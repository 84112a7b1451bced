// A browser sends the session cookie, and reaches loopback, on behalf of any page it shows. Requests that change
// something must come from Standfast's own pages; programs send no origin at all.
import type { FastifyRequest } from 'fastify';
import { StandfastError } from '../../core/base/errors.ts';

const isReadMethod = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

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

/** True for what a page of another origin made the browser send, also where the cookie came along: from another host of the same site. */
export const isFromOtherPage = (request: FastifyRequest, publicUrl: string): boolean =>
  originOf(request, publicUrl) === 'foreign';

/**
 * `page` for an answer of one of Standfast's own pages, else null. With keys a session says so, which no header can claim;
 * without, where everybody is the same person, what a browser writes of itself and no page can.
 */
export function pageSourceOf(request: FastifyRequest, publicUrl: string): 'page' | null {
  if (request.via === 'key') return null;
  return request.via === 'session' || originOf(request, publicUrl) === 'own' ? 'page' : null;
}

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || /^application\/json\s*(;|$)/i.test(contentType);

/** For callers with only a cookie: only Standfast's own pages may change anything, and only in JSON. */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (isReadMethod(request.method)) return;
  if (originOf(request, publicUrl) !== 'own') {
    throw new StandfastError('forbidden', 'a session changes things from our own pages only; programs send a key');
  }
  if (!isJson(request.headers['content-type'])) {
    throw new StandfastError('input_invalid', 'send JSON: Content-Type: application/json');
  }
}

/** Without keys: programs may, and pages of other origins only if the configuration names them. */
export function refuseCrossOrigin(request: FastifyRequest, publicUrl: string, allowedOrigins: readonly string[]): void {
  if (isReadMethod(request.method) || originOf(request, publicUrl) !== 'foreign') return;
  const { origin } = request.headers;
  if (origin !== undefined && allowedOrigins.includes(origin)) return;
  throw new StandfastError('forbidden', 'a page of another origin may not change anything here');
}
