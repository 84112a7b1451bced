import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { classifyA2aError } from '../../../src/activities/a2a/a2a-errors.ts';
import {
  type AgentOptions,
  aCall,
  collect,
  failureOf,
  listen,
  say,
  startAgent,
  startBroken,
  stopServers,
  transportTo,
} from '../a2a-agents.ts';

// The SDK's server writes every refusal to the console.
beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(stopServers);

const sse = { 'content-type': 'text/event-stream' };
type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;
const html: Answer = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');

const failSending = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  card?: AgentOptions,
) => {
  const transport = transportTo(await startBroken(answer, card), { headers: { 'X-Key': 'very-secret' } });
  return transport.classify(await failureOf(() => collect(transport.sendStream(say('x'), aCall()))));
};

describe('broken agents', () => {
  // Promise B30
  test('429 with Retry-After says when, and that nothing was taken', async () => {
    const info = await failSending((_, response) => response.writeHead(429, { 'retry-after': '3' }).end('slow down'));
    expect(info).toMatchObject({ kind: 'retryable', what: 'http', status: 429, retryAfterMs: 3000, wasTaken: false });
  });

  test('503 was not taken, 500 is not known', async () => {
    expect(await failSending((_, response) => response.writeHead(503).end())).toMatchObject({
      kind: 'retryable',
      wasTaken: false,
    });
    expect(await failSending((_, response) => response.writeHead(500).end())).toMatchObject({
      kind: 'retryable',
      wasTaken: 'unknown',
    });
  });

  test('401 is final and quotes no secret', async () => {
    const info = await failSending((_, response) => response.writeHead(401).end('key very-secret is wrong'));
    expect(info).toMatchObject({ kind: 'final', status: 401, wasTaken: false });
    expect(info.message).not.toContain('very-secret');
  });

  // Promise X4
  test('an agent’s own words never repeat a configured secret', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32600, message: `key very-secret\nor Bearer abc.def ${'x'.repeat(900)}` },
    };
    const info = await failSending((_, response) => response.writeHead(400).end(JSON.stringify(body)));
    expect(info).toMatchObject({ kind: 'final', what: 'refused' });
    expect(info.message).not.toMatch(/very-secret|abc\.def|\n/);
    expect(info.message.length).toBeLessThanOrEqual(300);
  });

  test('HTML in place of an answer is no A2A, and may have been taken', async () => {
    for (const streaming of [true, false]) {
      expect(await failSending(html, { streaming })).toMatchObject({
        kind: 'retryable',
        what: 'protocol',
        wasTaken: 'unknown',
      });
    }
  });

  test('a stream cut in the middle is a broken connection', async () => {
    const info = await failSending((request, response) => {
      response.writeHead(200, sse).write('data: {"jsonrpc"');
      setImmediate(() => request.socket.destroy());
    });
    expect(info).toMatchObject({ kind: 'retryable', what: 'network', wasTaken: 'unknown' });
  });

  test('a stream that just ends is neither an error nor the end of the task', async () => {
    const transport = transportTo(await startBroken((_, response) => response.writeHead(200, sse).end()));
    expect(await collect(transport.sendStream(say('x'), aCall()))).toEqual([]);
  });

  test('an event that we do not know passes as unknown', async () => {
    const event = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { kind: 'future' } })}\n\n`;
    const transport = transportTo(await startBroken((_, response) => response.writeHead(200, sse).end(event)));
    expect(await collect(transport.sendStream(say('x'), aCall()))).toEqual([
      { type: 'unknown', what: 'an event without a payload' },
    ]);
  });

  test.each([
    [-32001, 'final', 'task-not-found', false],
    [-32600, 'final', 'refused', false],
    [-32602, 'final', 'refused', false],
    [-32005, 'final', 'refused', false],
    [-32009, 'final', 'no-version', false],
    [-32603, 'retryable', 'agent-error', 'unknown'],
  ] as const)(
    'an error inside a stream is judged by its code, as one outside is: %s',
    async (code, kind, what, wasTaken) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'its own words' } });
      for (const version of ['1.0', '0.3'] as const) {
        const inside = await failSending((_, response) => response.writeHead(200, sse).end(`data: ${body}\n\n`), {
          version,
        });
        const json = { 'content-type': 'application/json' };
        const outside = await failSending((_, response) => response.writeHead(200, json).end(body), { version });
        for (const known of [inside, outside]) expect(known).toMatchObject({ kind, what, wasTaken });
        expect(inside.message).toBe('the agent answered: its own words');
      }
    },
  );

  test.each([
    ['TASK_NOT_FOUND', 404, 'task-not-found'],
    ['TASK_NOT_CANCELABLE', 409, 'not-cancelable'],
  ])('an error of 1.0 is understood over 0.3, too: %s', async (reason, status, what) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' }];
    const body = JSON.stringify({ error: { code: status, status: 'X', message: 'no', details } });
    for (const version of ['0.3', '1.0'] as const) {
      const url = await startBroken((_, response) => response.writeHead(status).end(body), {
        version,
        binding: 'HTTP+JSON',
      });
      const transport = transportTo(url);
      const error = await failureOf(() => transport.cancel('t', aCall()));
      expect(transport.classify(error)).toMatchObject({ kind: 'final', what });
    }
  });

  // Promise X3
  test('a redirect of the message to elsewhere is refused and not followed', async () => {
    const info = await failSending((_, response) =>
      response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
    );
    expect(info).toMatchObject({ kind: 'not-sent', what: 'policy', wasTaken: false });
  });

  test('a redirect that may follow a message that was taken leaves it unconfirmed', async () => {
    const info = await failSending((_, response) => response.writeHead(303, { location: '/done' }).end());
    expect(info).toMatchObject({ kind: 'final', what: 'policy', wasTaken: 'unknown' });
  });

  // Promise W22
  test('a card that does not come in time has let nothing be sent', async () => {
    const control = new AbortController();
    const url = await listen(() => () => control.abort(new DOMException('no answer', 'TimeoutError')));
    const transport = transportTo(url);
    const error = await failureOf(() => collect(transport.sendStream(say('x'), { signal: control.signal })));
    expect(transport.classify(error, control.signal)).toMatchObject({
      kind: 'not-sent',
      what: 'card',
      wasTaken: false,
    });
  });

  // Promise W22
  test('a token that does not come in time has let nothing be sent', async () => {
    const control = new AbortController();
    let asked = 0;
    const url = await startBroken(() => (asked += 1));
    const tokenUrl = await listen(() => () => control.abort(new DOMException('no answer', 'TimeoutError')));
    const oauth2 = { tokenUrl, clientId: 'standfast', clientSecret: 'a-secret' };
    const transport = transportTo(url, { oauth2 });
    const error = await failureOf(() => collect(transport.sendStream(say('x'), { signal: control.signal })));
    expect(transport.classify(error, control.signal)).toMatchObject({ kind: 'not-sent', wasTaken: false });
    expect(asked).toBe(0);
  });

  // Promise B30
  test('an answer without end is cut off at the limit', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const info = await failSending(
      (_, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', more);
        };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        more();
      },
      { streaming: false },
    );
    expect(info).toMatchObject({ kind: 'final', what: 'too-large' });
  });

  // Promise B30
  test('a hanging agent is given up with the caller’s reason, before and after the headers', async () => {
    for (const hang of [
      () => undefined,
      (_: IncomingMessage, response: ServerResponse) => response.writeHead(200, sse).write(': ping\n\n'),
    ]) {
      const control = new AbortController();
      const reason = new Error('enough');
      let result = 0;
      const transport = transportTo(
        await startBroken((request, response) => {
          hang(request, response);
          if (hang.length === 0) control.abort(reason);
        }),
      );
      const call = { signal: control.signal, onBytes: () => ((result += 1), control.abort(reason)) };
      const error = await failureOf(() => collect(transport.sendStream(say('x'), call)));
      expect(error).toBe(reason);
      expect(transport.classify(error, control.signal)).toMatchObject({ kind: 'aborted', wasTaken: 'unknown' });
      expect(result).toBe(hang.length === 0 ? 0 : 1);
    }
  });

  test('a reader that stops reading closes the connection', async () => {
    const event = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { statusUpdate: { taskId: 't', status: {} } } })}\n\n`;
    let closed: (() => void) | undefined;
    const isClosed = new Promise<void>((done) => (closed = done));
    const transport = transportTo(
      await startBroken((_, response) => {
        response.on('close', () => closed?.());
        response.writeHead(200, sse).write(event);
      }),
    );
    for await (const _ of transport.sendStream(say('x'), aCall())) break;
    await isClosed;
  });

  test('an agent that is not there got nothing', async () => {
    const url = await startAgent();
    const transport = transportTo(url);
    await transport.card(aCall());
    await stopServers();
    const error = await failureOf(() => collect(transport.sendStream(say('x'), aCall())));
    expect(transport.classify(error)).toMatchObject({
      kind: 'not-sent',
      what: 'network',
      wasTaken: false,
      message: expect.stringContaining('ECONNREFUSED'),
    });
    // The card is forgotten now, and cannot be had either.
    const again = await failureOf(() => collect(transport.sendStream(say('x'), aCall())));
    expect(transport.classify(again)).toMatchObject({ kind: 'not-sent', what: 'card', wasTaken: false });
  });
});

