import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { freshThread, runBody } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi();

const raw = (payload: string, contentType = 'application/json', url = '/agents/expenses/run') =>
  rig.app.inject({ method: 'POST', url, payload, headers: { 'content-type': contentType } });
const run = (body: object) => raw(JSON.stringify(body));

async function expectProblem(response: Awaited<ReturnType<typeof raw>>, status: number, code: string): Promise<void> {
  expect(response.statusCode).toBe(status);
  expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
  const problem = response.json<{ [key: string]: unknown }>();
  expect(problem).toMatchObject({ code, status, requestId: response.headers['x-request-id'] });
  for (const key of ['type', 'title', 'detail']) expect(typeof problem[key]).toBe('string');
}

describe('a body that is not what it should be is input_invalid', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  test.each([
    ['cut JSON', '{"threadId": "t"'],
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['deep JSON', deep],
    ['deep JSON inside', `{"threadId":"t","runId":"r","messages":[],"state":${deep}}`],
    ['__proto__', '{"threadId":"t","runId":"r","messages":[],"state":{"__proto__":{"isSuper":true}}}'],
    [
      'constructor.prototype',
      '{"threadId":"t","runId":"r","messages":[],"state":{"constructor":{"prototype":{"x":1}}}}',
    ],
    ['half a character', '{"threadId":"t\\ud800","runId":"r","messages":[]}'],
  ])('a body that is not what it should be is input_invalid: %s', async (_what, payload) => {
    await expectProblem(await raw(payload), 400, 'input_invalid');
  });

  test.each([
    ['threadId', { threadId: '' }],
    ['threadId', { threadId: 'a\u0000b' }],
    ['threadId', { threadId: 'x'.repeat(129) }],
    ['threadId', { threadId: 7 }],
    ['runId', { runId: null }],
    ['runId', { runId: 'line\nbreak' }],
    ['messages', { messages: {} }],
    ['messages.0', { messages: [{ role: 'user' }] }],
    ['resume.0.interruptId', { resume: [{ status: 'resolved' }] }],
    ['resume.0.status', { resume: [{ interruptId: 'i', status: 'maybe' }] }],
    ['forwardedProps.a2a.subscribeOnly', { forwardedProps: { a2a: { subscribeOnly: 'yes' } } }],
    ['forwardedProps.a2a.taskId', { forwardedProps: { a2a: { taskId: '\u0000' } } }],
  ])('a body that is not what it should be is input_invalid and names the path %s', async (path, change) => {
    const response = await run({ ...runBody(freshThread(), 'r1'), ...change });
    await expectProblem(response, 400, 'input_invalid');
    const { errors, detail } = response.json<{ errors: { path: string }[]; detail: string }>();
    expect(errors.some((error) => error.path.startsWith(path))).toBe(true);
    expect(detail).not.toBe('');
  });

  test.each([
    [{ status: 'resolved', values: [] }, 'values', 'expected an object'],
    [{ status: 'cancelled', reason: 7 }, 'reason', 'expected a text'],
    [{ status: 'cancelled', reason: 'x'.repeat(5_000) }, 'reason', 'expected at most 2000 characters'],
    [null, '', 'expected an object'],
  ])(
    'a body that is not what it should be is input_invalid and says in plain words what is expected: %j',
    async (body, path, message) => {
      const response = await raw(JSON.stringify(body), 'application/json', '/api/holds/none/decision');
      await expectProblem(response, 400, 'input_invalid');
      expect(response.json()).toMatchObject({ errors: [{ path, message }] });
    },
  );

  test('a body that is not what it should be is input_invalid by its content type', async () => {
    const json = JSON.stringify(runBody(freshThread(), 'r1'));
    await expectProblem(await raw(json, 'text/plain'), 400, 'input_invalid');
    await expectProblem(await raw(json, 'application/x-www-form-urlencoded'), 400, 'input_invalid');
    await expectProblem(await raw(json, 'nonsense'), 400, 'input_invalid');
  });
});

