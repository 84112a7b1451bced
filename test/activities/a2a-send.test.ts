// How a message finds its way to agents that do not take it by a stream, over real servers and a real store.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { sendOnce, type Sent } from '../../src/activities/turn/send-once.ts';
import { turnTiming } from '../../src/activities/timing.ts';
import type { TurnEvent } from '../../src/contract/tasks/turn.ts';
import { openTestStore } from '../rigs/store/test-store.ts';
import { FencedError, type Store } from '../../src/store/store.ts';
import {
  type AgentOptions,
  aCall,
  cardOf,
  listen,
  say,
  stateOf,
  stopServer,
  stopServers,
  transportTo,
} from './a2a-agents.ts';
import { depsOf } from './turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());
beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(stopServers);

interface Got {
  /** JSON-RPC method, or path of HTTP+JSON. */
  way: string;
  messageId: string | undefined;
  body: { id?: unknown; params?: { message?: object; configuration?: object } };
}
type Answer = (got: Got, response: ServerResponse) => void;

/** An agent with a good card that answers by hand; what it got, in order. */
async function agent(answer: Answer, options: AgentOptions = {}): Promise<{ url: string; got: Got[] }> {
  const got: Got[] = [];
  const url = await listen((own) => (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      if (request.url?.endsWith('agent-card.json')) {
        response.end(JSON.stringify(cardOf(own, options)));
        return;
      }
      const body = text === '' ? {} : JSON.parse(text);
      const way = body.method ?? request.url?.replace('/a2a', '') ?? '';
      const one: Got = { way, messageId: (body.params ?? body).message?.messageId, body };
      got.push(one);
      answer(one, response);
    });
  });
  return { url, got };
}

const json = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const refuse = (got: Got, response: ServerResponse, code: number, message = 'no'): void =>
  json(response, { jsonrpc: '2.0', id: got.body.id, error: { code, message } });
const task = { id: 'a2a-1', contextId: 'ctx-1', status: { state: 'TASK_STATE_SUBMITTED' } };
const take = (got: Got, response: ServerResponse): void =>
  json(response, { jsonrpc: '2.0', id: got.body.id, result: { task } });

let count = 0;
interface Over {
  mode?: 'stream' | 'send';
  config?: object;
  outageMs?: number;
  store?: Store;
  assertFence?: () => Promise<void>;
  sendBlockingForMs?: number;
  /** The task that the message is for. */
  a2aTaskId?: string;
}
async function send(url: string, over: Over = {}) {
  count += 1;
  const transport = transportTo(url, { ...over.config });
  const messageId = `m-${count}`;
  const deps = depsOf(over.store ?? store, () => transport);
  const { sendBlockingForMs = 3_000 } = over;
  const quick = {
    ...turnTiming,
    sendForMs: 300,
    sendBlockingForMs,
    settleMs: 20,
    backoffMs: 5,
    maxBackoffMs: 20,
    missingMs: 50,
  };
  const firsts: TurnEvent[] = [];
  const sent = await sendOnce(
    {
      deps: { ...deps, timing: quick },
      agent: 'fake',
      taskId: `task-${count}`,
      transport,
      attempt: 1,
      away: null,
      outageMs: over.outageMs ?? 5_000,
      signal: aCall().signal,
      fence: null,
      assertFence: over.assertFence ?? (() => Promise.resolve()),
      taken: (event, key) => {
        firsts.push(event);
        return store.intents.delivered(key);
      },
    },
    {
      intentKey: messageId,
      message: { ...say('hi', { messageId, ...(over.mode && { mode: over.mode }) }) },
      a2aTaskId: over.a2aTaskId ?? null,
      madeTaskId: null,
      contextId: 'ctx-1',
      isFoundOnly: false,
      pause: null,
    },
  );
  if (sent.result === 'delivered') sent.stop();
  return { sent, messageId, firsts };
}
const stateIn = ({ sent }: { sent: Sent }): string | null =>
  sent.result === 'delivered' && sent.first !== null ? stateOf(sent.first) : sent.result;
const waysOf = (got: Got[], messageId: string): (string | false)[] =>
  got.map((one) => one.messageId === messageId && one.way);