const failed = (cause: object) => Object.assign(new TypeError('fetch failed'), { cause });

describe('errors', () => {
  // Promise B30
  test.each([
    ['a name that does not resolve', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'not-sent'],
    [
      'all addresses refused',
      {
        errors: [
          { code: 'ECONNREFUSED', syscall: 'connect' },
          { code: 'ETIMEDOUT', syscall: 'connect' },
        ],
        code: 'ECONNREFUSED',
      },
      'not-sent',
    ],
    ['a certificate that is not trusted', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'not-sent'],
    ['connecting took too long', { code: 'UND_ERR_CONNECT_TIMEOUT' }, 'not-sent'],
    ['a reset connection', { code: 'ECONNRESET', syscall: 'read' }, 'retryable'],
    ['a host lost while reading', { code: 'EHOSTUNREACH', syscall: 'read' }, 'retryable'],
    ['the other side closed', { code: 'UND_ERR_SOCKET' }, 'retryable'],
  ])('an error below HTTP is classified by its cause: %s', (_, cause, kind) => {
    expect(classifyA2aError(failed(cause))).toMatchObject({
      kind,
      what: 'network',
      wasTaken: kind === 'not-sent' ? false : 'unknown',
    });
  });

  test.each([
    [undefined],
    [null],
    ['text'],
    [{}],
    [new Error('boom')],
    [Object.assign(new Error('x'), { cause: 'y' })],
  ])('whatever is thrown (%p) is classified', (thrown) => {
    expect(classifyA2aError(thrown)).toMatchObject({ kind: 'retryable', wasTaken: 'unknown' });
  });
});
