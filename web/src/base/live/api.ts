// All requests of the pages: JSON out, JSON or a problem (RFC 9457) back, never a page of its own making.
import { takeDateHeader } from '../time/clock.ts';
import { ApiError, type FieldError } from './api-error.ts';
import { createListeners } from './listeners.ts';
import { createReadAhead } from './read-ahead.ts';
import { watchSend } from './slow-sends.ts';

export { ApiError } from './api-error.ts';
export { serverNow } from '../time/clock.ts';

const signedOut = createListeners<[]>();

/** Called whenever the server no longer knows who is calling. */
export const onSignedOut = signedOut.add;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

function fieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((one) => ({ path: textOr(one['path'], ''), message: textOr(one['message'], '') }));
}

/** `Retry-After` in seconds or as a date. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** What a refusal says, also where it is not a problem of the api’s own, and whether the page is signed out. */
export async function problemOf(response: Response): Promise<ApiError> {
  if (response.status === 401) signedOut.emit();
  const body: unknown = await response.json().catch(() => null);
  const data = isRecord(body) ? body : {};
  return new ApiError({
    code: textOr(data['code'], response.status === 404 ? 'not_found' : 'internal'),
    status: response.status,
    detail: textOr(data['detail'], textOr(data['title'], '')),
    errors: fieldErrors(data['errors']),
    data,
    requestId: textOr(data['requestId'], response.headers.get('x-request-id') ?? '') || null,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), Date.now()),
  });
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  const sentAt = Date.now();
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init });
  } catch (error) {
    // An abort is the caller's own choice, and stays what it is.
    if (init.signal?.aborted === true) throw error;
    throw new ApiError({ code: 'network', status: 0 });
  }
  takeDateHeader(response.headers.get('date'), sentAt);
  if (!response.ok) {
    const problem = await problemOf(response);
    throw problem;
  }
  try {
    return asAnswer<T>(response.status === 204 ? undefined : await response.json());
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    // The answer broke off on its way: as uncertain as no answer.
    throw new ApiError({ code: 'network', status: 0 });
  }
}

/** The server checks what it sends against the same schemas, so the page does not parse it once more. */
const asAnswer = <T>(value: unknown): T => value as T;

export const holdApi = (id: string, part = ''): string => `/api/holds/${encodeURIComponent(id)}${part}`;
export const taskApi = (id: string, part = ''): string => `/api/tasks/${encodeURIComponent(id)}${part}`;

export function get<T>(path: string, opts: { signal?: AbortSignal } = {}): Promise<T> {
  return request<T>(path, { headers: { accept: 'application/json' }, ...opts });
}

const readBefore = createReadAhead(get);
export const { read: readAhead, drop: dropAhead, shown: shownAhead } = readBefore;
export const peekAhead = <T>(path: string): T | null => asAnswer(readBefore.peek(path));

export function send<T>(
  method: 'POST' | 'PUT' | 'DELETE' | 'PATCH',
  path: string,
  body?: unknown,
  opts: { idempotencyKey?: string; signal?: AbortSignal } = {},
): Promise<T> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (opts.idempotencyKey !== undefined) headers['idempotency-key'] = opts.idempotencyKey;
  const end = watchSend();
  return request<T>(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(opts.signal === undefined ? {} : { signal: opts.signal }),
  }).finally(end);
}
