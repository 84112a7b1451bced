// Circuits of agents and messages that wait, as several workers share them.
import { expect, test } from '@jest/globals';
import { nextCircuit, type CircuitEvent } from '../../../src/core/turn/circuit.ts';
import type { AgentCircuit } from '../../../src/store/ports/circuits.ts';
import type { Store } from '../../../src/store/store.ts';
import { aTask, onEachDatabase } from '../stores.ts';

const bounds = { probeEveryMs: 0, maxTrialEveryMs: 0, maxRetryAfterMs: 0 };
const failed: CircuitEvent = { type: 'failed', cause: 'network', retryAfterMs: 0 };
const there: CircuitEvent = { type: 'probed', isThere: true, cause: '' };
const meets = (store: Store, agent: string, event: CircuitEvent): Promise<AgentCircuit | null> =>
  store.circuits.change(agent, (before) => nextCircuit(before, event, bounds));

let count = 0;
/** An agent that no other test has. */
const anAgent = (): string => `circuit-${(count += 1)}`;

onEachDatabase(({ store }) => {
  test('a circuit keeps since when its agent is away, whatever is met meanwhile, and is gone when it is closed', async () => {
    const agent = anAgent();
    const opened = await meets(store(), agent, failed);
    expect(opened).toMatchObject({ agent, state: 'open', cause: 'network' });
    const halfOpen = await meets(store(), agent, there);
    expect(halfOpen).toMatchObject({ state: 'half-open', since: opened?.since });
    const listed = (await store().circuits.list()).find((one) => one.agent === agent);
    expect(listed?.awayMs).toBeGreaterThanOrEqual(halfOpen?.awayMs ?? Number.NaN);
    expect(listed?.awayMs).toBeLessThan(60_000);
    await meets(store(), agent, { type: 'taken' });
    expect(await meets(store(), agent, { type: 'drained' })).toBeNull();
    expect(await store().circuits.get(agent)).toBeNull();
  });

  test('a circuit that workers change at the same time takes each change, and one of them probes', async () => {
    const agent = anAgent();
    await Promise.all(Array.from({ length: 8 }, () => meets(store(), agent, failed)));
    const claims = Array.from({ length: 8 }, () => store().circuits.claimDue(agent, 'open', 60_000));
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
  });

  test('a circuit that is half open lets one message try, and another one once its time is over', async () => {
    const agent = anAgent();
    await meets(store(), agent, failed);
    expect(await store().circuits.claimTrial(agent, 'a', 60_000)).toBe(false);
    await meets(store(), agent, there);
    const tries = ['a', 'b', 'c', 'd'].map((taskId) => store().circuits.claimTrial(agent, taskId, 60_000));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    await meets(store(), agent, failed);
    await meets(store(), agent, there);
    expect(await store().circuits.claimTrial(agent, 'e', 0)).toBe(true);
    expect(await store().circuits.claimTrial(agent, 'f', 60_000)).toBe(true);
  });

  test('messages that wait are woken answers first, each by one worker, and a later wait of a task is not removed with it', async () => {
    const agent = anAgent();
    const { circuits } = store();
    const messages = [false, false, true].map((hasAnswers) => {
      const { taskId, workflowId, firstExecutionRunId } = aTask();
      return { key: taskId, taskId, workflowId, firstExecutionRunId, agent, resumes: 0, hasAnswers };
    });
    for (const message of messages) await circuits.wait(message);
    expect((await circuits.countWaiting())[agent]).toBe(3);
    const [first] = await circuits.claimWaiting(agent, 1, 60_000);
    expect(first).toEqual(messages[2]);
    const others = await Promise.all([
      circuits.claimWaiting(agent, 5, 60_000),
      circuits.claimWaiting(agent, 5, 60_000),
    ]);
    expect(others.flat().map(({ taskId }) => taskId)).toEqual(messages.slice(0, 2).map(({ taskId }) => taskId));
    if (first === undefined) throw new Error('no message waits');
    await circuits.wait({ ...first, resumes: 1 });
    await circuits.woken([first, ...others.flat()]);
    expect(await circuits.claimWaiting(agent, 5, 60_000)).toEqual([{ ...first, resumes: 1 }]);
  });

  test('the service levels of workers that are alive are added up, and stay as they are where a heartbeat has none', async () => {
    const counts = [0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    const levels = { deadline: { '["finance"]': { hour: counts, day: counts } } };
    await store().workers.heartbeat('l-1', undefined, levels);
    await store().workers.heartbeat('l-2', undefined, levels);
    await store().workers.heartbeat('l-2');
    const [, deadline] = await store().workers.levels(60_000);
    expect(deadline?.of).toEqual([
      { names: ['finance'], hour: { total: 8, late: 2, p99: null }, day: { total: 8, late: 2, p99: null } },
    ]);
    for (const worker of ['l-1', 'l-2']) await store().workers.leave(worker);
    expect((await store().workers.levels(60_000))[1]?.of).toEqual([]);
  });

  test('the slots of workers that are alive are added up', async () => {
    const slots = { total: 5, agents: { slots: { sending: 1, answering: 2, silent: 0 } } };
    await store().workers.heartbeat('w-1', slots);
    await store().workers.heartbeat('w-2', slots);
    const { agents } = await store().workers.slots(60_000);
    expect(agents['slots']).toEqual({ sending: 2, answering: 4, silent: 0 });
    await Promise.all(['w-1', 'w-2'].map((id) => store().workers.leave(id)));
  });
});
