// OAuth 2.0 client credentials (RFC 6749 §4.4) for one agent: tokens are cached until shortly before they expire, and
// fetched again once on a 401. Only the configured origin is called, also after redirects, and errors contain no
// client secret and no token.
import { z } from 'zod';
import { type Egress, PolicyError } from './egress.ts';
import { createGuardedFetch, HttpStatusError } from './guarded-fetch.ts';
import { timeLimit } from '../process/time-limit.ts';
import { parseJson } from '../../core/base/json.ts';

interface OAuthClient {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope?: string | undefined;
  audience?: string | undefined;
}

export interface TokenSource {
  /** Returns a valid token. Throws OAuthError, PolicyError, and what undici throws. */
  token(signal: AbortSignal | null): Promise<string>;
  /** Drops a token that the agent has rejected. */
  refused(token: string): void;
  /** The client secret and the current token, to be redacted from messages. */
  secrets(): string[];
}

/** No token could be obtained, so the request was not sent. */
export class OAuthError extends Error {
  override name = 'OAuthError';
  /** HTTP status of the token endpoint; 0 without a response. */
  readonly status: number;
  /** Whether the endpoint is unavailable and has not refused. */
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | null;
  constructor(
    message: string,
    about: { status: number; isRetryable: boolean; retryAfterMs?: number | null; cause?: unknown },
  ) {
    super(message, about.cause === undefined ? {} : { cause: about.cause });
    this.status = about.status;
    this.isRetryable = about.isRetryable;
    this.retryAfterMs = about.retryAfterMs ?? null;
  }
}

const timeoutMs = 10_000;
const maxAnswerBytes = 256 * 1024;
const maxWords = 200;
/** Lifetime of a token without `expires_in`. */
const usualLifeMs = 5 * 60_000;
/** A token is not used in the last minute of its life, nor in the last fifth of a short one. */
const marginMs = 60_000;

const TokenSchema = z.object({
  // Only characters that a header can contain.
  access_token: z.string().regex(/^[\x21-\x7e]{1,65536}$/),
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .default('Bearer'),
  expires_in: z.coerce.number().positive().nullish().catch(null),
});
const RefusalSchema = z.object({
  error: z.string().min(1),
  error_description: z.string().catch(''),
});

interface Kept {
  token: string;
  untilMs: number;
}

export function createTokenSource(client: OAuthClient, options: { egress: Egress; nowMs?: () => number }): TokenSource {
  const { egress, nowMs = () => performance.now() } = options;
  const endpoint = new URL(client.tokenUrl);
  const send = createGuardedFetch({
    allowedOrigins: [endpoint.origin],
    egress,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    maxBytes: maxAnswerBytes,
    passesErrors: true,
  });
  const where = `the token endpoint ${endpoint.host}`;
  let kept: Kept | null = null;
  let asking: Promise<Kept> | null = null;
  /** Set for servers that accept credentials only in the body, although Basic is required (RFC 6749 §2.3.1). */
  let isInBody = false;

  const ask = async (): Promise<Response> => {
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    if (client.scope !== undefined) form.set('scope', client.scope);
    if (client.audience !== undefined) form.set('audience', client.audience);
    const headers: Record<string, string> = {};
    if (isInBody) {
      form.set('client_id', client.clientId);
      form.set('client_secret', client.clientSecret);
    } else headers['authorization'] = `Basic ${basicOf(client)}`;
    try {
      // Not the callers' signals, since they share the request.
      const signal = timeLimit(timeoutMs);
      return await send(endpoint, { method: 'POST', headers, body: form.toString(), signal });
    } catch (error) {
      const isRetryable = !(error instanceof PolicyError);
      const why = error instanceof PolicyError ? error.message : reasonOf(error);
      throw new OAuthError(`${where} cannot be asked: ${why}`, { status: 0, isRetryable, cause: error });
    }
  };

  const fetchToken = async (): Promise<Kept> => {
    const askedAtMs = nowMs();
    let response = await ask();
    if (!isInBody && (response.status === 400 || response.status === 401)) {
      const first = await refusalOf(response, where);
      if (first.code !== 'invalid_client' && first.code !== 'invalid_request') throw first.error;
      isInBody = true;
      response = await ask();
      if (!response.ok) {
        isInBody = false;
        // The error of the first request is that of the method in RFC 6749.
        throw response.status < 500 ? first.error : (await refusalOf(response, where)).error;
      }
    }
    if (!response.ok) throw (await refusalOf(response, where)).error;
    const read = TokenSchema.safeParse(parseJson(await response.text()));
    if (!read.success) {
      throw new OAuthError(`${where} answered with no bearer token`, { status: response.status, isRetryable: false });
    }
    const lifeMs = read.data.expires_in == null ? usualLifeMs : read.data.expires_in * 1000;
    return { token: read.data.access_token, untilMs: askedAtMs + lifeMs - Math.min(marginMs, lifeMs / 5) };
  };

  return {
    async token(signal) {
      signal?.throwIfAborted();
      if (kept !== null && nowMs() < kept.untilMs) return kept.token;
      asking ??= fetchToken().finally(() => (asking = null));
      const mine = asking.then((fresh) => (kept = fresh).token);
      return signal === null ? mine : unlessAborted(mine, signal);
    },
    refused(token) {
      if (kept?.token === token) kept = null;
    },
    secrets: () => [client.clientSecret, basicOf(client), ...(kept === null ? [] : [kept.token])],
  };
}

