// What a park and its answer cost in history: each event is a write of the server, and each task an activation.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';

import { apiOf } from '../../rigs/engine/engine-api.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { taskQueue } from '../../../src/workflows/messages.ts';

const supervisor = createSupervisor();
let core: Core;
let app: FastifyInstance;

beforeAll(async () => {
  core = await startCore(supervisor, {
    timing: { reportDeliveredAfterMs: 60_000 },
    agents: { late: { policy: 'soon' } },
    policies: { soon: { expire: { after: '1s', then: 'fail' } } },
  });
  app = apiOf(core.engine);
});
afterAll(async () => {
  await app?.close();
  await core?.stop();
});

const task = ['WORKFLOW_TASK_SCHEDULED', 'WORKFLOW_TASK_STARTED', 'WORKFLOW_TASK_COMPLETED'];
const turn = ['ACTIVITY_TASK_SCHEDULED', 'ACTIVITY_TASK_STARTED', 'ACTIVITY_TASK_COMPLETED'];
const update = ['WORKFLOW_EXECUTION_UPDATE_ACCEPTED', 'WORKFLOW_EXECUTION_UPDATE_COMPLETED'];
const shown = 'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES';

/** One park and its answer: four tasks, two turns, two updates, a timer. */
const cycle = [
  ['WORKFLOW_EXECUTION_STARTED', ...task, ...update, ...turn],
  [...task, shown, 'TIMER_STARTED'],
  [...task, ...update, 'TIMER_CANCELED', ...turn],
  [...task, 'WORKFLOW_EXECUTION_COMPLETED'],
].flat();

async function eventsOf(parked: TaskCase, closedAs = 'COMPLETED'): Promise<string[]> {
  expect(await parked.closed()).toBe(closedAs);
  return (await parked.history()).map(({ eventType }) => eventType.replace('EVENT_TYPE_', ''));
}

// Promise W2c
test('a task that parks once and completes is 27 events: four tasks, two turns, two updates, a timer', async () => {
  const parked = await core.engine.open('form => stream 3; complete');
  const hold = await parked.asked();
  await parked.quiet();
  // As the api stamps what it has checked.
  await parked.decide({ ...answer(hold, { colour: 'green' }), checked: { digest: hold.digest } });
  const names = await eventsOf(parked);
  expect(cycle.length).toBe(27);
  expect(names.toSorted()).toEqual(cycle.toSorted());
  expect(names.length).toBeLessThanOrEqual(29);
});

// Promise W2c
test('a question in text that a person answers in the chat costs the same 27 events', async () => {
  const parked = await core.engine.open('ask Which colour? => echo; complete');
  await parked.asked();
  await parked.quiet();
  const sent = await app.inject({
    method: 'POST',
    url: `/api/tasks/${parked.taskId}/chat/message`,
    payload: { text: 'green', messageId: randomUUID() },
  });
  expect(sent.json()).toMatchObject({ as: 'decided' });
  expect((await eventsOf(parked)).toSorted()).toEqual(cycle.toSorted());
});

// Promise W2c
test('a question that a client answers by an AG-UI resume costs the same 27 events', async () => {
  const parked = await core.engine.open('form => stream 3; complete');
  const hold = await parked.asked();
  await parked.quiet();
  const { threadId } = parked;
  const resume = [{ interruptId: hold.interruptId, status: 'resolved', payload: { colour: 'green' } }];
  const payload = { threadId, runId: 'resumed', messages: [], tools: [], context: [], resume };
  const streamed = await app.inject({ method: 'POST', url: '/agents/fake/run', payload });
  expect(streamed.body).toContain('"RUN_FINISHED"');
  expect((await eventsOf(parked)).toSorted()).toEqual(cycle.toSorted());
});

// Promise W2c
test('a question that expires is 11 events more: two tasks and one activity, which writes the end and asks the agent to stop', async () => {
  const parked = await core.engine.open('form => complete', { agent: 'late' });
  await parked.asked();
  const names = await eventsOf(parked, 'FAILED');
  const expired = names.slice(names.indexOf('TIMER_FIRED'));
  expect(expired.toSorted()).toEqual(
    ['TIMER_FIRED', ...task, ...turn, ...task, 'WORKFLOW_EXECUTION_FAILED'].toSorted(),
  );
  expect(names).toHaveLength(25);
});

/** The activities of a history with the queue that each waited in. */
async function queuesOf(parked: TaskCase): Promise<[string, string][]> {
  const { events = [] } = await parked.handle.fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled == null ? [] : [[String(scheduled.activityType?.name), String(scheduled.taskQueue?.name)]],
  );
}

// Promise W2g
test('the end of a task is written on the queue of its workflow, where its worker begins it at once', async () => {
  const parked = await core.engine.open('form => complete', { agent: 'late' });
  expect(await parked.closed()).toBe('FAILED');
  expect(await queuesOf(parked)).toEqual([
    ['runTurn', taskQueue],
    ['closeTask', taskQueue],
  ]);
});
