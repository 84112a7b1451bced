import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { TurnEvent } from '../../../src/contract/tasks/turn.ts';
import {
  type AgentOptions,
  aCall,
  cardOf,
  collect,
  everyWire,
  httpWires,
  connectionsTo,
  failureOf,
  idOf,
  listen,
  say,
  startAgent,
  startBroken,
  startDeployed,
  stateOf,
  stopServers,
  transportTo,
} from '../a2a-agents.ts';

// The SDK's server writes every refusal to the console.
beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(stopServers);

describe.each(everyWire)('an agent speaking A2A $version over $binding', (options) => {
  test('an agent is sent a message, streams its answer, and can be read again', async () => {
    const transport = transportTo(await startAgent(options));
    let responses = 0;
    let bytes = 0;
    const call = aCall({ onResponse: () => (responses += 1), onBytes: (count) => (bytes += count) });
    const events = await collect(transport.sendStream(say('echo'), call));
    expect(events.map(stateOf)).toEqual(['submitted', 'working', 'artifact', 'completed']);
    expect(responses).toBe(1);
    expect(bytes).toBeGreaterThan(100);
    const task = await transport.getTask(idOf(events[0]), {}, aCall());
    expect(task).toMatchObject({
      type: 'task',
      state: 'completed',
      contextId: 'ctx-1',
      artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'you said echo' }] }],
    });
    expect(task).toMatchObject({
      history: expect.arrayContaining([expect.objectContaining({ messageId: 'mine-echo', role: 'user' })]),
    });
  });

  test('a task that is read again and again takes few connections, and each message one of its own', async () => {
    const url = await startAgent(options);
    const transport = transportTo(url);
    const [first] = await collect(transport.sendStream(say('ask'), aCall()));
    const read = connectionsTo(url);
    for (let n = 0; n < 10; n += 1) await transport.getTask(idOf(first), {}, aCall());
    expect(read()).toBeLessThan(5);
    const sent = connectionsTo(url);
    for (let n = 0; n < 3; n += 1) await collect(transport.sendStream(say(`echo ${n}`), aCall()));
    expect(sent()).toBe(3);
  });

  // Promise B26
  test('an agent pauses, is answered on the same task, and ends', async () => {
    const transport = transportTo(await startAgent(options));
    const asked = await collect(transport.sendStream(say('ask'), aCall()));
    expect(asked.at(-1)).toMatchObject({
      type: 'status',
      state: 'input-required',
      message: { parts: [{ kind: 'data', data: { type: 'a2a.hitl.form', formId: 'f' } }] },
    });
    const answered = await collect(transport.sendStream(say('done', { taskId: idOf(asked[0]) }), aCall()));
    expect(answered.map(stateOf).at(-1)).toBe('completed');
  });

  test('an agent is sent a message without a stream, answers at once, and is followed by subscribing', async () => {
    const transport = transportTo(await startAgent(options));
    const [first, ...more] = await collect(transport.sendStream(say('wait', { mode: 'send' }), aCall()));
    expect([first?.type, more]).toEqual(['task', []]);
    expect(['submitted', 'working']).toContain(first && stateOf(first));
    const again = transport.resubscribe(idOf(first), aCall())[Symbol.asyncIterator]();
    expect((await again.next()).value).toMatchObject({ type: 'task', a2aTaskId: idOf(first) });
    const next = again.next();
    await transport.cancel(idOf(first), aCall());
    expect((await next).value).toMatchObject({ type: 'status', state: 'canceled' });
  });

  test('an agent answers with a message only, with a stream and without', async () => {
    const transport = transportTo(await startAgent(options));
    for (const mode of ['stream', 'send'] as const) {
      const answer = await collect(transport.sendStream(say('chat', { mode }), aCall()));
      expect(answer).toEqual([
        {
          type: 'message',
          contextId: 'ctx-1',
          message: expect.objectContaining({
            messageId: 'm',
            role: 'agent',
            parts: [{ kind: 'text', text: 'hello', metadata: {} }],
          }),
        },
      ]);
    }
  });

  test('an agent refuses a message or a subscription to a task that has ended', async () => {
    const transport = transportTo(await startAgent(options));
    const [first] = await collect(transport.sendStream(say('echo'), aCall()));
    const error = await failureOf(() => collect(transport.sendStream(say('more', { taskId: idOf(first) }), aCall())));
    expect(transport.classify(error)).toMatchObject({ kind: 'final', what: 'terminal-task', wasTaken: false });
    const late = await failureOf(() => collect(transport.resubscribe(idOf(first), aCall())));
    expect(transport.classify(late).kind).toBe('final');
  });

  // Promise B27
  test('an agent is called with a token of its provider, and once more with a fresh one when it is too old', async () => {
    let good = 1;
    let count = 0;
    const tokenUrl = await listen(() => (request, response) => {
      request.resume().on('end', () => {
        count += 1;
        response.end(JSON.stringify({ access_token: `token-${count}`, token_type: 'Bearer', expires_in: 3600 }));
      });
    });
    const accepts = (authorization: string): boolean => authorization === `Bearer token-${good}`;
    const oauth2 = { tokenUrl, clientId: 'standfast', clientSecret: 'secret-of-the-client' };
    const transport = transportTo(await startAgent({ ...options, accepts }), { oauth2 });
    expect((await collect(transport.sendStream(say('echo'), aCall()))).map(stateOf).at(-1)).toBe('completed');
    good = 2;
    expect((await collect(transport.sendStream(say('echo'), aCall()))).map(stateOf).at(-1)).toBe('completed');
    good = 4;
    const error = await failureOf(() => collect(transport.sendStream(say('echo'), aCall())));
    expect(transport.classify(error)).toMatchObject({ kind: 'final', what: 'http', status: 401, wasTaken: false });
    expect(count).toBe(3);
  });

  test('an agent is asked to cancel, and does', async () => {
    const transport = transportTo(await startAgent(options));
    const control = new AbortController();
    const seen: TurnEvent[] = [];
    for await (const event of transport.sendStream(say('wait'), { signal: control.signal })) {
      seen.push(event);
      if (stateOf(event) === 'working') break;
    }
    expect(await transport.cancel(idOf(seen[0]), aCall())).toMatchObject({ type: 'task', state: 'canceled' });
  });

  test('an agent does not know a task that was never made', async () => {
    const transport = transportTo(await startAgent(options));
    const error = await failureOf(() => transport.getTask('nope', {}, aCall()));
    expect(transport.classify(error)).toMatchObject({ kind: 'final', what: 'task-not-found', wasTaken: false });
  });
});

