import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEgress } from '../../../src/host/net/egress.ts';
import { openEgress } from '../../rigs/open-egress.ts';
import { createGuardedFetch, type GuardedFetchOptions } from '../../../src/host/net/guarded-fetch.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return `http://127.0.0.1:${address.port}`;
}

const guarded = (url: string, more: Partial<GuardedFetchOptions> = {}): typeof fetch =>
  createGuardedFetch({ allowedOrigins: [url], egress: openEgress, headers: {}, maxBytes: 1000, ...more });
const nothingDenied = { deny: [], allow: [] };
const post = { method: 'POST', body: '{}' };

describe('where a request may go', () => {
  test('an address of another origin is refused before anything is sent', async () => {
    let hits = 0;
    const other = await serve((_, response) => {
      hits += 1;
      response.end();
    });
    const call = guarded('http://127.0.0.1:1')(`${other}/x`);
    await expect(call).rejects.toMatchObject({
      name: 'PolicyError',
      wasSent: false,
      message: expect.stringContaining('allowOrigins'),
    });
    expect(hits).toBe(0);
  });

  test.each([
    ['307, which leaves a request untaken,', 307, false],
    ['308, which leaves a request untaken,', 308, false],
    ['303, which may follow a request that was taken,', 303, true],
  ])('a redirect elsewhere by %s is refused', async (_, status, wasSent) => {
    const url = await serve((_request, response) =>
      response.writeHead(status, { location: 'http://169.254.169.254/latest' }).end(),
    );
    await expect(guarded(url)(url, post)).rejects.toMatchObject({ name: 'PolicyError', wasSent });
  });

  test('a redirect within the origin is followed with its body, three times at most', async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        seen.push(`${request.method} ${request.url} ${body}`);
        const next = Number(request.url?.slice(1)) + 1;
        if (next > 3 && request.headers['x-end'] === '3') response.end('here');
        else response.writeHead(308, { location: `/${next}` }).end();
      });
    });
    const answer = await guarded(url)(`${url}/0`, { ...post, headers: { 'x-end': '3' } });
    expect(await answer.text()).toBe('here');
    expect(seen).toEqual(['POST /0 {}', 'POST /1 {}', 'POST /2 {}', 'POST /3 {}']);
    await expect(guarded(url)(`${url}/0`, post)).rejects.toThrow('redirects too often');
  });

  // Promise U2
  test('a redirect to another origin is followed without the credentials of the first one', async () => {
    const seen: Record<string, unknown>[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers);
      if (request.url === '/back') response.writeHead(307, { location: `${url}/end` }).end();
      else response.end('there');
    });
    const url = await serve((request, response) => {
      seen.push(request.headers);
      const location = request.url === '/end' ? null : `${other}${request.url}`;
      if (location === null) response.end('here');
      else response.writeHead(307, { location }).end();
    });
    const send = createGuardedFetch({
      allowedOrigins: [url, other],
      egress: openEgress,
      headers: { 'X-Api-Key': 'own' },
      maxBytes: 1000,
    });
    const headers = { authorization: 'Bearer token', cookie: 'a=b', 'x-other': 'kept' };
    expect(await (await send(`${url}/there`, { ...post, headers })).text()).toBe('there');
    expect(await (await send(`${url}/back`, { ...post, headers })).text()).toBe('here');
    const received = seen.map((one) => [one['authorization'], one['x-api-key'], one['cookie'], one['x-other']]);
    const [all, less] = [
      ['Bearer token', 'own', 'a=b', 'kept'],
      [undefined, undefined, undefined, 'kept'],
    ];
    expect(received).toEqual([all, less, all, less, less]);
  });

  test('a redirect that would turn a message into a GET is refused', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: '/login' }).end());
    await expect(guarded(url)(url, post)).rejects.toThrow(/would lose it/);
  });

  test('a name that resolves to a link-local address is not connected to', async () => {
    for (const [address, family] of [
      ['169.254.169.254', 4],
      ['fe80::1', 6],
      ['::ffff:169.254.169.254', 6],
    ] as const) {
      const call = guarded('http://agent.test', {
        egress: createEgress(nothingDenied, (_name, _options, done) => done(null, [{ address, family }])),
      });
      await expect(call('http://agent.test/')).rejects.toMatchObject({
        name: 'PolicyError',
        message: expect.stringMatching(/cloud metadata services/),
      });
    }
  });

  test('a name with one usable address is reached there', async () => {
    const url = new URL(await serve((_, response) => response.end('ok')));
    const address = `http://agent.test:${url.port}`;
    const found = [
      { address: '169.254.1.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const answer = await guarded(address, {
      egress: createEgress(nothingDenied, (_name, _options, done) => done(null, found)),
    })(address);
    expect(await answer.text()).toBe('ok');
  });
});

describe('what is sent', () => {
  test('a request gets the configured headers, and those of the caller win', async () => {
    const url = await serve((request, response) =>
      response.end(JSON.stringify([request.headers['authorization'], request.headers['x-a']])),
    );
    const call = guarded(url, { headers: { Authorization: 'Bearer own', 'X-A': 'own' } });
    expect(await (await call(url, { headers: { 'x-a': 'mine' } })).json()).toEqual(['Bearer own', 'mine']);
  });

  // Promise W22
  test('a message takes a connection of its own, not an idle one that its agent is about to close', async () => {
    const used = new WeakSet<object>();
    const url = await serve((request, response) => {
      if (used.has(request.socket)) request.socket.destroy();
      used.add(request.socket);
      response.end('{}');
    });
    const call = guarded(url);
    for (const attempt of [1, 2, 3]) {
      const response = await call(url, post);
      expect({ attempt, body: await response.text() }).toEqual({ attempt, body: '{}' });
    }
  });
});

