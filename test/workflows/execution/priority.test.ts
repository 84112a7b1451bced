import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { answerGoesFirst } from './answer-first.ts';

const supervisor = createSupervisor();
let core: Core;

beforeAll(async () => {
  core = await startCore(supervisor, { config: { worker: { turnSlots: 1 } } });
});
afterAll(() => core?.stop());

// Promise W5
test('with every turn slot taken, an answered task goes before fifty new ones queued earlier', async () => {
  await expect(answerGoesFirst(core)).resolves.toBeUndefined();
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
  expect((await parked.holds()).map(({ status, ended }) => [status, ended?.by])).toEqual([['decided', 'local']]);
  await blocking.status('DONE');
});
