// What a probe of an agent finds: whether its server answers where messages go, and not only by its card.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { probe } from '../../../src/activities/circuits/probe.ts';
import { alwaysClosed } from '../../../src/activities/circuits/port.ts';
import { turnTiming } from '../../../src/activities/timing.ts';
import { sendOnce } from '../../../src/activities/turn/send-once.ts';
import type { Store } from '../../../src/store/store.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aCall, cardOf, everyWire, listen, startAgent, stopServers, transportTo } from '../a2a-agents.ts';
import { depsOf } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
// The SDK's server writes every refusal to the console.
beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(stopServers);
afterAll(() => store?.close());

type Answer = (response: ServerResponse, body: { id?: unknown; method?: string }) => void;

/** Its card is good; what is posted is answered so. */
const agentThat = (answer: Answer): Promise<string> =>
  listen((own) => (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.endsWith('agent-card.json') === true) {
      response.end(JSON.stringify(cardOf(own, {})));
      return;
    }
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => answer(response, text === '' ? {} : JSON.parse(text)));
  });

/** As the circuit reads what its probe came to, within a second. */
const probed = (url: string): ReturnType<typeof probe> => probe(transportTo(url), AbortSignal.timeout(5_000));

describe('a probe of an agent', () => {
  test.each(everyWire)(
    'a probe of an agent speaking A2A $version over $binding finds that it is there',
    async (options) => {
      expect(await probed(await startAgent(options))).toMatchObject({ isThere: true });
    },
  );

  // Promise W5b
  test('a probe of an agent that serves its card and hangs where messages go finds that it is away', async () => {
    await expect(
      transportTo(await agentThat(() => undefined)).ping({ signal: AbortSignal.timeout(1_000) }),
    ).rejects.toThrow();
    expect(await probed(await agentThat(() => undefined))).toEqual({ isThere: false, cause: 'aborted' });
  });

  test.each([
    ['a proxy before it says that it is away', 503, false],
    ['it refuses who asks', 401, true],
    ['it does not know the way', 404, true],
    ['it breaks', 500, true],
  ])(
    'a probe of an agent whose card is served and that answers where messages go, where %s (%d)',
    async (_what, status, isThere) => {
      const url = await agentThat((response) => void response.writeHead(status).end('no'));
      expect(await probed(url)).toMatchObject({ isThere });
    },
  );

  test('a probe of an agent that reports an error of its own finds that it is there', async () => {
    const error = { code: -32603, message: 'broken' };
    const url = await agentThat((response, { id }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    });
    expect(await probed(url)).toMatchObject({ isThere: true });
  });
});

/** Causes with which a message to it opened its circuit, while it is still on its way; and what was asked of it. */
async function whileSending(answer: Answer, until: (failed: string[], asked: string[]) => boolean): Promise<string[]> {
  const asked: string[] = [];
  const transport = transportTo(
    await agentThat((response, body) => {
      asked.push(body.method ?? '');
      answer(response, body);
    }),
  );
  const failed: string[] = [];
  const stop = new AbortController();
  const deps = depsOf(store, () => transport);
  const timing = { ...turnTiming, sendForMs: 4_000, sendBlockingForMs: 60_000, tryForMs: 1_000 };
  const sending = sendOnce(
    {
      deps: { ...deps, timing },
      circuits: { ...alwaysClosed, failed: async (_agent, cause) => void failed.push(cause) },
      agent: 'fake',
      taskId: `task-${asked.length}`,
      transport,
      attempt: 1,
      away: { since: null, isKept: false },
      outageMs: 60_000,
      signal: AbortSignal.any([aCall().signal, stop.signal]),
      fence: null,
      assertFence: () => Promise.resolve(),
      taken: () => Promise.resolve(),
    },
    {
      intentKey: `hangs-${Math.random()}`,
      message: { messageId: 'm', parts: [], taskId: null, contextId: 'ctx', extensions: [], metadata: {} },
      a2aTaskId: null,
      madeTaskId: null,
      contextId: 'ctx',
      isFoundOnly: false,
      pause: null,
    },
  );
  sending.catch(() => undefined);
  try {
    await waitFor(() => until(failed, asked), 30_000, 'what is learned while the message is on its way');
    return failed;
  } finally {
    stop.abort();
    await sending.catch(() => undefined);
  }
}
const unknown: Answer = (response, { id }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
};
const isMessage = (method = ''): boolean => ['SendMessage', 'SendStreamingMessage'].includes(method);

describe('a message that has no answer yet', () => {
  // Promise W5b
  test('a message that has no answer yet opens the circuit of an agent that lists no tasks and hangs', async () => {
    const hangs: Answer = (response, body) => (body.method === 'ListTasks' ? unknown(response, body) : undefined);
    expect((await whileSending(hangs, (failed) => failed.length > 0))[0]).toBe('unanswered');
  });

  test('a message that has no answer yet opens no circuit where its agent answers all else: it may be thinking', async () => {
    const thinks: Answer = (response, body) => (isMessage(body.method) ? undefined : unknown(response, body));
    const asked = (methods: string[]): number => methods.filter((method) => method === 'ListTasks').length;
    expect(await whileSending(thinks, (_failed, methods) => asked(methods) > 1)).toEqual([]);
  });
});