/** Adds a bearer token to a `fetch`; on a 401, which has no effect at the agent, retries once with a fresh one. */
export function withBearer(send: typeof fetch, tokens: TokenSource): typeof fetch {
  return async (input, init: RequestInit = {}) => {
    const attempt = (token: string): Promise<Response> => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${token}`);
      return send(input, { ...init, headers });
    };
    const signal = init.signal ?? null;
    const ready = async (): Promise<string> => {
      try {
        return await tokens.token(signal);
      } catch (error) {
        if (signal === null || error !== signal.reason) throw error;
        // Aborted while waiting for a token, so nothing was sent.
        throw new OAuthError('no token came in time', { status: 0, isRetryable: true, cause: error });
      }
    };
    const token = await ready();
    try {
      const response = await attempt(token);
      if (response.status !== 401) return response;
      await response.body?.cancel();
    } catch (error) {
      if (!(error instanceof HttpStatusError) || error.status !== 401) throw error;
    }
    tokens.refused(token);
    return attempt(await ready());
  };
}

/** Returns the error code of a failed connection. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  for (const one of [cause, error]) {
    const code: unknown = typeof one === 'object' && one !== null ? Reflect.get(one, 'code') : undefined;
    if (typeof code === 'string') return code;
  }
  return error instanceof Error && error.name === 'TimeoutError' ? 'it did not answer in time' : 'the connection broke';
}

/** Encodes Basic credentials, each part form-encoded first (RFC 6749 §2.3.1). */
function basicOf({ clientId, clientSecret }: OAuthClient): string {
  const encoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64');
}

async function refusalOf(response: Response, where: string): Promise<{ code: string; error: OAuthError }> {
  const { status } = response;
  const read = RefusalSchema.safeParse(parseJson(await response.text().catch(() => '')));
  const isRetryable = status >= 500 || status === 408 || status === 425 || status === 429;
  const code = read.success ? read.data.error : '';
  const body = read.success ? [code, read.data.error_description].filter((text) => text !== '').join(': ') : '';
  const message = body === '' ? '' : ` (${body.slice(0, maxWords)})`;
  const seconds = Number(response.headers.get('retry-after') ?? '');
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
  return {
    code,
    error: new OAuthError(`${where} answered HTTP ${status}${message}`, { status, isRetryable, retryAfterMs }),
  };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
