// Messages to an agent on the JavaScript SDK that is frozen, or thinks for long before its first word.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { A2aTransport } from '../../src/activities/a2a/a2a-transport.ts';
import { sendOnce, type Sent } from '../../src/activities/turn/send-once.ts';
import { turnTiming } from '../../src/activities/timing.ts';
import { ConfigSchema } from '../../src/contract/configuration/config.ts';
import type { AgentConfig } from '../../src/contract/configuration/agent-config.ts';
import type { Store } from '../../src/store/store.ts';
import { type JsAgent, type JsAgentManner, startJsAgent } from '../rigs/agents/js-agent.ts';
import { createSupervisor } from '../rigs/process/supervisor.ts';
import { openTestStore } from '../rigs/store/test-store.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { aCall, say, transportTo } from './a2a-agents.ts';
import { depsOf } from './turns.ts';

const supervisor = createSupervisor();
let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
const frozen: JsAgent[] = [];
afterEach(() => frozen.splice(0).forEach(thaw));
afterAll(async () => {
  await store?.close();
  await supervisor.end();
});

function freeze(agent: JsAgent): void {
  process.kill(agent.process.pid, 'SIGSTOP');
  frozen.push(agent);
}

function thaw(agent: JsAgent): void {
  process.kill(agent.process.pid, 'SIGCONT');
}

/** How many connections to it hold something that it has not read. */
function unread({ url }: JsAgent): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, local, , state, queues]) => local?.endsWith(`:${port}`) && state !== '0A' && !queues?.endsWith(':00000000'),
    ).length;
}

let count = 0;

/** An agent that is known to show messages, and one to it. */
async function aMessage(manner: JsAgentManner = {}, resend: AgentConfig['resend'] = 'ask') {
  const agent = await startJsAgent(supervisor, 'steps', { gated: true, ...manner });
  const name = `agent-${new URL(agent.url).port}`;
  await store.agents.markShowsMessageIds(name);
  count += 1;
  const own = { messageId: `frozen-${count}`, contextId: `context-${count}` };
  // It is renewed halfway: on a busy machine 0.3 s were too few.
  const timing = { ...turnTiming, sendForMs: 3_000, settleMs: 500, sendBlockingForMs: 60_000, backoffMs: 5 };
  const { config } = depsOf(store, () => transportTo(agent.url));
  const { agents } = ConfigSchema.parse({ agents: { [name]: { url: agent.url, resend } } });
  return {
    agent,
    message: say('go', own),
    async send(transport: A2aTransport, attempt = 1): Promise<Sent['result']> {
      const sent = await sendOnce(
        {
          deps: { ...depsOf(store, () => transport, { config: { ...config, agents } }), timing },
          agent: name,
          taskId: `task-${count}`,
          transport,
          attempt,
          away: null,
          outageMs: 10_000,
          signal: aCall().signal,
          fence: null,
          assertFence: () => Promise.resolve(),
          taken: (_event, key) => store.intents.delivered(key),
        },
        {
          intentKey: own.messageId,
          message: say('go', own),
          a2aTaskId: null,
          madeTaskId: null,
          contextId: own.contextId,
          isFoundOnly: false,
          pause: null,
        },
      );
      if (sent.result === 'delivered') sent.stop();
      return sent.result;
    },
    /** Its sender has been given more time than it had. */
    async isExtended(): Promise<void> {
      const ends = new Set<string>();
      const isLonger = async (): Promise<boolean> => {
        const intent = await store.intents.get(own.messageId);
        return intent !== null && ends.add(intent.sendUntil).size > 2;
      };
      await waitFor(isLonger, 20_000, 'more time to send, twice');
    },
    executed: async (): Promise<number> =>
      (await agent.executions()).filter((one) => one.messageId === own.messageId).length,
  };
}

// Promise O3a
test('an agent that stood still executes once what a dead worker sent, though it answers a probe before it reads that', async () => {
  const { agent, message, send, executed } = await aMessage();
  const dead = transportTo(agent.url);
  // So the message goes by a connection that the agent has still to accept.
  for (const other of ['one', 'two', 'three']) {
    const stream = dead.sendStream(say(other, { contextId: other }), aCall());
    await stream[Symbol.asyncIterator]().next();
  }
  const next = transportTo(agent.url);
  await next.card(aCall());
  freeze(agent);
  const worker = new AbortController();
  const lost = dead.sendStream(message, { signal: worker.signal })[Symbol.asyncIterator]().next();
  await waitFor(() => unread(agent) === 1, 20_000, 'the message to lie there');
  worker.abort();
  await expect(lost).rejects.toThrow();
  await store.intents.put({ messageId: message.messageId, taskId: 'task', attempt: 1, sendForMs: 1 });
  const sent = send(next, 2);
  await waitFor(() => unread(agent) === 2, 20_000, 'a look to lie there');
  thaw(agent);
  expect([await sent, await executed()]).toEqual(['delivered', 1]);
});

// Promise O3a
test('an agent frozen for longer than the time to send is waited for, and executes the message once', async () => {
  const { agent, send, isExtended, executed } = await aMessage();
  const transport = transportTo(agent.url);
  await transport.card(aCall());
  freeze(agent);
  const sent = send(transport);
  await isExtended();
  thaw(agent);
  expect([await sent, await executed()]).toEqual(['delivered', 1]);
});

// Promise O3a
test('an agent that thinks for longer than the time to send before its first word executes a message once', async () => {
  const { agent, send, isExtended, executed } = await aMessage({ late: true });
  const sent = send(transportTo(agent.url));
  await isExtended();
  await agent.go();
  expect([await sent, await executed()]).toEqual(['delivered', 1]);
});

test.each([
  ['ask', 'delivered'],
  ['never', 'delivery-unknown'],
] as const)('a message that its agent does not show is, with `resend: %s`, %s', async (resend, as) => {
  const { agent, message, send, executed } = await aMessage({}, resend);
  await store.intents.put({ messageId: message.messageId, taskId: 'task', attempt: 1, sendForMs: 1 });
  expect(await send(transportTo(agent.url), 2)).toBe(as);
  expect(await executed()).toBe(as === 'delivered' ? 1 : 0);
});
