import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../../src/config/config.ts';
import { openEgress } from '../../rigs/open-egress.ts';
import { HttpStatusError } from '../../../src/host/net/guarded-fetch.ts';
import { createTokenSource, OAuthError, withBearer, type TokenSource } from '../../../src/host/net/oauth.ts';
import { asError } from '../../rigs/as-error.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

interface Asked {
  headers: IncomingHttpHeaders;
  form: URLSearchParams;
}

/** A token endpoint, and what it was asked. */
async function endpoint(
  answer: (asked: Asked, response: ServerResponse, count: number) => void,
): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const one = { headers: request.headers, form: new URLSearchParams(body) };
      asked.push(one);
      answer(one, response, asked.length);
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return { url: `http://127.0.0.1:${address.port}/token`, asked };
}

const json = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const grants = (_asked: Asked, response: ServerResponse, count: number): void =>
  json(response, 200, { access_token: `token-${count}`, token_type: 'bearer', expires_in: 100 });

const client = (tokenUrl: string) => ({ tokenUrl, clientId: 'hold point', clientSecret: 'very:secret-42' });
const noSignal = null;
const failure = async (tokens: TokenSource): Promise<OAuthError> => {
  const error = await tokens.token(noSignal).then(() => null, asError);
  if (!(error instanceof OAuthError)) throw new Error('it was not an OAuthError');
  return error;
};

