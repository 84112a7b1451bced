import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TimelineEntry } from '../../../src/contract/views/inbox.ts';
import type { TaskStart } from '../../../src/contract/tasks/run.ts';
import type { TaskView } from '../../../src/contract/tasks/task.ts';
import { taskIdOf } from '../../../src/core/base/ids.ts';
import { sha1Hex } from '../../../src/host/secrets/hash.ts';
import type { TaskRow } from '../../../src/store/store.ts';
import {
  aDecision,
  admittedAs,
  aHold,
  anEnd,
  aTask,
  bearer,
  fakeTasks,
  finished,
  freshThread,
  runBody,
  writeRun,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { aPrincipal, messagePlan } from '../../rigs/factories.ts';
import { leastBoundMs, waitFor } from '../../rigs/wait-for.ts';
import { asKept } from '../../rigs/proofs.ts';

const rig = describeApi({ withKeys: true });
beforeEach(() => void Object.assign(rig.tasks, fakeTasks()));

const agent = 'expenses';
const restart = (task: TaskRow) =>
  rig.app.inject({ method: 'POST', url: `/api/tasks/${task.taskId}/restart`, headers: bearer('op') });

/** A task of anna's that was opened by a kept run, and has ended. */
async function ended(status: 'FAILED' | 'CANCELED' | 'DONE', threadId = freshThread()): Promise<TaskRow> {
  const task = await aTask(rig.store, threadId, { owner: 'anna', status });
  const key = { agent, threadId, runId: 'r1' };
  const message = { id: 'm1', role: 'user', content: 'File my trip' };
  await rig.store.intake.put(
    asKept({
      ...key,
      fingerprint: 'print',
      principal: aPrincipal('anna'),
      receivedAt: new Date().toISOString(),
      plan: messagePlan(),
      body: runBody(threadId, 'r1', { messages: [message], state: { theme: 'dark' } }),
      messageIds: ['m1'],
    }),
  );
  await writeRun(rig.store, key, [finished(key)], 'error', { taskId: task.taskId });
  return task;
}

/** What a healthy worker does with the start: the new task's row, linked both ways. */
function opening(starts: TaskStart[] = []): void {
  rig.tasks.open = async (start) => {
    starts.push(start);
    const { taskId, threadId, owner, restartOf } = start;
    const names = {
      taskId,
      agent,
      threadId,
      owner,
      workflowId: `a2a/${agent}/${threadId}`,
      firstExecutionRunId: taskId,
    };
    await rig.store.tasks.put(names, new Date().toISOString(), { title: 'File my trip', restartOf });
    if (restartOf !== null) await rig.store.tasks.linkRestart(restartOf, taskId);
    return admittedAs(taskId, start.opening.runId, 'opened');
  };
}
const nextIdOf = (task: TaskRow) => taskIdOf(sha1Hex, agent, task.threadId, `restart-${task.taskId}`);

describe('a failed task', () => {
  test('a failed task is tried again with the message it began with, and both know each other', async () => {
    const task = await ended('FAILED');
    const starts: TaskStart[] = [];
    opening(starts);
    const response = await restart(task);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      id: nextIdOf(task),
      status: 'NEW',
      title: 'File my trip',
      owner: 'anna',
      restartOf: task.taskId,
    });
    const runId = `restart-${task.taskId}`;
    expect(starts).toMatchObject([
      { restartOf: task.taskId, owner: 'anna', opening: { runId, principal: { id: 'op' } } },
    ]);
    expect(await rig.store.intake.get({ agent, threadId: task.threadId, runId })).toMatchObject({
      messageIds: ['m1'],
      body: { runId, state: { theme: 'dark' }, messages: [{ id: 'm1', content: 'File my trip' }] },
    });
    const next = nextIdOf(task);
    await writeRun(rig.store, { agent, threadId: task.threadId, runId }, [], null, { taskId: next });
    const chat = { method: 'GET' as const, url: `/api/tasks/${next}/chat`, headers: bearer('anna') };
    // The text is still hers, also when another person has it sent again.
    expect((await rig.app.inject(chat)).json()).toMatchObject({ items: [{ by: 'anna', text: 'File my trip' }] });
    const url = `/api/tasks/${task.taskId}`;
    const old = (await rig.app.inject({ method: 'GET', url, headers: bearer('anna') })).json<TaskView>();
    expect(old).toMatchObject({ status: 'FAILED', restartedAs: nextIdOf(task) });
  });

  // Promise Q18
  test('a failed task is tried again once, however often one asks', async () => {
    const task = await ended('FAILED');
    const starts: TaskStart[] = [];
    opening(starts);
    const first = (await restart(task)).json<TaskView>();
    expect((await restart(task)).json()).toMatchObject({ id: first.id });
    await rig.store.tasks.update(first.id, { status: 'FAILED' });
    expect((await restart(task)).json()).toMatchObject({ id: first.id, status: 'FAILED' });
    expect(starts).toHaveLength(1);
  });

  test('a failed task is asked for again safely when no worker took it', async () => {
    const task = await ended('FAILED');
    expect((await restart(task)).json()).toMatchObject({ code: 'worker_unavailable', status: 503 });
    opening();
    expect((await restart(task)).json()).toMatchObject({ id: nextIdOf(task) });
  });

  test('a failed task is busy (409) while another task of its thread is at work', async () => {
    const task = await ended('FAILED');
    await aTask(rig.store, task.threadId, { owner: 'anna', n: 2 });
    const response = await restart(task);
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ code: 'busy', status: 409 });
    expect(rig.tasks.calls).toEqual([]);
  });
});

