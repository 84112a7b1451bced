// The list "When a message does not get through" of docs/wire.md, entry by entry: a real agent on the JavaScript SDK behind a
// gateway that spoils the answer, and how often the agent's executor ran.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Sent } from '../../src/activities/turn/send-once.ts';
import { sendOnce } from '../../src/activities/turn/send-once.ts';
import { turnTiming } from '../../src/activities/timing.ts';
import type { Store } from '../../src/store/store.ts';
import { startJsAgent } from '../rigs/agents/js-agent.ts';
import type { JsAgent } from '../rigs/agents/js-agent.ts';
import { openTestStore } from '../rigs/store/test-store.ts';
import { createSupervisor } from '../rigs/process/supervisor.ts';
import { aCall, listen, say, stopServers, transportTo } from './a2a-agents.ts';
import { startGateway } from './faulty-gateway.ts';
import type { Gateway, GatewayFault } from './faulty-gateway.ts';
import { depsOf } from './turns.ts';

const supervisor = createSupervisor();
let store: Store;
let agent: JsAgent;
beforeAll(async () => {
  [store, agent] = await Promise.all([openTestStore(), startJsAgent(supervisor, 'survey')]);
});
afterAll(async () => {
  await store?.close();
  await supervisor.end();
});
beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(stopServers);

let count = 0;
interface Sender {
  gateway: Gateway;
  /** Sends a message, for this task if there is one, with a fault on its first try. */
  send(fault: GatewayFault | null, asked?: Asked): Promise<{ sent: Sent; executed: number; ways: string[] }>;
  /** A task that asks. */
  ask(): Promise<Asked>;
}
interface Asked {
  a2aTaskId: string;
  pauseId: string;
}

interface SenderOptions {
  isProven?: boolean;
  /** Further keys of the agent's configuration. With them nothing is known of it before the message: not its card either. */
  config?: Record<string, unknown>;
}

/** An agent under a name of its own: what is learnt of an agent is kept under its name. */
async function aSender({ isProven = true, config }: SenderOptions = {}): Promise<Sender> {
  count += 1;
  const name = `agent-${count}`;
  const gateway = await startGateway(agent.url);
  const transport = transportTo(gateway.url, config);
  const asking = config === undefined ? transport : transportTo(gateway.url);
  const deps = depsOf(store, () => transport);
  const timing = {
    ...turnTiming,
    sendForMs: 700,
    sendBlockingForMs: 3_000,
    settleMs: 20,
    backoffMs: 5,
    maxBackoffMs: 20,
    missingMs: 50,
  };
  if (isProven) await store.agents.markShowsMessageIds(name);
  const send: Sender['send'] = async (fault, asked) => {
    count += 1;
    const messageId = `message-${count}`;
    const before = gateway.sends().length;
    if (fault !== null) gateway.arm(fault);
    const contextId = asked === undefined ? `context-${count}` : '';
    const sent = await sendOnce(
      {
        deps: { ...deps, timing },
        agent: name,
        taskId: `task-${count}`,
        transport,
        attempt: 1,
        away: null,
        outageMs: 3_000,
        signal: aCall().signal,
        fence: null,
        assertFence: () => Promise.resolve(),
        taken: (_event, key) => store.intents.delivered(key),
      },
      {
        intentKey: messageId,
        message: say('green', { messageId, contextId: contextId || null, taskId: asked?.a2aTaskId ?? null }),
        a2aTaskId: asked?.a2aTaskId ?? null,
        madeTaskId: null,
        contextId,
        isFoundOnly: false,
        pause: asked === undefined ? null : { messageId: asked.pauseId },
      },
    );
    if (sent.result === 'delivered') sent.stop();
    const executed = (await agent.executions()).filter((one) => one.messageId === messageId).length;
    return { sent, executed, ways: gateway.sends().slice(before) };
  };
  return {
    gateway,
    send,
    async ask() {
      const call = aCall();
      for await (const event of asking.sendStream(say('hello', { contextId: null }), call)) {
        if (event.type === 'status' && event.state === 'input-required')
          return { a2aTaskId: event.a2aTaskId, pauseId: event.message?.messageId ?? '' };
      }
      throw new Error('the agent did not ask');
    },
  };
}