// Promise W19
describe('the time to send', () => {
  test('the time to send counts from before the intent is written, however long the database takes', async () => {
    const left: (number | undefined)[] = [];
    const { url, got } = await agent((one, response) => {
      void store.intents.get(one.messageId ?? '').then((intent) => {
        left.push(intent?.msLeft);
        take(one, response);
      });
    });
    let asked = 0;
    const assertFence = async (): Promise<void> => {
      asked += 1;
      // Longer than there is to send: others have begun to look.
      if (asked === 1) await new Promise((resolve) => setTimeout(resolve, 2_100));
    };
    const done = await send(url, { mode: 'send', assertFence, sendBlockingForMs: 2_000 });
    expect(stateIn(done)).toBe('submitted');
    expect(waysOf(got, done.messageId)).toEqual(['SendMessage']);
    expect(left[0]).toBeGreaterThan(0);
    expect(asked).toBe(2);
  });

  test('the time to send is a later attempt’s alone once that has written its intent', async () => {
    const { url, got } = await agent(take);
    const { intents } = store;
    const late: Store = {
      ...store,
      intents: {
        ...intents,
        // The later attempt writes between this one's look and its own intent.
        put: async (intent) => {
          await intents.put({ ...intent, attempt: 2 });
          return intents.put(intent);
        },
      },
    };
    await expect(send(url, { store: late })).rejects.toThrow(FencedError);
    expect(got).toEqual([]);
    expect(await intents.get(`m-${count}`)).toMatchObject({ attempt: 2 });
  });
});

describe('a message that its agent does not take by a stream', () => {
  // Promise B8
  test('a message that its agent does not take by a stream goes by a blocking send under the same id when the agent says that there is no such method', async () => {
    const { url, got } = await agent((one, response) =>
      one.way === 'SendStreamingMessage' ? refuse(one, response, -32601) : take(one, response),
    );
    const done = await send(url);
    expect(stateIn(done)).toBe('submitted');
    expect(waysOf(got, done.messageId)).toEqual(['SendStreamingMessage', 'SendMessage']);
    // The agent may answer before it is done.
    expect(got[1]?.body.params?.configuration).toEqual({ returnImmediately: true });
  });

  // Promise B8
  test.each([404, 405, 501])(
    'a message that its agent does not take by a stream goes so too when there is nothing at the address of streams (HTTP %i)',
    async (status) => {
      const { url, got } = await agent(
        (one, response) => (one.way === '/message:stream' ? json(response, {}, status) : json(response, { task })),
        { binding: 'HTTP+JSON' },
      );
      const done = await send(url);
      expect(stateIn(done)).toBe('submitted');
      expect(waysOf(got, done.messageId)).toEqual(['/message:stream', '/message:send']);
    },
  );

  test('a message that its agent does not take by a stream goes so over A2A 0.3 too', async () => {
    const { url, got } = await agent(
      (one, response) =>
        one.way === 'message/stream'
          ? refuse(one, response, -32601)
          : json(response, {
              jsonrpc: '2.0',
              id: one.body.id,
              result: { kind: 'task', id: 'a2a-1', contextId: 'ctx-1', status: { state: 'submitted' } },
            }),
      { version: '0.3' },
    );
    const done = await send(url);
    expect(stateIn(done)).toBe('submitted');
    expect(waysOf(got, done.messageId)).toEqual(['message/stream', 'message/send']);
    expect(got[1]?.body.params?.configuration).toMatchObject({ blocking: false });
  });

  // Promise B8
  test('a message that its agent does not take by a stream goes by a blocking send at once when the card says that there are no streams, or the run wants it so', async () => {
    const whole = await agent(take, { streaming: false });
    const done = await send(whole.url);
    expect(waysOf(whole.got, done.messageId)).toEqual(['SendMessage']);
    const streaming = await agent(take);
    const asked = await send(streaming.url, { mode: 'send' });
    expect([stateIn(asked), waysOf(streaming.got, asked.messageId)]).toEqual(['submitted', ['SendMessage']]);
  });

  test('a message that its agent does not take by a stream may be answered only when the agent is done, and that is waited for', async () => {
    const { url, got } = await agent((one, response) => setTimeout(() => take(one, response), 900).unref(), {
      streaming: false,
    });
    const done = await send(url);
    expect([stateIn(done), got.length]).toEqual(['submitted', 1]);
  });

  test('a message that its agent does not take by a stream is refused when the blocking send is refused too', async () => {
    const { url, got } = await agent((one, response) =>
      refuse(one, response, one.way === 'SendMessage' ? -32004 : -32601, 'not here'),
    );
    const { sent } = await send(url);
    expect(sent).toMatchObject({ result: 'refused', message: expect.stringContaining('not here') });
    expect(got).toHaveLength(2);
  });

  // Promise B8
  test('a message that its agent does not take by a stream has reached no agent where no connection can be made, by either way', async () => {
    const there = await agent(take);
    const gone = await agent(take);
    // The card is where it was; the address that it names is not.
    const url = await listen(
      () => (_request, response) => response.end(JSON.stringify({ ...cardOf(gone.url), name: 'moved away' })),
    );
    await stopServer(gone.url);
    const { sent } = await send(url, { config: { allowOrigins: [gone.url] }, outageMs: 100 });
    expect(sent).toMatchObject({ result: 'unreachable', message: expect.stringContaining('ECONNREFUSED') });
    expect(there.got).toEqual([]);
  });
});

