import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { arrivalsOf } from '../../rigs/agents/agent-facts.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';

const supervisor = createSupervisor();
let core: Core;
let old: FakeAgent;
let polled: FakeAgent;

beforeAll(async () => {
  const nobody = await supervisor.freePort();
  [old, polled] = await Promise.all([
    startFakeAgent(supervisor, { settings: { protocol: '0.3' } }),
    startFakeAgent(supervisor, { settings: { streaming: false } }),
  ]);
  core = await startCore(supervisor, {
    agents: { old: { url: old.url }, polled: { url: polled.url }, nobody: { url: `http://127.0.0.1:${nobody}/` } },
    config: { agentOutage: '2s' },
    timing: { stalePauseMs: 1_000 },
  });
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

async function replyOf(task: TaskCase): Promise<unknown> {
  const { a2aTaskId } = await task.row();
  return (await task.view()).messages.find(({ id }) => id === `artifact:${a2aTaskId}:reply`)?.['content'];
}

describe.each([
  ['an agent of A2A 0.3', 'old', (): FakeAgent => old],
  ['an agent that cannot stream', 'polled', (): FakeAgent => polled],
])('with %s', (_what, name, agentOf) => {
  test.concurrent('an agent of an odd kind asks, is answered once, and completes', async () => {
    const task = await core.engine.open('stream 4 5; form => stream 3 1 more; complete', { agent: name });
    const hold = await task.asked();
    expect(await replyOf(task)).toBe('t1 t2 t3 t4 ');
    await task.decide(answer(hold, { colour: 'green' }));
    expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE', error: null });
    expect(await arrivalsOf(agentOf(), task.messageId(1))).toHaveLength(1);
    expect(await arrivalsOf(agentOf(), task.messageId(2))).toHaveLength(1);
  });

  test.concurrent('an agent of an odd kind asks twice in a row, and both are questions', async () => {
    const task = await core.engine.open('ask One? => ask Two? => complete', { agent: name });
    await task.decide(answer(await task.asked(1), { text: 'first' }));
    const second = await task.asked(2);
    expect(second.question.message).toBe('Two?');
    await task.decide(answer(second, { text: 'second' }));
    await task.status('DONE');
  });

  test.concurrent('an agent of an odd kind asks twice without a word or an id to tell one pause from the other, and both are questions', async () => {
    const task = await core.engine.open('pause => pause => complete', { agent: name });
    await task.decide(answer(await task.asked(1), { text: 'first' }));
    await task.decide(answer(await task.asked(2), { text: 'second' }));
    await task.status('DONE');
    expect(await arrivalsOf(agentOf(), task.messageId(3))).toHaveLength(1);
  });

  test.concurrent('an agent of an odd kind is cancelled when its task is', async () => {
    const task = await core.engine.open(`gate ${name}; complete`, { agent: name });
    await agentOf().atGate(name);
    await task.handle.cancel();
    expect(await task.closed()).toBe('CANCELLED');
    expect((await agentOf().ledger()).filter(({ method }) => method === 'CancelTask')).toHaveLength(1);
  });
});

describe('an agent of A2A 0.3', () => {
  test.concurrent('an agent of A2A 0.3 that cannot be asked whether a first message came leaves it unconfirmed', async () => {
    await old.arm({ do: 'drop-response', match: 'old-and-lost' });
    const task = await core.engine.open('say old-and-lost; complete', { agent: 'old' });
    expect((await task.asked()).question.kind).toBe('operator');
    await task.decide(answer(await task.asked(), { choice: 'give_up' }));
    expect(await task.status('FAILED')).toMatchObject({ error: { code: 'delivery_unknown' } });
  });

  test.concurrent('an agent of A2A 0.3 that can be asked for a task it named knows an answer again', async () => {
    const task = await core.engine.open('form => complete', { agent: 'old' });
    const hold = await task.asked();
    const note = `old-${task.threadId}-`;
    await old.arm({ do: 'drop-response', match: note });
    await task.decide(answer(hold, { colour: 'green', note }));
    await task.status('DONE');
    expect(await arrivalsOf(old, task.messageId(2))).toHaveLength(1);
  });
});

describe('an agent that is never up', () => {
  test.concurrent('an agent that is never up fails the task with agent_unreachable when its outage has lasted too long', async () => {
    const task = await core.engine.open('complete', { agent: 'nobody' });
    expect(await task.status('FAILED')).toMatchObject({ error: { code: 'agent_unreachable' } });
    expect(await task.closed()).toBe('FAILED');
    expect((await task.log()).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'agent_unreachable' });
  });
});