describe('an agent of A2A 1.0', () => {
  test('an agent of A2A 1.0 is searched for a message from Standfast by its context', async () => {
    const transport = transportTo(await startAgent());
    await collect(transport.sendStream(say('echo'), aCall()));
    const find = (contextId: string, messageId: string) => transport.findByMessageId({ contextId, messageId }, aCall());
    expect(await find('ctx-1', 'mine-echo')).toMatchObject({
      found: { type: 'task', state: 'completed', artifacts: [{ artifactId: 'a' }] },
    });
    expect(await find('ctx-1', 'mine-other')).toEqual({ absent: true });
    expect(await find('ctx-2', 'mine-echo')).toEqual({ absent: true });
  });

  test('an agent of A2A 1.0 is searched through all pages', async () => {
    const transport = transportTo(await startAgent());
    for (let index = 0; index < 103; index += 1) {
      await collect(transport.sendStream(say('echo', { messageId: `mine-${index}` }), aCall()));
    }
    for (const messageId of ['mine-0', 'mine-102']) {
      const found = await transport.findByMessageId({ contextId: 'ctx-1', messageId }, aCall());
      expect(found).toMatchObject({ found: { history: [{ messageId }] } });
    }
  });

  // Promise CO11
  test('an agent of A2A 1.0 is subscribed to again: the task first, then what is new', async () => {
    const transport = transportTo(await startAgent());
    for await (const event of transport.sendStream(say('wait'), aCall())) {
      if (event.type !== 'task') continue;
      const again = transport.resubscribe(event.a2aTaskId, aCall())[Symbol.asyncIterator]();
      expect((await again.next()).value).toMatchObject({ type: 'task', a2aTaskId: event.a2aTaskId });
      const next = again.next();
      await transport.cancel(event.a2aTaskId, aCall());
      expect((await next).value).toMatchObject({ type: 'status' });
      break;
    }
  });

  test('an agent of A2A 1.0 refuses to cancel what is completed', async () => {
    const transport = transportTo(await startAgent());
    const [first] = await collect(transport.sendStream(say('echo'), aCall()));
    const error = await failureOf(() => transport.cancel(idOf(first), aCall()));
    expect(transport.classify(error)).toMatchObject({ kind: 'final', what: 'not-cancelable' });
  });

  test('an agent of A2A 1.0 without streaming answers at once and is polled', async () => {
    const transport = transportTo(await startAgent({ streaming: false }));
    expect(await transport.supportsStreaming(aCall())).toBe(false);
    const events = await collect(transport.sendStream(say('wait'), aCall()));
    expect(events).toMatchObject([{ type: 'task', state: expect.stringMatching(/submitted|working/) }]);
    expect(stateOf(await transport.getTask(idOf(events[0]), { historyLength: 0 }, aCall()))).toBe('working');
  });

  // Promise B2
  test('an agent of A2A 1.0 gets our headers, extensions, metadata and every kind of part', async () => {
    let seen: { headers: IncomingMessage['headers']; body: string } | undefined;
    const url = await listen((own) => (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        if (request.method === 'GET') {
          response.end(JSON.stringify(cardOf(own)));
          return;
        }
        seen = { headers: request.headers, body };
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      });
    });
    const message = say('hi', {
      parts: [
        { kind: 'text', text: 'hi', metadata: {} },
        { kind: 'data', data: { a: 1 }, metadata: { k: 'v' } },
        { kind: 'file', name: 'n', mediaType: 'text/plain', uri: null, base64: 'aGk=', metadata: {} },
      ],
      taskId: 't',
      extensions: ['urn:x'],
      metadata: { 'urn:x': { on: true } },
      acceptedOutputModes: ['text/plain', 'application/json'],
      historyLength: 3,
    });
    expect(
      await collect(transportTo(url, { headers: { Authorization: 'Bearer secret-1' } }).sendStream(message, aCall())),
    ).toEqual([]);
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer secret-1',
      'a2a-extensions': 'urn:x',
      'a2a-version': '1.0',
    });
    expect(JSON.parse(seen?.body ?? '')).toMatchObject({
      method: 'SendStreamingMessage',
      params: {
        configuration: { acceptedOutputModes: ['text/plain', 'application/json'], historyLength: 3 },
        message: {
          messageId: 'mine-hi',
          role: 'ROLE_USER',
          taskId: 't',
          contextId: 'ctx-1',
          extensions: ['urn:x'],
          metadata: { 'urn:x': { on: true } },
          parts: [
            { text: 'hi' },
            { data: { a: 1 }, metadata: { k: 'v' } },
            { raw: 'aGk=', filename: 'n', mediaType: 'text/plain' },
          ],
        },
      },
    });
  });
  // Promise B29
  test('an agent of A2A 1.0 is asked for the extensions of its card that we know and for those of the configuration, in every request and in no message', async () => {
    const hitl = 'https://kagent.dev/extensions/hitl/v1';
    const seen: { active: unknown; body: string }[] = [];
    const url = await listen((own) => (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const card = cardOf(own);
        if (request.method === 'GET') {
          const extensions = [{ uri: 'urn:unknown' }, { uri: hitl }, null];
          response.end(JSON.stringify({ ...card, capabilities: { streaming: true, extensions } }));
          return;
        }
        seen.push({ active: request.headers['a2a-extensions'], body });
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      });
    });
    const transport = transportTo(url);
    await collect(transport.sendStream(say('hi'), aCall()));
    await collect(transport.sendStream(say('hi', { extensions: [hitl, 'urn:x'] }), aCall()));
    await collect(transport.resubscribe('t', aCall()));
    await collect(transportTo(url, { extensions: ['urn:own'] }).sendStream(say('hi'), aCall()));
    expect(seen.map(({ active }) => active)).toEqual([hitl, `${hitl},urn:x`, hitl, `urn:own,${hitl}`]);
    expect(seen.map(({ body }) => JSON.parse(body).params.message?.extensions)).toEqual([
      undefined,
      [hitl, 'urn:x'],
      undefined,
      undefined,
    ]);
  });
});