describe('a token', () => {
  test('a token is asked for with the client’s credentials, its scope and its audience', async () => {
    const { url, asked } = await endpoint(grants);
    const tokens = createTokenSource({ ...client(url), scope: 'a b', audience: 'urn:agent' }, { egress: openEgress });
    expect(await tokens.token(noSignal)).toBe('token-1');
    expect(asked[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('hold+point:very%3Asecret-42').toString('base64')}`,
    );
    expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
      grant_type: 'client_credentials',
      scope: 'a b',
      audience: 'urn:agent',
    });
  });

  test('a token is asked for with the secret in the body where the endpoint takes it there only', async () => {
    const { url, asked } = await endpoint(({ form }, response, count) =>
      form.has('client_secret')
        ? grants({ headers: {}, form }, response, count)
        : json(response, 401, { error: 'invalid_client' }),
    );
    const tokens = createTokenSource(client(url), { egress: openEgress });
    expect(await tokens.token(noSignal)).toBe('token-2');
    tokens.refused('token-2');
    expect(await tokens.token(noSignal)).toBe('token-3');
    expect(asked.map(({ form }) => form.get('client_secret'))).toEqual([null, 'very:secret-42', 'very:secret-42']);
  });

  test('a token is kept until shortly before it expires, and many who need one at once ask once', async () => {
    let nowMs = 0;
    const { url, asked } = await endpoint(grants);
    const tokens = createTokenSource(client(url), { egress: openEgress, nowMs: () => nowMs });
    expect(await Promise.all([1, 2, 3].map(() => tokens.token(noSignal)))).toEqual(['token-1', 'token-1', 'token-1']);
    nowMs = 79_000;
    expect(await tokens.token(noSignal)).toBe('token-1');
    // It lives 100 s; the last fifth of a short life is not used.
    nowMs = 80_000;
    expect(await tokens.token(noSignal)).toBe('token-2');
    expect(asked).toHaveLength(2);
  });

  test('a token is not waited for by who gives up', async () => {
    const { url } = await endpoint(() => undefined);
    const gaveUp = new AbortController();
    const token = createTokenSource(client(url), { egress: openEgress }).token(gaveUp.signal);
    gaveUp.abort(new Error('enough'));
    await expect(token).rejects.toThrow('enough');
  });

  test.each([
    ['a refusal', 400, { error: 'invalid_scope', error_description: 'no such scope' }, false, /invalid_scope: no such/],
    ['an answer without a token', 200, { token_type: 'bearer' }, false, /no bearer token/],
    ['a token that is none of ours', 200, { access_token: 'x', token_type: 'mac' }, false, /no bearer token/],
    ['a token that no header could carry', 200, { access_token: 'a\nb' }, false, /no bearer token/],
    ['trouble', 503, 'later', true, /HTTP 503/],
  ])('a token is not had from %s', async (_what, status, body, isRetryable, words) => {
    const { url } = await endpoint((_asked, response) => json(response, status, body));
    const error = await failure(createTokenSource(client(url), { egress: openEgress }));
    expect(error).toMatchObject({ status, isRetryable, message: expect.stringMatching(words) });
    expect(error.message).toContain(new URL(url).host);
    expect(`${error.message} ${String(error.stack)}`).not.toContain('very');
  });

  test('a token is not had from an endpoint that is not there, and that may pass', async () => {
    const { url } = await endpoint(grants);
    const gone = servers.pop();
    await new Promise((done) => gone?.close(done));
    expect(await failure(createTokenSource(client(url), { egress: openEgress }))).toMatchObject({
      isRetryable: true,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  // Promise B27
  test('a token is never asked for elsewhere, whatever the endpoint says', async () => {
    const elsewhere = await endpoint(grants);
    const { url } = await endpoint((_asked, response) => response.writeHead(307, { location: elsewhere.url }).end());
    expect(await failure(createTokenSource(client(url), { egress: openEgress }))).toMatchObject({ isRetryable: false });
    expect(elsewhere.asked).toEqual([]);
  });
});

describe('the configuration of a client', () => {
  const faultsOf = (more: object): string[] => {
    const oauth2 = { tokenUrl: 'https://id.example/token', clientId: 'c', clientSecret: 'very:secret-42' };
    const agents = { a: { url: 'http://127.0.0.1:1/', oauth2: { ...oauth2, ...more } } };
    const loaded = loadConfig({ text: JSON.stringify({ agents }), env: {} });
    return loaded.ok ? [] : loaded.problems.map(({ path, message }) => `${path}: ${message}`);
  };

  test('the configuration of a client is taken, and what is wrong with it is reported without its secret', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ tokenUrl: 'ftp://id.example/' })).toEqual([
      expect.stringMatching(/^agents\.a\.oauth2\.tokenUrl: /),
    ]);
    expect(faultsOf({ clientSecret: 7 }).join()).not.toContain('7');
  });

  test('the configuration of a client is refused together with a header Authorization', () => {
    const oauth2 = { tokenUrl: 'https://id.example/token', clientId: 'c', clientSecret: 's' };
    const agents = { a: { url: 'http://127.0.0.1:1/', headers: { authorization: 'x' }, oauth2 } };
    const loaded = loadConfig({ text: JSON.stringify({ agents }), env: {} });
    expect(loaded).toMatchObject({ ok: false, problems: [{ path: 'agents.a.oauth2' }] });
  });
});

describe('a request with a token', () => {
  const agent = (statuses: number[]): { fetch: typeof fetch; seen: string[] } => {
    const seen: string[] = [];
    return {
      seen,
      fetch: (_input, init) => {
        seen.push(new Headers(init?.headers).get('authorization') ?? '');
        return Promise.resolve(new Response('', { status: statuses[seen.length - 1] ?? 200 }));
      },
    };
  };

  test('a request with a token carries it, and is made once more with a fresh one when the agent does not take it', async () => {
    const { url } = await endpoint(grants);
    const there = agent([200, 401, 200, 401, 401]);
    const send = withBearer(there.fetch, createTokenSource(client(url), { egress: openEgress }));
    for (const status of [200, 200, 401]) expect((await send('http://agent/')).status).toBe(status);
    expect(there.seen).toEqual(['token-1', 'token-1', 'token-2', 'token-2', 'token-3'].map((one) => `Bearer ${one}`));
  });

  test('a request with a token is made once more also where the agent answers 401 without a word', async () => {
    const { url } = await endpoint(grants);
    const seen: string[] = [];
    const send = withBearer(
      (_input, init) => {
        seen.push(new Headers(init?.headers).get('authorization') ?? '');
        return seen.length === 1
          ? Promise.reject(new HttpStatusError(401, null, false))
          : Promise.resolve(new Response());
      },
      createTokenSource(client(url), { egress: openEgress }),
    );
    expect((await send('http://agent/')).status).toBe(200);
    expect(seen).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  test('a request with a token that fails in another way is not made again', async () => {
    const { url, asked } = await endpoint(grants);
    const there = agent([403]);
    const send = withBearer(there.fetch, createTokenSource(client(url), { egress: openEgress }));
    expect((await send('http://agent/')).status).toBe(403);
    expect([there.seen.length, asked.length]).toEqual([1, 1]);
  });
});
