// What a park and its answer cost in history: each event is a write of the server, and each task an activation.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answer, startCore } from '../rigs/engine.ts';
import type { Core } from '../rigs/engine.ts';
import { createSupervisor } from '../rigs/supervisor.ts';

const supervisor = createSupervisor();
let core: Core;

beforeAll(async () => {
  core = await startCore(supervisor, { timing: { reportDeliveredAfterMs: 60_000 } });
}, 60_000);
afterAll(() => core?.stop(), 30_000);

const task = ['WORKFLOW_TASK_SCHEDULED', 'WORKFLOW_TASK_STARTED', 'WORKFLOW_TASK_COMPLETED'];
const turn = ['ACTIVITY_TASK_SCHEDULED', 'ACTIVITY_TASK_STARTED', 'ACTIVITY_TASK_COMPLETED'];
const update = ['WORKFLOW_EXECUTION_UPDATE_ACCEPTED', 'WORKFLOW_EXECUTION_UPDATE_COMPLETED'];
const shown = 'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES';

test('a task that parks once and completes is 28 events: four tasks, two turns, two updates, a timer', async () => {
  const parked = await core.engine.open('form => stream 3; complete');
  const hold = await parked.asked();
  await parked.quiet();
  // As the api stamps what it has checked.
  await parked.decide({ ...answer(hold, { colour: 'green' }), checked: { digest: hold.digest } });
  expect(await parked.closed()).toBe('COMPLETED');
  const names = (await parked.history()).map(({ eventType }) => eventType.replace('EVENT_TYPE_', ''));
  const expected = [
    ['WORKFLOW_EXECUTION_STARTED', ...task, ...update, ...turn],
    [...task, shown, 'TIMER_STARTED'],
    [...task, ...update, 'TIMER_CANCELED', ...turn],
    [...task, shown, 'WORKFLOW_EXECUTION_COMPLETED'],
  ].flat();
  expect(expected.length).toBe(28);
  expect(names.toSorted()).toEqual(expected.toSorted());
  expect(names.length).toBeLessThanOrEqual(30);
});
