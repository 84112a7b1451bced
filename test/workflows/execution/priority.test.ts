import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { shortQueue, taskQueue } from '../../../src/workflows/messages.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { answerGoesFirst } from './answer-first.ts';

const supervisor = createSupervisor();
let core: Core;

beforeAll(async () => {
  core = await startCore(supervisor, {
    agents: { other: {}, late: { policy: 'soon' } },
    policies: { soon: { expire: { after: '3s', then: 'fail' } } },
    config: { worker: { turnSlots: 1 } },
  });
});
afterAll(() => core?.stop());

// Promise W5
test('with every turn slot taken, an answered task goes before fifty new ones queued earlier', async () => {
  await expect(answerGoesFirst(core)).resolves.toBeUndefined();
});

test('with every turn slot taken, a new task of one agent does not wait for thirty of another queued earlier', async () => {
  const { agent, engine } = core;
  const blocking = await engine.open('gate fair; complete');
  await agent.atGate('fair');
  const many = await Promise.all(Array.from({ length: 30 }, () => engine.open('complete')));
  const queued = async ({ handle }: TaskCase): Promise<boolean> =>
    ((await handle.describe()).raw.pendingActivities ?? []).length === 1;
  await waitFor(
    async () => (await Promise.all(many.map(queued))).every(Boolean),
    20_000,
    'the turns of many in the queue',
  );
  const one = await engine.open('complete', { agent: 'other' });
  await waitFor(() => queued(one), 10_000, 'the turn of the other in the queue');

  await agent.openGate('fair');
  await Promise.all([blocking, one, ...many].map((task) => task.status('DONE')));
  const arrived = (await agent.messages()).map(({ messageId }) => messageId);
  const after = arrived.slice(arrived.indexOf(blocking.messageId(1)) + 1);
  expect(after.indexOf(one.messageId(1))).toBeLessThan(3);
  expect(after).toContain(one.messageId(1));
  expect(after).toHaveLength(31);
});

// Promise W26
test('an answer whose turn is cancelled before it began leaves no open question', async () => {
  const { agent, engine } = core;
  const parked = await engine.open('form => complete');
  const hold = await parked.asked();
  const blocking = await engine.open('gate still; complete');
  await agent.atGate('still');
  await parked.decide(answer(hold, { colour: 'green' }));
  const isWaitingFor = async (name: string): Promise<boolean> => {
    const { pendingActivities } = (await parked.handle.describe()).raw;
    return (pendingActivities ?? []).some(({ activityType }) => activityType?.name === name);
  };
  await waitFor(() => isWaitingFor('runTurn'), 45_000, 'its turn in the queue');
  await parked.handle.cancel();
  await waitFor(() => isWaitingFor('stopAgent'), 45_000, 'the word to the agent in the queue');
  await agent.openGate('still');
  expect(await parked.closed()).toBe('CANCELLED');
  const { events } = await parked.handle.fetchHistory();
  const stop = events
    ?.map(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled)
    .find((scheduled) => scheduled?.activityType?.name === 'stopAgent');
  expect(stop?.priority).toMatchObject({ priorityKey: 1, fairnessKey: parked.agent });
  expect((await parked.holds()).map(({ status, ended }) => [status, ended?.by])).toEqual([['decided', 'local']]);
  await blocking.status('DONE');
});

// Promise W2g
test('with every turn slot taken for long, the end of a task is written all the same, among the short work', async () => {
  const { agent, engine } = core;
  const parked = await engine.open('form => complete', { agent: 'late' });
  await parked.asked();
  const blocking = await engine.open('gate slots; complete');
  await agent.atGate('slots');
  await parked.status('FAILED');
  expect(await parked.closed()).toBe('FAILED');
  const { events } = await parked.handle.fetchHistory();
  const queues = events?.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name === 'closeTask' ? [scheduled.taskQueue?.name] : [],
  );
  expect(queues).toEqual([taskQueue, shortQueue]);
  await agent.openGate('slots');
  await blocking.status('DONE');
});