describe('an agent of A2A 0.3', () => {
  test.each(['JSONRPC', 'HTTP+JSON'] as const)(
    'an agent of A2A 0.3 over %s cannot be searched for a message',
    async (binding) => {
      const transport = transportTo(await startAgent({ version: '0.3', binding }));
      expect(await transport.findByMessageId({ contextId: 'c', messageId: 'm' }, aCall())).toBe('unsupported');
    },
  );
});

const changes = httpWires.flatMap((before) =>
  httpWires.flatMap((after) => (before === after ? [] : [{ before, after }])),
);
const wireOf = ({ version, binding }: AgentOptions): string => `${version} over ${binding}`;

describe('an agent that is deployed again while its card is kept', () => {
  // Promise Y85
  test.each(changes.map(({ before, after }) => [wireOf(before), wireOf(after), before, after] as const))(
    'an agent that is deployed again while its card is kept, from %s to %s, is read, answered once and sent the next message',
    async (_before, _after, before, after) => {
      const { url, deploy } = await startDeployed(before);
      const transport = transportTo(url);
      const asked = await collect(transport.sendStream(say('ask'), aCall()));
      const taskId = idOf(asked[0]);
      deploy(after);
      expect(await transport.getTask(taskId, {}, aCall())).toMatchObject({ state: 'input-required' });
      deploy(before);
      const answered = await collect(transport.sendStream(say('done', { taskId }), aCall()));
      expect(answered.map(stateOf).at(-1)).toBe('completed');
      const task = await transport.getTask(taskId, {}, aCall());
      const got = task.type === 'task' ? task.history.filter(({ messageId }) => messageId === 'mine-done') : [];
      expect(got).toHaveLength(1);
      deploy(after);
      expect((await collect(transport.sendStream(say('echo'), aCall()))).map(stateOf).at(-1)).toBe('completed');
    },
  );

  test('an agent whose card says the same again is asked once, and its refusal is what it was', async () => {
    let calls = 0;
    const url = await startBroken((_request, response) => {
      calls += 1;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no such method' } }));
    });
    const transport = transportTo(url);
    for (let n = 1; n <= 2; n += 1) {
      const error = await failureOf(() => transport.getTask('a-1', {}, aCall()));
      expect(transport.classify(error)).toMatchObject({ what: 'no-method', wasTaken: false });
      expect(calls).toBe(n);
    }
  });
});