describe('what is too much or not there', () => {
  test('9 MiB are too_large', async () => {
    const body = runBody(freshThread(), 'r1', { state: { text: 'x'.repeat(9 * 1024 * 1024) } });
    await expectProblem(await run(body), 413, 'too_large');
  });

  test('what is too much or not there is answered when it has been sent: a client that is cut off while it sends gets no answer', async () => {
    const url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
    const mebibyte = Buffer.alloc(1024 * 1024, 'x');
    const sending = request(`${url}/agents/expenses/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 30 * mebibyte.length },
    });
    let isAnswered = false;
    const answer = once(sending, 'response').then(([response]) => {
      isAnswered = true;
      return response as IncomingMessage;
    });
    await new Promise((done) => sending.write(mebibyte, done));
    // It has the head by now, and could have answered.
    for (let probes = 0; probes < 20; probes++) await fetch(`${url}/healthz`);
    expect(isAnswered).toBe(false);
    for (let sent = 1; sent < 30; sent++) sending.write(mebibyte);
    sending.end();
    const response = await answer;
    expect(response.statusCode).toBe(413);
    expect(JSON.parse(await text(response))).toMatchObject({ code: 'too_large' });
  });

  test('an unknown agent, task, hold or address is not_found', async () => {
    const body = JSON.stringify(runBody(freshThread(), 'r1'));
    await expectProblem(await raw(body, 'application/json', '/agents/nobody/run'), 404, 'not_found');
    await expectProblem(await raw(body, 'application/json', '/agents/__proto__/run'), 404, 'not_found');
    for (const url of [
      '/api/tasks/none',
      '/api/holds/none',
      '/agents/nobody/capabilities',
      '/api/nothing',
      '/agents/expenses',
    ]) {
      await expectProblem(await rig.app.inject({ method: 'GET', url }), 404, 'not_found');
    }
  });

  test('another method than an address takes is 405 and says which it takes', async () => {
    const response = await rig.app.inject({ method: 'GET', url: '/api/login' });
    expect(response.statusCode).toBe(405);
    expect(response.headers['allow']).toBe('POST');
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect((await rig.app.inject({ method: 'DELETE', url: '/api/tasks/x' })).statusCode).toBe(405);
  });

  test.each([
    '/api/tasks/%00',
    '/api/holds/a%00b',
    '/api/holds?taskId=%00',
    '/api/holds?cursor=%00',
    '/api/holds?status=%00',
    ...['policy', 'requester', 'endedBy', 'agent', 'id', 'threadId'].flatMap((name) => [
      `/api/holds?${name}=abcd%00`,
      `/api/holds.csv?${name}=abcd%00`,
    ]),
    ...['q', 'agent', 'id'].map((name) => `/api/tasks?${name}=abcd%00`),
    '/api/tasks/%E0%A4%A',
    '/agents/expenses/threads/%00/events',
    `/api/holds/${'x'.repeat(401)}`,
    '/api/tasks?cursor=W10',
  ])('the address %s is the mistake of who asks', async (url) => {
    await expectProblem(await rig.app.inject({ method: 'GET', url }), 400, 'input_invalid');
  });

  test.each([
    "/api/holds/'; drop table holds; --",
    '/api/holds/hitl-%F0%9F%98%80-1',
    `/api/holds/hitl-${'x'.repeat(300)}-1`,
    '/api/tasks/..%2F..%2Fetc',
  ])('the address %s is simply not there', async (url) => {
    await expectProblem(
      await rig.app.inject({ method: 'GET', url: encodeURI(url).replaceAll('%25', '%') }),
      404,
      'not_found',
    );
  });
});

describe('every answer', () => {
  test('every answer carries a request id: the one that came, when it is sane', async () => {
    const id = async (given: string) =>
      (await rig.app.inject({ method: 'GET', url: '/healthz', headers: { 'x-request-id': given } })).headers[
        'x-request-id'
      ];
    expect(await id('trace-1')).toBe('trace-1');
    expect(await id('evil id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id('x'.repeat(200))).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('every answer carries headers that keep browsers careful', async () => {
    const { headers } = await rig.app.inject({ method: 'GET', url: '/agents' });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['strict-transport-security']).toBeUndefined();
  });
});

// Promise Y96
describe('a body of very many members or items is refused before it is parsed', () => {
  const many = Array.from({ length: 200_000 }, (_, n) => `"k${n}":1`).join(',');
  test.each([
    ['a run', '/agents/expenses/run', `{"threadId":"t","runId":"r","messages":[],"state":{${many}}}`],
    [
      'a run with a list',
      '/agents/expenses/run',
      `{"threadId":"t","runId":"r","messages":[${'[],'.repeat(200_000)}1]}`,
    ],
    ['a question', '/api/ask', `{"tool":{"name":"t","args":{${many}}}}`],
    ['a call over MCP', '/mcp', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${many}}}`],
    ['a message over A2A', '/a2a/expenses', `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{${many}}}`],
  ])('a body of very many members or items is refused before it is parsed: %s', async (_what, url, payload) => {
    const { body } = await raw(payload, 'application/json', url);
    expect(body).toContain('members and items; send less at a time');
  });

  test('a text with as many commas and brackets is a text', async () => {
    const response = await run({
      ...runBody(freshThread(), 'r1'),
      messages: [{ role: 'user', content: '[,{"\\'.repeat(60_000) }],
    });
    expect(response.body).not.toContain('members and items');
    expect(response.body).not.toContain('nested deeper');
  });
});