describe('a message whose fate is not known', () => {
  // Promise B9
  test('a message whose fate is not known is searched for and never sent by another way', async () => {
    let known: string | undefined;
    const { url, got } = await agent((one, response) => {
      if (one.way === 'SendStreamingMessage') {
        known = one.messageId;
        response.socket?.destroy();
        return;
      }
      const found = { ...task, history: [{ messageId: known, role: 'ROLE_USER', parts: [{ text: 'hi' }] }] };
      const tasks = { tasks: [found], totalSize: 1 };
      json(response, { jsonrpc: '2.0', id: one.body.id, result: one.way === 'ListTasks' ? tasks : found });
    });
    const { sent } = await send(url);
    expect(sent).toMatchObject({ result: 'delivered', first: { type: 'task', a2aTaskId: 'a2a-1' } });
    expect(got.map(({ way }) => way)).toEqual(['SendStreamingMessage', 'ListTasks', 'GetTask']);
  });

  // Promise W22
  test('a message whose fate is not known is refused, and its delivery is known, where the agent has lost the task it is for', async () => {
    const { url, got } = await agent((one, response) => {
      if (one.way === 'SendStreamingMessage') response.socket?.destroy();
      else refuse(one, response, -32001, 'Task not found');
    });
    const { sent, messageId } = await send(url, { a2aTaskId: 'a2a-1' });
    expect(sent).toMatchObject({ result: 'refused', message: expect.stringContaining('Task not found') });
    expect(got.filter((one) => one.messageId === messageId)).toHaveLength(1);
  });

  // Promise B9
  test('a message whose fate is not known is unconfirmed where the agent cannot be asked, though it would take a blocking send', async () => {
    const { url, got } = await agent((one, response) => {
      if (one.way === 'SendStreamingMessage') response.socket?.destroy();
      else if (one.way === 'SendMessage') take(one, response);
      else refuse(one, response, -32601);
    });
    expect((await send(url)).sent).toMatchObject({ result: 'delivery-unknown' });
    expect(got.map(({ way }) => way)).not.toContain('SendMessage');
  });

  test('a message whose fate is not known is found at once by the attempt after one that died while a blocking send was on its way', async () => {
    const messageId = `m-${count + 1}`;
    const { url, got } = await agent(
      (one, response) => {
        const found = { ...task, history: [{ messageId, role: 'ROLE_USER', parts: [{ text: 'hi' }] }] };
        const result = one.way === 'ListTasks' ? { tasks: [found], totalSize: 1 } : found;
        json(response, { jsonrpc: '2.0', id: one.body.id, result });
      },
      { streaming: false },
    );
    await store.intents.put({ messageId, taskId: 't', attempt: 1, sendForMs: 60_000 });
    const { sent } = await send(url);
    expect([sent.result, got.map(({ way }) => way)]).toEqual(['delivered', ['ListTasks', 'GetTask']]);
  });
});
