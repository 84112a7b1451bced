import { afterAll, describe, expect, test } from '@jest/globals';
import { TaskState } from '@a2a-js/sdk';
import { createA2aCaller } from '../rigs/agents/a2a-caller.ts';
import { startExpensesAgent } from '../rigs/agents/agent.ts';
import { createSupervisor } from '../rigs/process/supervisor.ts';
import { waitFor } from '../rigs/wait-for.ts';

const supervisor = createSupervisor();
afterAll(() => supervisor.end());

const claim = 'Lunch with the customer, 84.50 EUR';
const good = { amount: 84.5, costCentre: 'sales', purpose: 'Lunch', approve: true };
const answer = (taskId: string, values: object): object[] => [
  { data: { type: 'a2a.hitl.formResponse', formId: `expense-${taskId}`, values } },
];

describe('the expenses agent', () => {
  test('the expenses agent streams its text, asks by a form, and writes a receipt once the form is answered', async () => {
    const agent = await startExpensesAgent(supervisor, { chunkDelayMs: 0 });
    const caller = await createA2aCaller(agent.url);
    const asked = await caller.send(claim);
    expect(asked.events[0]?.payload?.$case).toBe('task');
    expect(asked.events.length).toBeGreaterThan(30);
    expect(asked.texts.get('reply')).toContain('84.50 EUR');
    expect(asked.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(asked.data[0]).toMatchObject({ type: 'a2a.hitl.form', formId: `expense-${asked.taskId}` });

    const refused = await caller.send(answer(asked.taskId, { ...good, amount: 900 }), { taskId: asked.taskId });
    expect(refused.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(refused.data[0]).toMatchObject({
      formId: `expense-${asked.taskId}`,
      metadata: { errors: { purpose: expect.stringContaining('20 characters') }, values: { amount: 900 } },
    });

    const done = await caller.send(answer(asked.taskId, good), { taskId: asked.taskId });
    expect(done.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const task = await caller.getTask(asked.taskId);
    expect(task.artifacts.map((artifact) => artifact.artifactId)).toEqual(['reply', 'outcome', 'receipt']);
    expect(task.artifacts[2]?.parts[0]?.content?.value).toMatchObject({ status: 'approved', costCentre: 'sales' });
  });

  test('the expenses agent takes a no with a reason alone, and says it back', async () => {
    const agent = await startExpensesAgent(supervisor, { chunkDelayMs: 0 });
    const caller = await createA2aCaller(agent.url);
    const asked = await caller.send(claim);
    const no = { reason: 'No receipt', approve: false };
    const done = await caller.send(answer(asked.taskId, no), { taskId: asked.taskId });
    expect(done.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(done.texts.get('outcome')).toBe('Declined: the expense ("No receipt"). Nothing will be paid out.');
  });

  test('the expenses agent answers over HTTP+JSON too', async () => {
    const agent = await startExpensesAgent(supervisor, { chunkDelayMs: 0 });
    const caller = await createA2aCaller(agent.url, 'HTTP+JSON');
    expect((await caller.send(claim)).state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  });

  test('the expenses agent asks a plain question for "no form", and replies to "just hello" without a task', async () => {
    const agent = await startExpensesAgent(supervisor, { chunkDelayMs: 0 });
    const caller = await createA2aCaller(agent.url);
    const asked = await caller.send('no form please, taxi 20 EUR');
    expect(asked.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(asked.data).toEqual([]);
    const done = await caller.send('to the airport', { taskId: asked.taskId });
    expect(done.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(done.texts.get('outcome')).toContain('to the airport');

    const hello = await caller.send('just hello');
    expect(hello.events.map((event) => event.payload?.$case)).toEqual(['message']);
  });

  test('the expenses agent cancels a paused and a working task, once', async () => {
    const agent = await startExpensesAgent(supervisor, { chunkDelayMs: 200 });
    const caller = await createA2aCaller(agent.url);
    const working = caller.send(claim);
    const listed = await waitFor(async () => (await caller.listTasks())[0], 5_000, 'the task in the list');
    const cancelled = await caller.client.cancelTask({ tenant: '', id: listed.id, metadata: {} });
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await working).state).toBe(TaskState.TASK_STATE_CANCELED);

    const paused = await caller.send('no form');
    await caller.client.cancelTask({ tenant: '', id: paused.taskId, metadata: {} });
    const again = await caller.send('too late', { taskId: paused.taskId });
    expect(again.error?.name).toBe('UnsupportedOperationError');
  });

  test('the expenses agent goes on with a paused task after kill -9', async () => {
    const agent = await startExpensesAgent(supervisor, { chunkDelayMs: 0 });
    const caller = await createA2aCaller(agent.url);
    const asked = await caller.send(claim);
    await agent.kill9();
    await agent.restart();
    const stored = await caller.getTask(asked.taskId);
    expect(stored.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(stored.history.map((message) => message.role)).toEqual([1, 2]);
    const done = await caller.send(answer(asked.taskId, good), { taskId: asked.taskId });
    expect(done.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test('the expenses agent plays a turn again that kill -9 has cut', async () => {
    const agent = await startExpensesAgent(supervisor, { chunkDelayMs: 40 });
    const caller = await createA2aCaller(agent.url);
    const turn = caller.send(claim);
    const listed = await waitFor(async () => (await caller.listTasks())[0], 5_000, 'the task in the list');
    await agent.kill9();
    expect((await turn).error).not.toBeNull();
    await agent.restart();
    const task = await waitFor(
      async () => {
        const now = await caller.getTask(listed.id);
        return now.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED && now;
      },
      10_000,
      'the form',
    );
    const words = task.artifacts[0]?.parts.map((part) => part.content?.value).join('');
    expect(words).toMatch(/^Thank you, .* as I have them\.$/);
  });
});