describe('requests that may be sent twice', () => {
  const keeping = (url: string): typeof fetch => guarded(url, { keepsConnections: true });

  test('reads of one agent share a connection', async () => {
    const sockets = new Set<object>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      response.end('{}');
    });
    const call = keeping(url);
    const reads = 10;
    for (let n = 0; n < reads; n += 1) expect(await (await call(url, post)).text()).toBe('{}');
    // A connection may be free only a moment after its answer was read.
    expect(sockets.size).toBeLessThan(reads / 2);
  });

  test('a read whose kept connection is closed by the agent is sent again on one of its own', async () => {
    const used = new WeakSet<object>();
    const bodies: string[] = [];
    const url = await serve((request, response) => {
      if (used.has(request.socket)) return request.socket.destroy();
      used.add(request.socket);
      request.setEncoding('utf8').on('data', (body: string) => bodies.push(body));
      return request.on('end', () => response.end('{}'));
    });
    const call = keeping(url);
    for (const _ of [1, 2, 3]) expect(await (await call(url, post)).text()).toBe('{}');
    expect(bodies).toEqual(['{}', '{}', '{}']);
  });

  test.each([
    ['a read', true, 2],
    ['a message', false, 1],
  ])(
    'an agent that closes each connection is sent %s this often: kept %s, %i',
    async (_what, keepsConnections, times) => {
      let received = 0;
      const url = await serve((request) => {
        received += 1;
        request.socket.destroy();
      });
      await expect(guarded(url, { keepsConnections })(url, post)).rejects.toThrow('fetch failed');
      expect(received).toBe(times);
    },
  );

  test('a read that its caller has given up is not sent again', async () => {
    const control = new AbortController();
    let received = 0;
    const url = await serve((request) => {
      received += 1;
      control.abort(new Error('enough'));
      request.socket.destroy();
    });
    await expect(keeping(url)(url, { ...post, signal: control.signal })).rejects.toThrow('enough');
    expect(received).toBe(1);
  });
});

describe('what comes back', () => {
  test('a body over the limit fails, packed or not, also when it calls itself a stream', async () => {
    const big = 'x'.repeat(2000);
    const url = await serve((request, response) => {
      if (request.url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(big));
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(big);
    });
    for (const path of ['/plain', '/gzip']) {
      const answer = await guarded(url)(url + path);
      await expect(answer.text()).rejects.toMatchObject({ name: 'BodyTooLargeError' });
    }
  });

  test('a stream that was asked for has no limit', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('x'.repeat(5000)),
    );
    const answer = await guarded(url)(url, { headers: { accept: 'text/event-stream' } });
    expect((await answer.text()).length).toBe(5000);
  });

  test.each([
    [429, '7', 7000],
    [503, new Date(Date.now() - 5000).toUTCString(), 0],
    [500, undefined, null],
    [404, 'soon', null],
  ])('HTTP %i with Retry-After %s keeps its status', async (status, retryAfter, retryAfterMs) => {
    const url = await serve((_, response) => {
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('<html>no</html>');
    });
    await expect(guarded(url)(url)).rejects.toMatchObject({
      name: 'HttpStatusError',
      status,
      retryAfterMs,
      wasCutUpstream: false,
    });
  });

  test('a 503 of a proxy whose connection broke behind it is distinguished', async () => {
    const url = await serve((request, response) => {
      const reason = request.url === '/cut' ? 'connection termination' : 'connection failure';
      response.writeHead(503).end(`upstream connect error or disconnect/reset before headers. reset reason: ${reason}`);
    });
    await expect(guarded(url)(`${url}/cut`)).rejects.toMatchObject({ wasCutUpstream: true });
    await expect(guarded(url)(`${url}/refused`)).rejects.toMatchObject({ wasCutUpstream: false });
  });

  test.each([
    [{ jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'no' } }],
    [{ error: { code: 404, message: 'no', details: [{ '@type': 'x', reason: 'TASK_NOT_FOUND' }] } }],
    [{ code: -32001, message: 'no' }],
  ])('a protocol error %j passes through whole', async (body) => {
    const url = await serve((_, response) => response.writeHead(404).end(JSON.stringify(body)));
    const answer = await guarded(url)(url);
    expect([answer.status, await answer.json()]).toEqual([404, body]);
  });

  test.each([[{ error: { code: 503, message: 'gateway' } }], [{ error: 'no' }], [[]], ['text']])(
    'an error of something else (%j) is an HTTP error',
    async (body) => {
      const url = await serve((_, response) => response.writeHead(503).end(JSON.stringify(body)));
      await expect(guarded(url)(url)).rejects.toMatchObject({ name: 'HttpStatusError', status: 503 });
    },
  );

  test('the caller’s signal ends a hanging answer with its own reason', async () => {
    const url = await serve((_, response) => response.writeHead(200).write('x'));
    const control = new AbortController();
    const answer = await guarded(url)(url, { signal: control.signal });
    const reason = new Error('enough');
    const text = answer.text();
    control.abort(reason);
    await expect(text).rejects.toBe(reason);
  });
});
