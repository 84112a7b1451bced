// Operators' commands use the public API only.
import { CommandError, refusedBy } from './command-error.ts';
import type { ProblemDetails } from './command-error.ts';
import { within } from '../../host/process/time-limit.ts';
import type { HoldView } from '../../contract/holds/hold.ts';
import { missingOf, wholeHold } from '../../core/consent/whole-view.ts';
import { parseJson } from '../../core/base/json.ts';

export interface OperatorOptions {
  url?: string;
  apiKey?: string;
  /** With text: the members that are printed. */
  json: boolean | string;
}

export interface OperatorClient {
  get<T>(path: string): Promise<T>;
  /** The response body as it is. */
  text(path: string): Promise<string>;
  post<T>(path: string, body?: unknown): Promise<T>;
  delete<T>(path: string): Promise<T>;
  send<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** The response body as an endless stream of text. */
  stream(path: string): Promise<AsyncIterable<string>>;
  /** URL of a page. */
  pageOf(path: string): string;
}

/** `--url`/`--api-key`, else STANDFAST_URL/STANDFAST_API_KEY, else this machine; no request outlives `isOver`. */
export function createOperatorClient({ url, apiKey }: OperatorOptions, isOver?: AbortSignal): OperatorClient {
  const local = `http://127.0.0.1:${process.env['STANDFAST_PORT'] ?? '8600'}`;
  const base = addressOf(url ?? process.env['STANDFAST_URL'] ?? local);
  const key = apiKey ?? process.env['STANDFAST_API_KEY'];
  const request = async (method: string, path: string, init: RequestInit): Promise<Response> => {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    if (init.body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(new URL(path, base), { method, headers, ...init }).catch((error: unknown) => {
      const message = `no Standfast answers at ${base} (${causeOf(error)}); start it, or give --url`;
      throw new CommandError('unreachable', message);
    });
    if (!response.ok) throw refusedBy(response.status, (await bodyOf(response)) as ProblemDetails);
    return response;
  };
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await request(method, path, { ...init, signal: within(isOver, 30_000).signal });
    return (await bodyOf(response)) as T;
  };
  return {
    get: (path) => call('GET', path),
    text: async (path) => (await request('GET', path, { signal: within(isOver, 30_000).signal })).text(),
    post: (path, body = {}) => call('POST', path, body),
    delete: (path) => call('DELETE', path),
    send: call,
    stream: async (path) => {
      const response = await request('GET', path, {});
      return response.body === null ? noText() : response.body.pipeThrough(new TextDecoderStream());
    },
    pageOf: (path) => new URL(path, base).href,
  };
}

/** The question with its contents, as far as they can be had. */
export async function readHold(client: OperatorClient, id: string): Promise<HoldView> {
  const hold = await client.get<HoldView>(`/api/holds/${encodeURIComponent(id)}`);
  const texts = new Map<string, string>();
  for (const { url, digest } of missingOf(hold)) {
    const text = url === null ? null : await client.text(url).catch(() => null);
    if (text !== null) texts.set(digest, text);
  }
  return wholeHold(hold, (digest) => texts.get(digest));
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw new CommandError(
      'usage',
      `the address of ${url.host} has a user or a password in it; give a key by STANDFAST_API_KEY`,
    );
  }
  if (url !== null && /^https?:$/.test(url.protocol)) return text;
  throw new CommandError(
    'usage',
    `"${text}" is not an address; expected one such as http://127.0.0.1:8600 (--url, STANDFAST_URL)`,
  );
}

async function* noText(): AsyncGenerator<string> {
  // An empty body.
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

/** The body as JSON; text that is no JSON, as proxies send it, becomes the detail of a problem. */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return parseJson(text) ?? { detail: text.slice(0, 300) };
}
