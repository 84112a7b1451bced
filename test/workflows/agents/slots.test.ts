// Waiting is never done in a slot: agents that hang, or are away, delay no other agent's tasks and no answer.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { arrivalsOf, sendsTo } from '../../rigs/agents/agent-facts.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { waitsForAgent } from '../../rigs/engine/away.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;
let hanging: FakeAgent;
let down: FakeAgent;
let mute: FakeAgent;
let bare: FakeAgent;
const many = Array.from({ length: 70 }, (_, n) => n);

beforeAll(async () => {
  [hanging, down, mute, bare] = await Promise.all([
    startFakeAgent(supervisor),
    startFakeAgent(supervisor),
    startFakeAgent(supervisor),
    startFakeAgent(supervisor, { settings: { noListTasks: true } }),
  ]);
  core = await startCore(supervisor, {
    agents: {
      healthy: {},
      hanging: { url: hanging.url },
      down: { url: down.url },
      mute: { url: mute.url },
      bare: { url: bare.url },
    },
    config: { worker: { turnSlots: 64 } },
    timing: { sendForMs: 10_000, sendBlockingForMs: 600_000, tryForMs: 1_000 },
  });
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

describe('an agent that hangs before its first word', () => {
  // Promise W5a
  test('an agent that hangs, with more messages than there are slots, delays neither a run nor an answer of another', async () => {
    const asked = await core.engine.open('form => complete', { agent: 'healthy' });
    const hold = await asked.asked();
    const hangs = { do: 'hang', times: 1_000_000 } as const;
    await hanging.arm({ ...hangs, on: 'any' }, { ...hangs, on: 'card' });
    const waiting = await Promise.all(many.map(() => core.engine.open('complete', { agent: 'hanging' })));
    const run = await core.engine.open('complete', { agent: 'healthy' });
    await asked.decide(answer(hold, { colour: 'green' }));
    // Both end while the other agent still hangs.
    expect(await run.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
    expect(await asked.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
    for (const task of waiting) expect((await task.row()).status).not.toBe('DONE');
    await hanging.disarm();
    for (const task of waiting) expect((await arrivalsOf(hanging, task.messageId(1))).length).toBeLessThanOrEqual(1);
  });
});

describe('an agent that serves its card and hangs where messages go', () => {
  // Promise W5b
  test.each([
    ['lists its tasks', 'mute', () => mute],
    ['lists no tasks', 'bare', () => bare],
  ])(
    'an agent that serves its card, %s and hangs where messages go is away, is asked to take no other message, and takes them when it is back',
    async (_what, name, agentOf) => {
      const agent = agentOf();
      await agent.arm({ do: 'hang', times: 1_000_000, on: 'any' });
      const crowd = await Promise.all(many.map(() => core.engine.open('complete', { agent: name })));
      const { circuits } = core.engine.store;
      const isOpen = async (): Promise<boolean> => (await circuits.get(name))?.state === 'open';
      await waitFor(isOpen, 60_000, 'the circuit of the agent to be open');
      const others = await Promise.all([1, 2, 3].map(() => core.engine.open('complete', { agent: name })));
      for (const task of others) await waitsForAgent(task);
      const probed = (await circuits.get(name))?.failures ?? 0;
      // What answers the card alone is not asked to take a message.
      await waitFor(async () => ((await circuits.get(name))?.failures ?? 0) > probed + 2, 60_000, 'more probes');
      const sent = await sendsTo(agent);
      for (const task of others) expect(sent).not.toContain(task.messageId(1));
      const unsent = crowd.filter((task) => !sent.includes(task.messageId(1)));
      await agent.disarm();
      // Those that were sent hang until their time ends, in all slots that the agent may have.
      for (const task of [...unsent, ...others])
        expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
      for (const task of [...crowd, ...others])
        expect((await arrivalsOf(agent, task.messageId(1))).length).toBeLessThanOrEqual(1);
    },
  );
});

describe('an agent that is away', () => {
  // Promise W5b
  test('an agent that is away is asked by one probe for all of its messages, which go once it is back, and none twice', async () => {
    const asked = await core.engine.open('form => complete', { agent: 'down' });
    const hold = await asked.asked();
    const gone = { do: 'status', status: 503, times: 1_000_000 } as const;
    await down.arm({ ...gone, on: 'any' }, { ...gone, on: 'card' });
    const [first, ...others] = await Promise.all(many.map(() => core.engine.open('complete', { agent: 'down' })));
    if (first === undefined) throw new Error('a task is missing');
    await waitsForAgent(first);
    const isOpen = async (): Promise<boolean> => (await core.engine.store.circuits.get('down'))?.state === 'open';
    await waitFor(isOpen, 20_000, 'the circuit of the agent to be open');
    for (const task of others) await waitsForAgent(task);
    // What comes now goes to the agent by no request of its own.
    const late = await core.engine.open('complete', { agent: 'down' });
    await asked.decide(answer(hold, { colour: 'green' }));
    await Promise.all([late, asked].map(waitsForAgent));
    const sent = await sendsTo(down);
    expect(sent).not.toContain(late.messageId(1));
    expect(sent).not.toContain(asked.messageId(2));
    expect((await late.row()).stuck?.cause).toBe('agent_away');

    await down.disarm();
    const all = [first, ...others, late, asked];
    for (const task of all) expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE', stuck: null });
    for (const task of all.slice(0, -1)) expect(await arrivalsOf(down, task.messageId(1))).toHaveLength(1);
    expect(await arrivalsOf(down, asked.messageId(2))).toHaveLength(1);
    const isClosed = async (): Promise<boolean> => (await core.engine.store.circuits.get('down')) === null;
    await waitFor(isClosed, 20_000, 'the circuit of the agent to be closed');
  });
});
