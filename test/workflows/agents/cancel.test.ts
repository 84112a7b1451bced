import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TaskState } from '@a2a-js/sdk';
import { createA2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { arrivalsOf, cancelsOf } from '../../rigs/agents/agent-facts.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;

beforeAll(async () => {
  core = await startCore(supervisor, { timing: { sendForMs: 5_000 } });
});
afterAll(() => core?.stop());

describe('a cancel from Temporal', () => {
  test.concurrent('a cancel from Temporal of a parked task cancels it at the agent, closes the question and ends Canceled', async () => {
    const task = await core.engine.open('forms 2 => complete');
    const hold = await task.asked(2);
    const { a2aTaskId } = await task.row();
    await task.handle.cancel();
    expect(await task.closed()).toBe('CANCELLED');
    expect(await task.row()).toMatchObject({ status: 'CANCELED', error: null });
    expect((await task.holds()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(await cancelsOf(core.agent, a2aTaskId)).toHaveLength(1);
    const run = await task.runEnded(`standfast-${task.taskId}-cancel`);
    expect(run).toMatchObject({ opener: 'standfast', status: 'cancelled' });
    const card = (await task.view(run.runId)).messages.find(({ id }) => id === hold.interruptId);
    expect(card).toMatchObject({ content: { stage: 'cancelled' } });
    expect(await task.decide(answer(hold, { colour: 'green' }))).toEqual({ kind: 'closed' });
  });

  // Promise Q27
  test.concurrent('a cancel from Temporal that a person asked for through the api is theirs, in the question and in the end', async () => {
    const task = await core.engine.open('form => complete');
    await task.asked();
    await core.engine.tasks.cancel(task, 'anna');
    expect(await task.closed()).toBe('CANCELLED');
    expect((await task.holds())[0]?.ended).toMatchObject({ by: 'anna', why: 'cancelled' });
  });

  test.concurrent('a cancel from Temporal of a streaming turn cancels it at the agent, and the run that streams ends cancelled', async () => {
    const task = await core.engine.open('stream 3 1; gate streaming; complete');
    await core.agent.atGate('streaming');
    await waitFor(async () => (await task.row()).a2aTaskId !== null, 5_000, 'the agent’s task id');
    await task.handle.cancel();
    expect(await task.closed()).toBe('CANCELLED');
    const { status, a2aTaskId } = await task.row();
    expect(status).toBe('CANCELED');
    expect(await cancelsOf(core.agent, a2aTaskId)).toHaveLength(1);
    expect(await task.runEnded()).toMatchObject({ status: 'cancelled' });
    const text = (await task.view()).messages.find(({ id }) => id === `artifact:${a2aTaskId}:reply`);
    expect(text).toMatchObject({ content: 't1 t2 t3 ' });
  });

  test.concurrent('a cancel from Temporal of a message on its way cancels the task that the message makes', async () => {
    const text = 'stream 1 1; gate on-its-way; complete';
    await core.agent.arm({ do: 'delay-headers', match: 'on-its-way' });
    const task = await core.engine.open(text);
    await core.agent.atGate('on-its-way');
    await task.handle.cancel();
    expect(await task.closed()).toBe('CANCELLED');
    expect(await arrivalsOf(core.agent, task.messageId(1))).toHaveLength(1);
    const caller = await createA2aCaller(core.agent.url);
    const made = (await caller.listTasks()).filter(({ history }) => history[0]?.messageId === task.messageId(1));
    expect(made.map(({ status }) => status?.state)).toEqual([TaskState.TASK_STATE_CANCELED]);
  });

  // Promise B33
  test.concurrent('a cancel from Temporal tells the truth when the agent had completed meanwhile', async () => {
    const task = await core.engine.open('form => complete');
    await task.asked();
    const { a2aTaskId } = await task.row();
    // Somebody else answered the agent directly.
    const caller = await createA2aCaller(core.agent.url);
    await caller.send('green', { taskId: a2aTaskId ?? '' });
    await task.handle.cancel();
    expect(await task.closed()).toBe('COMPLETED');
    expect((await task.row()).status).toBe('DONE');
    expect((await task.holds()).map(({ status }) => status)).toEqual(['cancelled']);
  });

  test.concurrent('a cancel from Temporal is repeated at an agent that does not answer', async () => {
    const task = await core.engine.open('form => complete');
    await task.asked();
    const { a2aTaskId } = await task.row();
    await core.agent.arm({ do: 'hang', on: 'CancelTask', match: a2aTaskId ?? '' });
    await task.handle.cancel();
    expect(await task.closed()).toBe('CANCELLED');
    expect((await cancelsOf(core.agent, a2aTaskId)).map(({ reached }) => reached)).toEqual([false, true]);
  });

  test.concurrent('a cancel from Temporal ends Canceled also when the agent refuses, and says that it was not confirmed', async () => {
    const task = await core.engine.open('form => complete');
    await task.asked();
    const { a2aTaskId } = await task.row();
    await core.agent.arm({ do: 'rpc-error', code: -32_004, on: 'CancelTask', match: a2aTaskId ?? '', times: 99 });
    await task.handle.cancel();
    expect(await task.closed()).toBe('CANCELLED');
    const run = await task.runEnded(`standfast-${task.taskId}-cancel`);
    const view = await task.view(run.runId);
    expect(JSON.stringify(view.state)).toContain('not confirmed by the agent');
  });
});

describe('a cancel from inside', () => {
  test.concurrent('a cancel by the agent itself ends Canceled', async () => {
    const task = await core.engine.open('form => cancel');
    const hold = await task.asked();
    await task.decide(answer(hold, { colour: 'green' }));
    expect(await task.closed()).toBe('CANCELLED');
    expect(await task.row()).toMatchObject({ status: 'CANCELED', error: null });
    expect((await task.runEnded(`standfast-${task.taskId}-turn-2`)).status).toBe('cancelled');
  });
});
