import { beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { TaskStart } from '../../../src/contract/tasks/run.ts';
import { createSweeper } from '../../../src/api/runs/sweeper.ts';
import { pino } from 'pino';
import {
  admittedAs,
  aHold,
  aTask,
  bearer,
  fakeTasks,
  finished,
  freshThread,
  lastOf,
  runBody,
  words,
  writeRun,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { bindContext } from '../../rigs/store/store-writes.ts';
import { prover } from '../../rigs/proofs.ts';

const rig = describeApi();
beforeEach(() => void Object.assign(rig.tasks, fakeTasks()));

const post = (threadId: string, runId: string, taskId: string, more: JsonObject = {}, a2a: JsonObject = {}) =>
  rig.app.inject({
    method: 'POST',
    url: '/agents/expenses/run',
    payload: runBody(threadId, runId, { forwardedProps: { a2a: { taskId, ...a2a } }, ...more }),
  });

/** Takes runs as a workflow and its worker would: the task's row has the agent's id, and its run ends. */
function adopting(): TaskStart[] {
  const starts: TaskStart[] = [];
  rig.tasks.open = async (start) => {
    const { agent, threadId, taskId, opening, owner } = start;
    starts.push(start);
    const key = { agent, threadId, runId: opening.runId };
    const names = {
      taskId,
      agent,
      threadId,
      owner,
      workflowId: `a2a/${agent}/${threadId}`,
      firstExecutionRunId: taskId,
    };
    await rig.store.tasks.put(names, new Date().toISOString());
    if (opening.kind === 'adopt') await rig.store.tasks.adopt(taskId, opening.adoption.a2aTaskId);
    await rig.store.tasks.update(taskId, { status: 'DONE' });
    await writeRun(rig.store, key, [...words(`${opening.runId}-a`, 'Taken over.'), finished(key)], 'success', {
      taskId,
      fingerprint: opening.fingerprint,
    });
    return admittedAs(taskId, opening.runId, 'opened');
  };
  return starts;
}
const foreignId = (): string => `elsewhere-${freshThread()}`;

describe('a message for a task that was started elsewhere', () => {
  test('a message for a task that was started elsewhere takes it over: the new task begins with the agent’s id, and with a context only if one is named', async () => {
    const [threadId, taskId] = [freshThread(), foreignId()];
    await rig.store.threads.claim('expenses', threadId, 'local');
    await bindContext(rig.store, 'expenses', threadId, 'of another task');
    const starts = adopting();
    expect(lastOf((await post(threadId, 'r1', taskId)).body)).toMatchObject({ type: 'RUN_FINISHED', runId: 'r1' });
    expect(starts).toMatchObject([
      { threadId, contextId: null, opening: { adoption: { a2aTaskId: taskId, n: 0, isSilent: false } } },
    ]);
    const other = foreignId();
    await post(freshThread(), 'r1', other, {}, { contextId: 'c1' });
    expect(starts[1]).toMatchObject({ contextId: 'c1', opening: { adoption: { a2aTaskId: other } } });
  });

  test('a message for a task that was started elsewhere on a thread whose own task is not over is busy, and reaches no workflow', async () => {
    const threadId = freshThread();
    await aTask(rig.store, threadId);
    expect(lastOf((await post(threadId, 'r1', foreignId())).body)).toMatchObject({ type: 'RUN_ERROR', code: 'busy' });
    expect(rig.tasks.calls).toEqual([]);
  });

  test('a message for a task that was started elsewhere on a thread with an open question is interrupts_pending', async () => {
    const threadId = freshThread();
    await aHold(rig.store, await aTask(rig.store, threadId));
    expect(lastOf((await post(threadId, 'r1', foreignId())).body)).toMatchObject({ code: 'interrupts_pending' });
  });

  test('a message for a task that was started elsewhere is sent to its owner’s task once somebody has taken it over', async () => {
    const [owner, asker] = [freshThread(), freshThread()];
    const task = await aTask(rig.store, owner);
    rig.tasks.resume = async (known, source) => {
      expect([known.taskId, source.kind]).toEqual([task.taskId, 'message']);
      const key = { agent: 'expenses', threadId: owner, runId: source.runId };
      await writeRun(rig.store, key, [finished(key)], 'success', { fingerprint: source.fingerprint, isControl: true });
      return admittedAs(task.taskId, source.runId, 'injected');
    };
    expect(lastOf((await post(asker, 'r1', task.a2aTaskId ?? '')).body)).toMatchObject({ type: 'RUN_FINISHED' });
    // Its task has ended since, but the run has acted: it is read, and opens nothing.
    await rig.store.tasks.update(task.taskId, { status: 'FAILED', error: { code: 'internal', message: 'lost' } });
    Object.assign(rig.tasks, fakeTasks());
    expect(lastOf((await post(asker, 'r1', task.a2aTaskId ?? '')).body)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(rig.tasks.calls).toEqual([]);
  });

  test('a message for a task that was started elsewhere, kept while another thread took it over, is refused as busy, and does not open a second task', async () => {
    const [threadId, taskId] = [freshThread(), foreignId()];
    rig.tasks.open = async () => ({ kind: 'unanswered', by: 'engine' });
    await post(threadId, 'r1', taskId);
    const other = await aTask(rig.store, freshThread());
    await rig.store.tasks.adopt(other.taskId, taskId);
    const starts = adopting();
    const { store, tasks } = rig;
    const log = pino({ level: 'silent' });
    const sweeper = createSweeper(
      { store, tasks, log, prover, now: () => new Date(), config: rig.config, publicUrl: 'http://127.0.0.1:8600' },
      { olderThanMs: -60_000 },
    );
    await sweeper.now();
    expect(starts).toEqual([]);
    const kept = await store.intake.get({ agent: 'expenses', threadId, runId: 'r1' });
    expect(kept?.refusedCode).toBe('busy');
  });

  test('a message for a task that was started elsewhere belongs to those who may write on the thread of the task', async () => {
    const keyed = await rig.another({ withKeys: true });
    const open = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const lost = await aTask(rig.store, freshThread(), {
      owner: 'anna',
      status: 'FAILED',
      error: { code: 'internal', message: 'lost' },
    });
    for (const { a2aTaskId } of [open, lost]) {
      const payload = runBody(freshThread(), 'r1', { forwardedProps: { a2a: { taskId: a2aTaskId } } });
      const request = { method: 'POST' as const, url: '/agents/expenses/run', payload };
      expect((await keyed.app.inject({ ...request, headers: bearer('ben') })).statusCode).toBe(404);
    }
  });
});

describe('a message for a task that ended here', () => {
  const ended = async (status: 'DONE' | 'FAILED' | 'CANCELED', code?: string) => {
    const threadId = freshThread();
    const task = await aTask(rig.store, threadId);
    await aHold(rig.store, task, { n: 2, status: 'expired' });
    const error = code === undefined ? null : { code, message: 'it ended' };
    await rig.store.tasks.update(task.taskId, { status, contextId: `context-of-${threadId}`, error });
    return { threadId, a2aTaskId: task.a2aTaskId ?? '' };
  };

  test.each(['agent_unreachable', 'delivery_unknown', 'internal'])(
    'a message for a task that ended here takes it over again after %s, and its questions go on counting',
    async (code) => {
      const { threadId, a2aTaskId } = await ended('FAILED', code);
      const starts = adopting();
      await post(threadId, 'r9', a2aTaskId);
      await post(freshThread(), 'r9', a2aTaskId);
      expect(starts).toMatchObject([
        { threadId, contextId: `context-of-${threadId}`, opening: { adoption: { a2aTaskId, n: 2, isSilent: false } } },
        // The second one finds the task of the first, which is done.
        { contextId: null },
      ]);
      expect(starts[1]?.opening).not.toHaveProperty('adopt');
    },
  );

  test.each([
    ['DONE', undefined],
    ['CANCELED', undefined],
    ['FAILED', 'agent_failed'],
    ['FAILED', 'agent_rejected'],
    ['FAILED', 'hold_expired'],
  ] as const)(
    'a message for a task that ended here opens the next one in its context when the agent’s is over too: %s %s',
    async (status, code) => {
      const { threadId, a2aTaskId } = await ended(status, code);
      const starts = adopting();
      const asker = freshThread();
      await post(asker, 'r9', a2aTaskId);
      expect(starts).toMatchObject([{ threadId: asker, contextId: `context-of-${threadId}` }]);
      expect(starts[0]?.opening).not.toHaveProperty('adopt');
    },
  );
});

describe('reading a task that was started elsewhere', () => {
  test.each([
    ['by subscribeOnly', { subscribeOnly: true }, undefined],
    ['without a message', {}, []],
  ])(
    'a run that reads a task started elsewhere, %s, opens a task that follows it and says nothing',
    async (_how, a2a, messages) => {
      const [threadId, taskId] = [freshThread(), foreignId()];
      const starts = adopting();
      const more: JsonObject = messages === undefined ? {} : { messages };
      const response = await post(threadId, 'r1', taskId, more, a2a);
      expect(response.body).toContain('Taken over.');
      expect(starts).toMatchObject([{ threadId, opening: { adoption: { a2aTaskId: taskId, n: 0, isSilent: true } } }]);
      const intake = await rig.store.intake.get({ agent: 'expenses', threadId, runId: 'r1' });
      expect(intake?.messageIds).toEqual([]);
      // Known from now on: it is read without opening anything.
      expect(lastOf((await post(threadId, 'r2', taskId, {}, { subscribeOnly: true })).body)).toMatchObject({
        type: 'RUN_FINISHED',
        runId: 'r2',
      });
      expect(starts).toHaveLength(1);
    },
  );

  test('reading a task that was started elsewhere leaves the message of such a run new', async () => {
    const [threadId, taskId] = [freshThread(), foreignId()];
    const starts = adopting();
    await post(threadId, 'r1', taskId, {}, { subscribeOnly: true });
    const { messages } = runBody(threadId, 'r1');
    await rig.app.inject({
      method: 'POST',
      url: '/agents/expenses/run',
      payload: runBody(threadId, 'r2', { messages: messages ?? [] }),
    });
    expect(starts).toHaveLength(2);
    const intake = await rig.store.intake.get({ agent: 'expenses', threadId, runId: 'r2' });
    expect(intake?.messageIds).toEqual(['r1-m']);
  });

  test('a run that reads a task started elsewhere, kept until somebody else took it over, is refused as busy', async () => {
    const [threadId, taskId] = [freshThread(), foreignId()];
    rig.tasks.open = async () => ({ kind: 'unanswered', by: 'engine' });
    await post(threadId, 'r1', taskId, {}, { subscribeOnly: true });
    const other = await aTask(rig.store, freshThread());
    await rig.store.tasks.adopt(other.taskId, taskId);
    await rig.store.tasks.update(other.taskId, { status: 'DONE' });
    const starts = adopting();
    const { store, tasks } = rig;
    const log = pino({ level: 'silent' });
    const sweeper = createSweeper(
      { store, tasks, log, prover, now: () => new Date(), config: rig.config, publicUrl: 'http://127.0.0.1:8600' },
      { olderThanMs: -60_000 },
    );
    await sweeper.now();
    expect(starts).toEqual([]);
    expect((await store.intake.get({ agent: 'expenses', threadId, runId: 'r1' }))?.refusedCode).toBe('busy');
  });
});
