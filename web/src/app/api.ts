// All requests of the pages: JSON out, JSON or a problem (RFC 9457) back, never a page of its own making.
import { tellDateHeader } from './clock.ts';

export { serverNow } from './clock.ts';

export interface FieldError {
  path: string;
  message: string;
}

interface Refused {
  code: string;
  status: number;
  detail: string;
  errors?: FieldError[];
  data: Record<string, unknown>;
  requestId: string | null;
  retryAfterMs: number | null;
}

/** A request that brought no result: by the server's word (`code`), or `network` with status 0. */
export class ApiError extends Error {
  readonly code: string;
  /** 0: no answer came. */
  readonly status: number;
  readonly detail: string;
  readonly errors?: FieldError[];
  /** The whole problem, with what it says beside its code (`ended`, `supersededBy`, …). */
  readonly data: Record<string, unknown>;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor(refused: Refused) {
    super(`${refused.code}: ${refused.detail}`);
    this.name = 'ApiError';
    this.code = refused.code;
    this.status = refused.status;
    this.detail = refused.detail;
    if (refused.errors !== undefined) this.errors = refused.errors;
    this.data = refused.data;
    this.requestId = refused.requestId;
    this.retryAfterMs = refused.retryAfterMs;
  }
}

const signedOut = new Set<() => void>();

/** Told whenever the server no longer knows who is calling. */
export function onSignedOut(cb: () => void): () => void {
  signedOut.add(cb);
  return () => void signedOut.delete(cb);
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

function fieldErrors(value: unknown): FieldError[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isRecord).map((one) => ({ path: textOr(one['path'], ''), message: textOr(one['message'], '') }));
}

/** `Retry-After` in seconds or as a date. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

async function problemOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = null;
  }
  const data = isRecord(body) ? body : {};
  const errors = fieldErrors(data['errors']);
  return new ApiError({
    code: textOr(data['code'], response.status === 404 ? 'not_found' : 'internal'),
    status: response.status,
    detail: textOr(data['detail'], textOr(data['title'], '')),
    ...(errors === undefined ? {} : { errors }),
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
    // An abort is the caller's own wish, and stays what it is.
    if (init.signal?.aborted === true) throw error;
    throw new ApiError({ code: 'network', status: 0, detail: '', data: {}, requestId: null, retryAfterMs: null });
  }
  tellDateHeader(response.headers.get('date'), sentAt);
  if (!response.ok) {
    const problem = await problemOf(response);
    if (problem.status === 401) for (const cb of signedOut) cb();
    throw problem;
  }
  if (response.status === 204) return bodyless<T>();
  try {
    return asAnswer<T>(await response.json());
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    // The answer broke off on its way: as uncertain as no answer.
    throw new ApiError({ code: 'network', status: 0, detail: '', data: {}, requestId: null, retryAfterMs: null });
  }
}

/** The server checks what it sends against the same schemas, so the page does not parse it once more. */
const asAnswer = <T>(value: unknown): T => value as T;
const bodyless = <T>(): T => undefined as T;

export function get<T>(path: string, opts: { signal?: AbortSignal } = {}): Promise<T> {
  return request<T>(path, { headers: { accept: 'application/json' }, ...opts });
}

export function send<T>(
  method: 'POST' | 'PUT' | 'DELETE' | 'PATCH',
  path: string,
  body?: unknown,
  opts: { idempotencyKey?: string; signal?: AbortSignal } = {},
): Promise<T> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (opts.idempotencyKey !== undefined) headers['idempotency-key'] = opts.idempotencyKey;
  return request<T>(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(opts.signal === undefined ? {} : { signal: opts.signal }),
  });
}
