// Agents that the SDKs of JavaScript, Python and Go serve, by each binding of A2A: what docs/a2a.md says of them.
import { describe, expect, test } from '@jest/globals';
import {
  type Binding,
  type BindingAgent,
  bindings,
  hasSdk,
  type Sdk,
  sdks,
  startBindingAgent,
} from '../../rigs/agents/binding-agent.ts';
import { textsOf } from '../../rigs/streams/agui.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { decided, ended, interruptOf, longMs, openHold, tasksOf, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const pairs = sdks.flatMap((sdk) => bindings.map((binding): [Sdk, Binding] => [sdk, binding]));
const served = pairs.filter(([sdk]) => hasSdk(sdk));
const nameOf = (sdk: Sdk, binding: Binding): string => `${sdk}-${binding.replace('+', '-')}`.toLowerCase();

const agents = new Map<string, BindingAgent>();
const agentOf = (name: string): BindingAgent => {
  const agent = agents.get(name);
  if (agent === undefined) throw new Error(`no agent ${name}`);
  return agent;
};

const { supervisor, up, startAgain } = startProduct(async (publicUrl) => {
  for (const [sdk, binding] of served)
    agents.set(nameOf(sdk, binding), await startBindingAgent(supervisor, sdk, binding));
  const lines = [...agents].map(
    ([name, { url, grpcOrigin }]) => `  ${name}: { url: '${url}', allowOrigins: ['${grpcOrigin}'] }`,
  );
  const all = lines.length === 0 ? ["  none: { url: 'http://127.0.0.1:9/' }"] : lines;
  return `server: { publicUrl: '${publicUrl}' }\nagents:\n${all.join('\n')}\n`;
});

const wordsOf = (events: readonly WireEvent[]): string => [...textsOf(events).values()].join(' ');
const say = async (agent: string, threadId: string, text: string, end: string): Promise<WireEvent[]> =>
  ended(await up.run(agent, { threadId, text }, longMs), end);
/** What the agent wrote down of this kind, or of a payment of this invoice. */
const written = async (agent: string, of: string | number): Promise<unknown[][]> =>
  (await agentOf(agent).executed()).filter((one): one is unknown[] => Array.isArray(one) && one[0] === of);
const yes = { status: 'resolved' as const, payload: { approved: true } };

const each = served.map(([sdk, binding]) => [sdk, binding, nameOf(sdk, binding)] as const);

(each.length === 0 ? describe.skip : describe)('an agent on an SDK of A2A', () => {
  // Promise B9g
  test.each(each)(
    'an agent on the SDK for %s over %s streams its words, and pays once what a person approves',
    async (_sdk, _binding, agent) => {
      const events = await say(agent, 'talk', 'hello', 'success');
      expect(wordsOf(events)).toBe('One two three four');
      expect(events.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT').length).toBeGreaterThan(1);
      const asked = await say(agent, 'paid', 'pay 1', 'interrupt');
      expect(await openHold(up, agent, 'paid')).toMatchObject({ title: 'Pay invoice 1?' });
      const resume = [{ interruptId: interruptOf(asked), ...yes }];
      const done = ended(await up.run(agent, { threadId: 'paid', resume }, longMs), 'success');
      expect(wordsOf(done)).toContain('paid 1 to Miller Ltd');
      expect(await written(agent, 1)).toHaveLength(1);
    },
  );

  // Promise W11
  test.each(each)(
    'an agent on the SDK for %s over %s pushes what becomes of a task, and each push is taken',
    async (_sdk, _binding, agent) => {
      await say(agent, 'pushed', 'hello', 'success');
      await waitFor(async () => (await written(agent, 'push')).length > 0, longMs, 'a push');
      expect((await written(agent, 'push')).filter(([, fault]) => fault !== null)).toEqual([]);
    },
  );

  test.each(each)(
    'an agent on the SDK for %s over %s has a task cancelled while it works',
    async (_sdk, _binding, agent) => {
      const stream = await up.openRun(agent, { threadId: 'cancelled', text: 'slow' });
      await waitFor(async () => (await written(agent, 'slow')).length > 0, longMs, 'the work to begin');
      const [task] = await tasksOf(up, agent, 'cancelled');
      expect((await up.post(`/api/tasks/${task?.id}/cancel`)).status).toBeLessThan(300);
      expect((await waitForTask(up, task?.id ?? '', 'CANCELED', 'DONE', 'FAILED')).status).toBe('CANCELED');
      await stream.over(longMs);
    },
  );

  test.each(each)(
    'an agent on the SDK for %s over %s that was killed ends its task with a reason, and pays nothing',
    async (_sdk, _binding, agent) => {
      await say(agent, 'killed', 'pay 3', 'interrupt');
      const { id, taskId } = await openHold(up, agent, 'killed');
      await agentOf(agent).restart();
      await decided(up, id, { status: 'resolved', values: yes.payload });
      const { status, error } = await waitForTask(up, taskId, 'DONE', 'FAILED');
      expect([status, error?.message]).toEqual(['FAILED', expect.stringMatching(/\S/)]);
      expect(await written(agent, 3)).toEqual([]);
    },
  );

  // One kill for all of them: a start takes as long as a test.
  // Promise B9g
  test('an agent on an SDK of A2A goes on through kill -9 of Standfast: joined again, and sent nothing twice', async () => {
    const names = each.map(([, , name]) => name);
    const begin = async (agent: string) => {
      const before = (await written(agent, 'slow')).length;
      const joins = (await written(agent, 'joined')).length;
      await up.openRun(agent, { threadId: 'through', text: 'linger' });
      await waitFor(async () => (await written(agent, 'slow')).length > before, longMs, `${agent} to begin`);
      const [task] = await tasksOf(up, agent, 'through');
      await say(agent, 'asked', 'pay 4', 'interrupt');
      return { agent, joins, began: before + 1, works: task?.id ?? '', asks: await openHold(up, agent, 'asked') };
    };
    const begun = await Promise.all(names.map(begin));
    await up.process.kill9();
    await startAgain();
    for (const { agent, joins, began, works, asks } of begun) {
      await waitFor(async () => (await written(agent, 'joined')).length > joins, longMs, `${agent} to be joined`);
      await agentOf(agent).letGo();
      expect((await waitForTask(up, works, 'DONE', 'FAILED')).status).toBe('DONE');
      expect(await written(agent, 'slow')).toHaveLength(began);
      await decided(up, asks.id, { status: 'resolved', values: yes.payload });
      expect((await waitForTask(up, asks.taskId, 'DONE', 'FAILED')).status).toBe('DONE');
      expect(await written(agent, 4)).toHaveLength(1);
    }
  });
});
