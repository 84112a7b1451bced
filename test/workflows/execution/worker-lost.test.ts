import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { localTarget } from '../../../src/host/temporal/temporal-connection.ts';
import { arrivalsOf, cancelsOf } from '../../rigs/agents/agent-facts.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { startTcpProxy } from '../../rigs/process/tcp-proxy.ts';
import { waitFor } from '../../rigs/wait-for.ts';

// Each of these takes the one worker away, so they run one after the other.
const supervisor = createSupervisor();
let core: Core;

beforeAll(async () => {
  core = await startCore(supervisor, {
    agents: { steps: { policy: 'steps' } },
    policies: { steps: { ladder: [{ after: '1s', remind: true }] } },
  });
});
afterAll(() => core?.stop());

/** PENDING_ACTIVITY_STATE_STARTED */
const startedActivity = 2;

const tokens = (count: number): string => Array.from({ length: count }, (_, index) => `t${index + 1} `).join('');

async function expectOnce(task: TaskCase): Promise<void> {
  expect(await task.text('reply')).toBe(tokens(30));
  expect(await task.text('second')).toBe(tokens(30));
  const types = (await task.log()).map(({ type }) => type);
  expect(types.filter((type) => type === 'RUN_STARTED')).toHaveLength(1);
  expect(types.filter((type) => type === 'RUN_FINISHED')).toHaveLength(1);
  expect(await arrivalsOf(core.agent, task.messageId(1))).toHaveLength(1);
}

test('a turn whose worker stops goes on in the next worker, with nothing lost and nothing emitted twice', async () => {
  const { agent, engine } = core;
  const task = await engine.open('stream 30 5; gate stopped; stream 30 5 second; complete');
  await agent.atGate('stopped');
  await engine.stopWorker();
  expect((await agent.ledger()).filter(({ method }) => method === 'CancelTask')).toEqual([]);
  await agent.openGate('stopped');
  await engine.startWorker();
  expect(await task.status('DONE', 'FAILED')).toMatchObject({ error: null });
  await expectOnce(task);
});

test('a turn whose worker is cut off from Temporal goes on in another, while the first still reads the agent', async () => {
  const { agent, engine, temporal } = core;
  const proxy = await startTcpProxy({ port: temporal.port });
  supervisor.defer(() => proxy.close());
  await engine.startWorker({ target: localTarget(proxy.address, temporal.target.namespace) });
  // Only the one behind the proxy takes the turn.
  await engine.stopWorker('first');
  const task = await engine.open('stream 30 5; gate zombie; stream 30 5 second; complete');
  await agent.atGate('zombie');
  await proxy.refuse();
  await engine.startWorker();
  const isTakenOver = async (): Promise<boolean> => {
    const [activity] = (await task.handle.describe()).raw.pendingActivities ?? [];
    return (activity?.attempt ?? 0) > 1 && activity?.state === startedActivity;
  };
  await waitFor(isTakenOver, 40_000, 'a second attempt of the turn');
  await agent.openGate('zombie');
  expect(await task.status('DONE', 'FAILED')).toMatchObject({ error: null });
  await expectOnce(task);
  await proxy.accept();
  await waitFor(() => proxy.connections() > 0, 15_000, 'the first worker to be back');
  await engine.stopWorker('first');
});

// Promise W25
test('a cancel of a turn whose worker is lost is sent to the agent by another', async () => {
  const { agent, engine, temporal } = core;
  const proxy = await startTcpProxy({ port: temporal.port });
  supervisor.defer(() => proxy.close());
  await engine.startWorker({ target: localTarget(proxy.address, temporal.target.namespace) });
  await engine.stopWorker('first');
  const task = await engine.open('stream 3 1; gate lost; complete');
  await agent.atGate('lost');
  await waitFor(async () => (await task.row()).a2aTaskId !== null, 45_000, 'the agent’s task id');
  const { a2aTaskId } = await task.row();
  await proxy.refuse();
  await engine.startWorker();
  await task.handle.cancel();
  expect(await task.closed()).toBe('CANCELLED');
  expect(await cancelsOf(agent, a2aTaskId)).toHaveLength(1);
  await proxy.accept();
  await waitFor(() => proxy.connections() > 0, 45_000, 'the first worker to be back');
  await engine.stopWorker('first');
});

test('what fell due while no worker was up is made up for, in order', async () => {
  const { engine } = core;
  const task = await engine.open('form => complete', { agent: 'steps' });
  const hold = await task.asked();
  await engine.stopWorker();
  await waitFor(() => Date.now() > Date.parse(hold.nextStep?.at ?? '') + 200, 5_000, 'the step to be due');
  await engine.startWorker();
  await task.runEnded(`standfast-${task.taskId}-step-1-1`);
  expect((await task.asked()).nextStep).toMatchObject({ do: 'expire' });
  await task.decide(answer(hold, { colour: 'green' }));
  await task.status('DONE');
});
