import { StandfastError } from './errors.ts';

export interface RetryOptions {
  /** How often a request is sent at most; 1: never again. */
  attempts: number;
  /** The first wait; it doubles, unless the server names one. */
  firstMs: number;
  mostMs: number;
}

export const defaultRetry: RetryOptions = { attempts: 4, firstMs: 250, mostMs: 5_000 };

const again = new Set([429, 502, 503, 504]);

export function sleep(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

const retryAfterMs = (response: Response): number | null => {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
};

/**
 * Sends again what may be sent again: reads always; of changes those that Standfast takes once however often they come
 * (decisions, claims, messages and questions with an id). A run or a restart is never sent twice.
 */
export function retryingFetch(fetchOnce: typeof fetch, { attempts, firstMs, mostMs }: RetryOptions): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const isSafe = request.method === 'GET' || isTakenOnce(request);
    for (let attempt = 1; ; attempt += 1) {
      const waitMs = Math.min(mostMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
      try {
        const response = await fetchOnce(request.clone());
        if (!isSafe || attempt >= attempts || !again.has(response.status)) return response;
        await response.body?.cancel();
        await sleep(Math.min(mostMs, retryAfterMs(response) ?? waitMs), request.signal);
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        const detail =
          error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
        const code = isLasting(error) ? 'wrong_address' : 'network';
        if (!isSafe || attempt >= attempts || code === 'wrong_address')
          throw new StandfastError(0, { code, detail }, { cause: error });
        await sleep(waitMs, request.signal);
      }
    }
  };
}

/** No TLS, or no HTTP, with what is at the address: the same at the next try. */
function isLasting(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^(?:ERR_SSL|ERR_TLS|EPROTO$|HPE_|CERT_|DEPTH_ZERO)/.test(code);
}

const takenOnce =
  /\/api\/holds\/(?:decisions|[^/]+\/(?:decision|claim|release))$|\/api\/tasks\/[^/]+\/(?:cancel|chat\/message)$/;

/** Questions of this client always have an id, and the same id asks and withdraws once. */
const isTakenOnce = ({ method, url }: Request): boolean => {
  const { pathname } = new URL(url);
  return (method === 'POST' && takenOnce.test(pathname)) || /\/api\/ask(?:\/replies)?$/.test(pathname);
};