describe('a task is not_restartable', () => {
  test('a task is not_restartable while it is at work', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    expect((await restart(task)).json()).toMatchObject({ code: 'not_restartable', status: 409 });
  });

  test('a task is not_restartable when it is done, or was cancelled by a person', async () => {
    expect((await restart(await ended('DONE'))).json()).toMatchObject({ code: 'not_restartable' });
    const cancelled = await ended('CANCELED');
    const hold = await aHold(rig.store, cancelled);
    await rig.store.holds.close(hold.holdId, anEnd('cancelled', aDecision({ status: 'cancelled' }), 'p'));
    expect((await restart(cancelled)).json()).toMatchObject({ code: 'not_restartable' });
  });

  test('a task is not_restartable unless the clock cancelled it', async () => {
    const task = await ended('CANCELED');
    const hold = await aHold(rig.store, task);
    await rig.store.holds.close(hold.holdId, anEnd('expired'));
    opening();
    expect((await restart(task)).statusCode).toBe(200);
  });

  test('a task is not_restartable when the message that opened it is not kept', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', status: 'FAILED' });
    expect((await restart(task)).json()).toMatchObject({ code: 'not_restartable' });
  });
});

describe('a run that a client calls like a restart', () => {
  // Promise Q18
  test('a run that a client calls like a restart restarts nothing', async () => {
    const task = await ended('FAILED');
    const starts: TaskStart[] = [];
    opening(starts);
    const payload = runBody(task.threadId, `restart-${task.taskId}`);
    // No worker writes the log of this run: the stream is not waited for.
    void rig.app.inject({ method: 'POST', url: '/agents/expenses/run', headers: bearer('anna'), payload });
    await waitFor(() => starts.length > 0, leastBoundMs, 'the start');
    expect(starts).toMatchObject([{ restartOf: null }]);
  });
});

describe('a task’s timeline', () => {
  test('a task’s timeline has its statuses, its questions with their steps, moves, votes and ends, and its restart', async () => {
    const task = await ended('FAILED');
    const at = (minute: number) => new Date(Date.now() + minute * 60_000).toISOString();
    const hold = await aHold(rig.store, task, {
      openedAt: at(1),
      stepsDone: [{ at: at(2), do: 'escalate', to: ['role:lead'] }],
      stepsTaken: 1,
      moves: [{ at: at(2.5), by: 'fin', to: ['user:ben'], note: 'on leave', credential: null }],
    });
    const vote = {
      by: 'fin',
      at: at(3),
      values: {},
      reason: null,
      fingerprint: 'p',
      source: 'rest' as const,
      seenDigest: null,
      credential: null,
      actor: null,
    };
    await rig.store.holds.close(hold.holdId, { ...anEnd('decided', aDecision({ at: at(4) }), 'p'), votes: [vote] });
    opening();
    const { id } = (await restart(task)).json<TaskView>();
    const url = `/api/tasks/${task.taskId}/timeline`;
    const response = await rig.app.inject({ method: 'GET', url, headers: bearer('anna') });
    const { items } = response.json<{ items: TimelineEntry[] }>();
    expect(
      items.map(({ what, word, by, to, note }) => [what, word, by, ...to, ...(note === null ? [] : [note])]),
    ).toEqual([
      ['status', 'NEW', null],
      ['status', 'FAILED', null],
      ['restarted', id, null],
      ['hold.opened', 'form', null],
      ['hold.step', 'escalate', null, 'role:lead'],
      ['hold.moved', 'reassigned', 'fin', 'user:ben', 'on leave'],
      ['vote', 'agreed', 'fin'],
      ['hold.ended', 'approved', 'fin'],
    ]);
  });
});
