// An agent whose card answers while its messages hang is away, too. In an engine of its own: a message that hangs keeps its slot
// until its time is over, and next to those of other agents none would be left for it when it is back.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { arrivalsOf, sendsTo } from '../../rigs/agents/agent-facts.ts';
import { startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { waitsForAgent } from '../../rigs/engine/away.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;
let mute: FakeAgent;
let bare: FakeAgent;

beforeAll(async () => {
  [mute, bare] = await Promise.all([
    startFakeAgent(supervisor),
    startFakeAgent(supervisor, { settings: { noListTasks: true } }),
  ]);
  core = await startCore(supervisor, {
    agents: {
      mute: { url: mute.url },
      bare: { url: bare.url },
    },
    config: { worker: { turnSlots: 5 } },
    timing: { sendForMs: 10_000, sendBlockingForMs: 600_000, tryForMs: 1_000 },
  });
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

describe('an agent that serves its card and hangs where messages go', () => {
  // Promise W5b
  test.each([
    ['lists its tasks', 'mute', () => mute],
    ['lists no tasks', 'bare', () => bare],
  ])(
    'an agent that serves its card, %s and hangs where messages go is away, and is asked to take no other message',
    async (_what, name, agentOf) => {
      const agent = agentOf();
      await agent.arm({ do: 'hang', times: 1_000_000, on: 'any' });
      const first = await core.engine.open('complete', { agent: name });
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
      await agent.disarm();
      for (const task of others) expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
      for (const task of [first, ...others])
        expect((await arrivalsOf(agent, task.messageId(1))).length).toBeLessThanOrEqual(1);
    },
  );
});
