// Messages in addition to a turn, into a working task and to a supervisor agent, are woken with the others when their agent is back.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { arrivalsOf } from '../../rigs/agents/agent-facts.ts';
import { startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;
let working: FakeAgent;
let boss: FakeAgent;

beforeAll(async () => {
  [working, boss] = await Promise.all([startFakeAgent(supervisor), startFakeAgent(supervisor)]);
  core = await startCore(supervisor, {
    agents: {
      working: { url: working.url },
      boss: { url: boss.url },
      asking: { policy: 'of-boss' },
    },
    policies: { 'of-boss': { audience: ['agent:boss', 'role:finance'], expire: { after: '4h' } } },
    config: { agentOutage: '1h' },
    // Of itself nothing is tried again while these tests run.
    timing: { tryForMs: 400, away: { firstMs: 600_000, maxMs: 1_800_000 } },
  });
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

const away = (agent: FakeAgent): Promise<void> => agent.arm({ do: 'status', status: 503, on: 'any', times: 1_000_000 });

/** Its message waits outside of any slot: only a signal sends it before half an hour. */
const waitsFor = (task: TaskCase, name: string, activity: string): Promise<boolean> =>
  waitFor(
    async () => {
      const { pendingActivities } = (await task.handle.describe()).raw;
      const isPending = (pendingActivities ?? []).some(({ activityType }) => activityType?.name === activity);
      return (await core.engine.store.circuits.get(name))?.state === 'open' && !isPending;
    },
    30_000,
    `a message to wait for ${name}`,
  );

describe('a message in addition to a turn', () => {
  // Promise W5b
  test('a message into a working task whose agent was away reaches it once, as soon as it is back', async () => {
    const task = await core.engine.open('gate at-work; complete', { agent: 'working' });
    await working.atGate('at-work');
    await away(working);
    expect(await task.say('by the way')).toMatchObject({ kind: 'injected' });
    await waitsFor(task, 'working', 'injectMessage');
    await working.disarm();
    const words = async (): Promise<number> =>
      (await working.messages()).filter(({ parts }) => JSON.stringify(parts).includes('by the way')).length;
    await waitFor(async () => (await words()) === 1, 20_000, 'the message at the agent');
    await working.openGate('at-work');
    await task.status('DONE');
    expect(await words()).toBe(1);
  });

  // Promise W5b
  test('a supervisor agent that was away is asked once, as soon as it is back', async () => {
    await away(boss);
    const task = await core.engine.open('form => complete', { agent: 'asking' });
    await task.asked();
    await waitsFor(task, 'boss', 'askSupervisor');
    await boss.disarm();
    await waitFor(async () => (await boss.messages()).length === 1, 20_000, 'the question at the supervisor agent');
    const [asked] = await boss.messages();
    expect(await arrivalsOf(boss, asked?.messageId ?? '')).toHaveLength(1);
  });
});
