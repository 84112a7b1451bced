import { Agent, buildConnector, fetch as undiciFetch, type Response as UndiciResponse } from 'undici';
import { type Egress, PolicyError } from './egress.ts';
import { parseJson } from '../../core/base/json.ts';

/*
 * All outgoing HTTP: only to configured origins, also after redirects, and only to addresses that egress allows. Bodies
 * are limited, except requested event streams; time is limited by the caller's signal only.
 */

export interface GuardedFetchOptions {
  /** URLs whose origins may be called. */
  allowedOrigins: string[];
  egress: Egress;
  /** Sent with every request, except to another origin after a redirect; the caller's headers take precedence. */
  headers: Record<string, string>;
  /** Maximum size of a response body, except of an event stream. */
  maxBytes: number;
  /** Return responses of 400 and above, limited to 64 KiB, instead of throwing HttpStatusError. */
  passesErrors?: boolean;
  /** Connections are used again: only for requests that may be sent twice, since one that ends is sent once more. */
  keepsConnections?: boolean;
}

/** An HTTP error response whose body is not a protocol error. */
export class HttpStatusError extends Error {
  override name = 'HttpStatusError';
  readonly status: number;
  readonly retryAfterMs: number | null;
  /** A proxy lost the connection after it had forwarded the request, which may have been processed. */
  readonly wasCutUpstream: boolean;
  /** What was answered, as far as it was read; some servers say there what they are. */
  readonly body: string;
  constructor(status: number, retryAfterMs: number | null, wasCutUpstream: boolean, body = '') {
    super(`the agent answered HTTP ${status}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.wasCutUpstream = wasCutUpstream;
    this.body = body;
  }
}

export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError';
}

const maxRedirects = 3;
const maxErrorBodyBytes = 64 * 1024;
const maxRetryAfterMs = 24 * 60 * 60 * 1000;
const connectTimeoutMs = 10_000;
/** What the other side says is honoured up to this; where it says nothing, 4 s is undici's default. */
const maxIdleMs = 30_000;

/** Creates the `fetch` for one agent. Throws PolicyError, HttpStatusError, and what undici throws. */
export function createGuardedFetch(options: GuardedFetchOptions): typeof fetch {
  const origins = new Set(options.allowedOrigins.map((address) => new URL(address).origin));
  // An idle connection may close during a send, which leaves delivery unknown.
  const fresh = dispatcherFor(options.egress, 'one request');
  const kept = options.keepsConnections === true ? dispatcherFor(options.egress, 'many requests') : null;

  const sendBy = (dispatcher: Agent, url: URL, request: Outgoing): Promise<UndiciResponse> =>
    undiciFetch(url, { ...request, redirect: 'manual', dispatcher });

  const send = async (url: URL, request: Outgoing): Promise<UndiciResponse> => {
    try {
      if (kept === null) return await sendBy(fresh, url, request);
      return await sendBy(kept, url, request).catch((error: unknown) => {
        if (request.signal?.aborted === true || !isCutConnection(error)) throw error;
        return sendBy(fresh, url, request);
      });
    } catch (error) {
      throw policyErrorIn(error) ?? error;
    }
  };

  return async (input, init = {}) => {
    let request = outgoing(options.headers, init);
    let url = allowed(addressOf(input), origins, false);
    options.egress.check(url.hostname);
    for (let redirects = 0; ; redirects += 1) {
      const response = await send(url, request);
      const target = redirectTarget(response, url);
      if (target === null) return finish(response, request, options);
      await response.body?.cancel();
      if (redirects === maxRedirects)
        throw new PolicyError('the agent redirects too often', !isUntaken(response.status));
      refuseLostBody(response.status, request.method);
      const isElsewhere = target.origin !== url.origin;
      url = allowed(target, origins, true);
      options.egress.check(url.hostname);
      if (isElsewhere) request = withoutCredentials(request, options.headers);
    }
  };
}

const dispatcherFor = ({ lookup }: Egress, connectionIsFor: 'one request' | 'many requests'): Agent =>
  new Agent({
    // 0 = no limit, since streams may be idle for days and every caller passes a signal.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { lookup, timeout: connectTimeoutMs },
    // 0 = a connection ends with its request.
    pipelining: connectionIsFor === 'one request' ? 0 : 1,
    // What keeps state on the way drops idle connections, and says nothing.
    keepAliveMaxTimeout: maxIdleMs,
  });

/** Connections of a library's own, such as a WebSocket: to any host, at addresses that egress allows. */
export function createGuardedDispatcher(egress: Egress): Agent {
  // A WebSocket needs a connection of its own, which HTTP/2 would share.
  const connect = buildConnector({ lookup: egress.lookup, timeout: connectTimeoutMs, allowH2: false });
  return new Agent({
    connect(options, callback) {
      try {
        // A literal address is never resolved.
        egress.check(options.hostname.replace(/^\[|\]$/g, ''));
      } catch (error) {
        callback(error instanceof Error ? error : new PolicyError(String(error)), null);
        return;
      }
      connect(options, callback);
    },
  });
}

/** The options that libraries pass to a custom `fetch`. */
interface PlainRequest {
  method?: string;
  headers?: NonNullable<RequestInit['headers']>;
  body?: unknown;
  signal?: AbortSignal | null | undefined;
}

/** Creates a `fetch` to any origin that egress allows; redirects must stay on it. Error responses are returned. */
export function createOpenFetch(
  egress: Egress,
  maxBytes: number,
): (url: string, request: PlainRequest) => Promise<Response> {
  return async (url, { method = 'GET', headers = {}, body, signal = null }) => {
    const send = createGuardedFetch({ allowedOrigins: [url], egress, headers: {}, maxBytes, passesErrors: true });
    const text = body instanceof URLSearchParams ? body.toString() : body;
    if (text !== undefined && text !== null && typeof text !== 'string') throw new TypeError('only text can be sent');
    return send(url, { method, headers, signal, body: text ?? null });
  };
}

/** Calls `watch` with the size of every chunk of the body; an error that it throws fails the body. */
export function watchBody(response: Response | UndiciResponse, watch: (bytes: number) => void): Response {
  const head = { status: response.status, statusText: response.statusText, headers: [...response.headers] };
  if (response.body === null) return new Response(null, head);
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller): Promise<void> {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            return;
          }
          watch(value.byteLength);
          controller.enqueue(value);
        } catch (error) {
          controller.error(error);
          await reader.cancel(error).catch(() => undefined);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, head);
}

/** The options that the SDK sets; bodies are text or bytes, so that a redirect can send them again. */
interface Outgoing {
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  signal: AbortSignal | null;
}

function outgoing(own: Record<string, string>, init: RequestInit): Outgoing {
  const body = init.body ?? null;
  if (body !== null && typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('only text or bytes can be sent');
  const headers = new Headers(own);
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  const method = (init.method ?? 'GET').toUpperCase();
  return { method, headers: Object.fromEntries(headers), body, signal: init.signal ?? null };
}

/** Removes credentials for a redirect to another origin, even if that is allowed too. */
function withoutCredentials(request: Outgoing, own: Record<string, string>): Outgoing {
  const names = [...Object.keys(own), 'Authorization', 'Proxy-Authorization', 'Cookie'].map((name) =>
    name.toLowerCase(),
  );
  const headers = Object.entries(request.headers).filter(([name]) => !names.includes(name.toLowerCase()));
  return { ...request, headers: Object.fromEntries(headers) };
}

function addressOf(input: string | URL | Request): URL {
  if (typeof input !== 'string' && !('href' in input)) throw new TypeError('an address is needed, not a Request');
  return new URL(input);
}

function allowed(url: URL, origins: Set<string>, isRedirect: boolean): URL {
  if (origins.has(url.origin)) return url;
  const how = isRedirect ? 'redirects to' : 'names';
  throw new PolicyError(
    `the agent ${how} the address ${url.origin}, which is not its own; add it to allowOrigins to permit it`,
  );
}

/** Whether a redirect preserves the request, so that it was not processed here (307, 308). */
const isUntaken = (status: number): boolean => status === 307 || status === 308;

function redirectTarget(response: UndiciResponse, from: URL): URL | null {
  const location = response.headers.get('location');
  if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return null;
  const target = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (target === null)
    throw new PolicyError('the agent redirects to something that is not an address', !isUntaken(response.status));
  return target;
}

/** Rejects 301–303, which turn a POST into a GET and would lose the message unnoticed. */
function refuseLostBody(status: number, method: string): void {
  if (method === 'GET' || isUntaken(status)) return;
  throw new PolicyError(
    `the agent redirects a message with HTTP ${status}, which would lose it; configure its final address`,
    true,
  );
}

async function finish(
  response: UndiciResponse,
  request: Outgoing,
  { maxBytes, passesErrors = false }: GuardedFetchOptions,
): Promise<Response> {
  if (passesErrors && response.status >= 400) return watchBody(response, capAt(maxErrorBodyBytes));
  if (response.status >= 300) return passProtocolError(response);
  // Unlimited only if a stream was requested, else any response could claim to be one.
  const isStream =
    isEventStream(request.headers['accept'] ?? null) && isEventStream(response.headers.get('content-type'));
  return watchBody(response, isStream ? () => undefined : capAt(maxBytes));
}

/** Whether a header of a media type names an event stream. */
export function isEventStream(value: string | null): boolean {
  return value?.trim().toLowerCase().startsWith('text/event-stream') ?? false;
}

function capAt(maxBytes: number): (bytes: number) => void {
  let left = maxBytes;
  return (bytes) => {
    left -= bytes;
    if (left < 0) throw new BodyTooLargeError(`the agent's answer is larger than ${maxBytes} bytes`);
  };
}

/** Passes protocol errors to the SDK, and throws HttpStatusError for others, whose status the SDK would lose. */
async function passProtocolError(response: UndiciResponse): Promise<Response> {
  const text = await watchBody(response, capAt(maxErrorBodyBytes))
    .text()
    .catch((error: unknown) => {
      if (error instanceof BodyTooLargeError) return '';
      throw error;
    });
  if (response.status >= 400 && isProtocolError(text)) {
    return new Response(text, { status: response.status, headers: [...response.headers] });
  }
  throw new HttpStatusError(
    response.status,
    readRetryAfter(response.headers.get('retry-after')),
    isCutUpstream(text),
    text,
  );
}

/** Recognises JSON-RPC, HTTP+JSON 1.0 (google.rpc.Status with a reason) and HTTP+JSON 0.3 (a bare JSON-RPC error). */
function isProtocolError(text: string): boolean {
  const body = asObject(parseJson(text));
  const error = asObject(body?.['error']);
  if (body?.['jsonrpc'] === '2.0' && typeof error?.['code'] === 'number') return true;
  const details = error?.['details'];
  if (Array.isArray(details) && details.some((detail) => typeof asObject(detail)?.['reason'] === 'string')) return true;
  return typeof body?.['code'] === 'number' && body['code'] <= -32000 && typeof body['message'] === 'string';
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
}

/** Matches Envoy's message for a connection lost after the request, not for refused connections or full queues. */
function isCutUpstream(text: string): boolean {
  return text.includes('disconnect/reset before headers') && !/connection failure|overflow/.test(text);
}

function readRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : null;
}

/** The other side closed the connection, as it does to idle ones, before it answered. */
function isCutConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

function policyErrorIn(error: unknown): PolicyError | undefined {
  const cause: unknown = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined;
  return cause instanceof PolicyError ? cause : undefined;
}