/** A provider of tokens that answers so, one after the other, and with the last ever after. */
async function aProvider(statuses: number[]): Promise<{ config: Record<string, unknown>; asked(): number }> {
  let asked = 0;
  const url = await listen(() => (_request, response) => {
    const status = statuses[Math.min(asked, statuses.length - 1)] ?? 500;
    asked += 1;
    const body = status === 200 ? { access_token: 'a-token', token_type: 'Bearer' } : { error: 'access_denied' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const oauth2 = { tokenUrl: `${url}/token`, clientId: 'standfast', clientSecret: 'its-secret' };
  return { config: { oauth2 }, asked: () => asked };
}

const [stream, blocking] = ['SendStreamingMessage', 'SendMessage'];
const noRoute: [string, Omit<GatewayFault, 'passes'>][] = [
  ['-32601', { code: -32601 }],
  ['HTTP 404', { status: 404 }],
  ['HTTP 405', { status: 405 }],
  ['HTTP 501', { status: 501 }],
];
const refusals: [string, Omit<GatewayFault, 'passes'>][] = [
  ['-32602', { code: -32602 }],
  ['-32600', { code: -32600 }],
  ['-32005', { code: -32005 }],
  ['-32008', { code: -32008 }],
  ['-32009', { code: -32009 }],
  ['-32602 inside the stream', { code: -32602, inStream: true }],
  ['-32005 inside the stream', { code: -32005, inStream: true }],
  ['-32009 inside the stream', { code: -32009, inStream: true }],
  ['HTTP 400', { status: 400 }],
  ['HTTP 403', { status: 403 }],
];
const later: [string, Omit<GatewayFault, 'passes'>][] = [
  ['HTTP 429', { status: 429 }],
  ['HTTP 503', { status: 503 }],
];
const reported: [string, Omit<GatewayFault, 'passes'>][] = [
  ['-32603', { code: -32603 }],
  ['a code that is not known', { code: -32099 }],
  ['-32603 inside the stream', { code: -32603, inStream: true }],
];
const unknown: [string, Omit<GatewayFault, 'passes'>][] = [
  ['-32006', { code: -32006 }],
  ['HTTP 500', { status: 500 }],
  ['HTTP 408', { status: 408 }],
  ['a connection that breaks', { cut: true }],
];

describe.each([
  ['a first message', false],
  ['a message for a task that is there', true],
])('sending %s', (_what, isFollowUp) => {
  const prepare = async (options = {}): Promise<{ sender: Sender; task: Asked | undefined }> => {
    const sender = await aSender(options);
    return { sender, task: isFollowUp ? await sender.ask() : undefined };
  };

  // Promise B9a
  test.each(noRoute)(
    'a message that found no way in (%s) goes by a blocking send, and is executed once',
    async (_name, fault) => {
      const { sender, task } = await prepare();
      const { sent, executed, ways } = await sender.send({ ...fault, passes: false }, task);
      expect([sent.result, executed, ways]).toEqual(['delivered', 1, [stream, blocking]]);
    },
  );

  // Promise B9a
  test.each(refusals)(
    'a message that is refused before it is executed (%s) is refused, and sent once',
    async (_name, fault) => {
      const { sender, task } = await prepare();
      const { sent, executed, ways } = await sender.send({ ...fault, passes: false }, task);
      expect([sent.result, executed, ways]).toEqual(['refused', 0, [stream]]);
    },
  );

  // Promise B9a
  test.each(later)('a message that is not taken now (%s) is sent again, and is executed once', async (_name, fault) => {
    const { sender, task } = await prepare();
    const { sent, executed, ways } = await sender.send({ ...fault, passes: false }, task);
    expect([sent.result, executed, ways]).toEqual(['delivered', 1, [stream, stream]]);
  });

  test.each(reported)(
    'a message on which its agent reports an error (%s) is not sent again as a first one, and again where it answers',
    async (_name, fault) => {
      const { sender, task } = await prepare();
      const { sent, executed, ways } = await sender.send({ ...fault, passes: false }, task);
      const expected = isFollowUp ? ['delivered', 1, [stream, stream]] : ['refused', 0, [stream]];
      expect([sent.result, executed, ways]).toEqual(expected);
      if (!isFollowUp) expect(sent).toMatchObject({ message: expect.stringContaining('the agent answered: ') });
    },
  );

  test.each(reported)(
    'a message on which its agent reports an error (%s) is followed where it came',
    async (_name, fault) => {
      const { sender, task } = await prepare();
      const { sent, executed, ways } = await sender.send({ ...fault, passes: true }, task);
      expect([sent.result, executed, ways]).toEqual(['delivered', 1, [stream]]);
    },
  );

  // Promise B9a
  test.each(unknown)(
    'a message of which it is not known whether it came (%s) is sent again when it did not',
    async (_name, fault) => {
      const { sender, task } = await prepare();
      const { sent, executed, ways } = await sender.send({ ...fault, passes: false }, task);
      expect([sent.result, executed, ways]).toEqual(['delivered', 1, [stream, stream]]);
    },
  );

  // Promise B9a
  test.each(unknown)(
    'a message of which it is not known whether it came (%s) stays where it is when it did',
    async (_name, fault) => {
      const { sender, task } = await prepare();
      const { sent, executed, ways } = await sender.send({ ...fault, passes: true }, task);
      expect([sent.result, executed, ways]).toEqual(['delivered', 1, [stream]]);
    },
  );

  // Promise B9a, B9e
  test('a message whose stream ends before it began goes by a blocking send when it did not come, and stays where it is when it did', async () => {
    for (const [passes, expected] of [
      [false, [stream, blocking]],
      [true, [stream]],
    ] as const) {
      const { sender, task } = await prepare();
      const { sent, executed, ways } = await sender.send({ empty: true, passes }, task);
      expect([sent.result, executed, ways]).toEqual(['delivered', 1, expected]);
    }
  });

  // Promise B9e
  test('a message whose stream ends before it began is unconfirmed where its agent does not show what it has, and the next goes without a stream', async () => {
    const { sender, task } = await prepare({ isProven: false });
    sender.gateway.hide('ListTasks', 'GetTask');
    const lost = await sender.send({ empty: true, passes: true }, task);
    expect([lost.sent.result, lost.executed, lost.ways]).toEqual(['delivery-unknown', 1, [stream]]);
    const next = await sender.send(null, task);
    expect([next.sent.result, next.executed, next.ways]).toEqual(['delivered', 1, [blocking]]);
  });

  // Promise B9a
  test('a message that found no card is sent when there is one, and is executed once', async () => {
    const { sender, task } = await prepare({ config: {} });
    sender.gateway.loseCard();
    const { sent, executed, ways } = await sender.send(null, task);
    expect([sent.result, executed, ways]).toEqual(['delivered', 1, [stream]]);
  });

  // Promise B9a
  test('a message that got no token is sent when there is one, and is executed once', async () => {
    const provider = await aProvider([503, 200]);
    const { sender, task } = await prepare({ config: provider.config });
    const { sent, executed, ways } = await sender.send(null, task);
    expect([sent.result, executed, ways, provider.asked()]).toEqual(['delivered', 1, [stream], 2]);
  });

  // Promise B9a
  test('a message for which a provider gives no token is refused, and never sent', async () => {
    const provider = await aProvider([403]);
    const { sender, task } = await prepare({ config: provider.config });
    const { sent, executed, ways } = await sender.send(null, task);
    expect([sent.result, executed, ways]).toEqual(['refused', 0, []]);
  });

  // Promise B9a, U2
  test.each<[string, (sender: Sender) => void]>([
    [
      'its card names',
      ({ gateway }): void =>
        gateway.changeCard((card) => card.supportedInterfaces.forEach((one) => (one.url = 'http://127.0.0.1:1/a2a'))),
    ],
    ['it is redirected to', ({ gateway }): void => gateway.arm({ passes: false, redirect: 'http://127.0.0.1:1/a2a' })],
  ])(
    'a message for an address that %s and the configuration does not allow is refused, and not executed',
    async (_how, spoil) => {
      const { sender, task } = await prepare({ config: {} });
      spoil(sender);
      const { sent, executed } = await sender.send(null, task);
      expect([sent.result, executed]).toEqual(['refused', 0]);
      expect(sent).toMatchObject({ message: expect.stringContaining('http://127.0.0.1:1') });
    },
  );

  // Promise B9a
  test('a message whose outcome cannot be known is unconfirmed, and executed once at most', async () => {
    const { sender, task } = await prepare({ isProven: false });
    sender.gateway.hide('ListTasks', 'GetTask');
    const { sent, executed, ways } = await sender.send({ cut: true, passes: true }, task);
    expect([sent.result, executed, ways]).toEqual(['delivery-unknown', 1, [stream]]);
  });

  // Promise B9a
  test.each(['-32003', '-32602'])(
    'a message whose address to notify is refused (%s) is distinguished',
    async (code) => {
      const { sender, task } = await prepare();
      const words = 'Invalid push notification URL';
      const { sent, executed } = await sender.send({ code: Number(code), words, passes: false }, task);
      expect([sent, executed]).toEqual([expect.objectContaining({ result: 'refused', isAboutPush: true }), 0]);
    },
  );
});

describe('a message for a task that is there, once it is executed,', () => {
  const ran = [...noRoute, ...refusals, ['-32004', { code: -32004 }] as (typeof noRoute)[number]];
  // Promise B9a
  test.each(ran)(
    'a message for a task that is there, once it is executed, is not sent again, whatever the agent answers (%s)',
    async (_name, fault) => {
      const sender = await aSender();
      const { sent, executed, ways } = await sender.send({ ...fault, passes: true }, await sender.ask());
      expect([sent.result, executed, ways]).toEqual(['delivered', 1, [stream]]);
    },
  );
});

// Promise B9b
describe('-32004', () => {
  test('-32004 to a message for a task that does not have it is followed by a blocking send, also for the next', async () => {
    const sender = await aSender();
    const task = await sender.ask();
    const first = await sender.send({ code: -32004, passes: false }, task);
    expect([first.sent.result, first.executed, first.ways]).toEqual(['delivered', 1, [stream, blocking]]);
    const next = await sender.send(null, await sender.ask());
    expect([next.sent.result, next.executed, next.ways.at(-1)]).toEqual(['delivered', 1, blocking]);
    // First messages of the same agent go as before.
    expect((await sender.send(null)).ways).toEqual([stream]);
  });

  test('-32004 inside a stream proves nothing either: what is not there goes by a blocking send', async () => {
    const sender = await aSender();
    const fault = { code: -32004, inStream: true, passes: false };
    const { sent, executed, ways } = await sender.send(fault, await sender.ask());
    expect([sent.result, executed, ways]).toEqual(['delivered', 1, [stream, blocking]]);
  });

  test('-32004 to a message for a task that proves nothing is unconfirmed, and executed once at most', async () => {
    const sender = await aSender({ isProven: false });
    const task = await sender.ask();
    sender.gateway.hide('GetTask');
    const { sent, executed, ways } = await sender.send({ code: -32004, passes: true }, task);
    expect([sent.result, executed, ways]).toEqual(['delivery-unknown', 1, [stream]]);
  });

  test('-32004 to a first message proves that it was not taken, where the card now says that there are no streams', async () => {
    const sender = await aSender();
    await sender.ask();
    sender.gateway.changeCard((card) => (card.capabilities.streaming = false));
    const { sent, executed, ways } = await sender.send({ code: -32004, passes: false });
    expect([sent.result, executed, ways]).toEqual(['delivered', 1, [stream, blocking]]);
  });

  test.each([
    ['is there', true, 'delivered'],
    ['is not', false, 'delivery-unknown'],
  ])(
    '-32004 to a first message, where the card says that there are streams, proves nothing: it %s',
    async (_name, passes, as) => {
      const sender = await aSender();
      const { sent, executed, ways } = await sender.send({ code: -32004, passes });
      expect([sent.result, executed, ways]).toEqual([as, passes ? 1 : 0, [stream]]);
    },
  );
});

describe('a message for a task that is gone or over', () => {
  // Promise Y86
  test('a message for a task that one of the agent’s replicas does not know is sent again, and executed once', async () => {
    const sender = await aSender();
    const fault = { code: -32001, words: 'Task not found', passes: false };
    const { sent, executed, ways } = await sender.send(fault, await sender.ask());
    expect([sent.result, executed, ways]).toEqual(['delivered', 1, [stream, stream]]);
  });

  // Promise B9a
  test.each([['-32004 of a terminal state', { code: -32004, words: 'Task is in a terminal state' }]])(
    'a message for a task that is gone or over is refused (%s)',
    async (_name, fault) => {
      const sender = await aSender();
      const { sent, executed, ways } = await sender.send({ ...fault, passes: false }, await sender.ask());
      expect([sent.result, executed, ways]).toEqual(['refused', 0, [stream]]);
    },
  );
});
