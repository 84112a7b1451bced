import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeTask } from '../../../src/activities/tasks/close-task.ts';
import { reconcile } from '../../../src/activities/tasks/reconcile.ts';
import { createEngine } from '../../../src/cli/run/engine.ts';
import type { ReconcileReport } from '../../../src/contract/tasks/activity.ts';
import { ownRunIdOf } from '../../../src/core/base/ids.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { arrivalsOf, cancelsOf } from '../../rigs/agents/agent-facts.ts';
import { startCore, type Core } from '../../rigs/engine/engine.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { depsOf } from '../../activities/turns.ts';

const supervisor = createSupervisor();
let core: Core;

beforeAll(async () => {
  core = await startCore(supervisor);
});
afterAll(() => core?.stop());

const depsLater = (minutes: number): ReturnType<typeof depsOf> => {
  const deps = depsOf(core.engine.store, () => createScriptedAgent('a-1').transport);
  deps.engine = createEngine(core.engine.client, () => new Date());
  deps.now = () => new Date(Date.now() + minutes * 60_000);
  return deps;
};

/** Rows as they are where Temporal's backup is from before the end: ended, and the execution open. */
async function endInRows({ row, taskId }: TaskCase): Promise<void> {
  const { agent, threadId, workflowId, firstExecutionRunId, owner, a2aTaskId, contextId } = await row();
  await closeTask(depsLater(0), {
    task: { taskId, agent, threadId, workflowId, firstExecutionRunId, owner },
    run: { runId: ownRunIdOf(taskId, 'end'), opener: 'standfast', turn: 2 },
    status: 'DONE',
    end: { kind: 'completed', code: null, message: '', by: null },
    a2aTaskId,
    contextId,
    holds: [],
    skipped: [],
    publicUrl: 'http://127.0.0.1:8600',
  });
}

const pass = (minutes = 2): Promise<ReconcileReport> => reconcile(depsLater(minutes), () => undefined);

// Promise W29
test('an execution whose task ended before Temporal was restored closes, and its thread takes the next message', async () => {
  const task = await core.engine.open('form => complete');
  const { holdId } = await task.asked();
  await task.quiet();
  await endInRows(task);
  const rows = { row: await task.row(), hold: await core.engine.store.holds.get(holdId) };

  // What has just ended may be closing.
  expect((await pass(0)).repaired).toEqual([]);
  const report = await pass();
  expect(report.repaired).toEqual([
    { taskId: task.taskId, what: 'it had ended, and its execution was open; that closes now' },
  ]);
  expect(await task.closed()).toBe('COMPLETED');
  expect(await task.handle.result()).toEqual({ result: 'ended-before', taskId: task.taskId, status: 'DONE' });
  // Nothing was sent to the agent, and nothing written.
  expect({ row: await task.row(), hold: await core.engine.store.holds.get(holdId) }).toEqual(rows);
  expect(await cancelsOf(core.agent, (await task.row()).a2aTaskId)).toEqual([]);
  expect(await arrivalsOf(core.agent, task.messageId(2))).toEqual([]);
  const next = await core.engine.open('complete', { threadId: task.threadId });
  await next.status('DONE');
  expect((await pass()).repaired).toEqual([]);
});

// Promise W29
test('an execution that began long ago is found in turn, with the place kept from pass to pass', async () => {
  const old = await core.engine.open('form => complete');
  await old.asked();
  await old.quiet();
  await endInRows(old);
  for (let one = 0; one < 3; one += 1) await (await core.engine.open('form => complete')).asked();
  // The last pass was an hour after all of them began.
  await reconcile({ ...depsLater(60), engine: { ...depsLater(60).engine, listOpen: async () => [] } }, () => undefined);
  const repaired: string[] = [];
  for (let passes = 0; passes < 5; passes += 1) {
    const report = await reconcile(depsLater(61), () => undefined, { tasks: 1, ms: 60_000 });
    repaired.push(...report.repaired.map(({ taskId }) => taskId));
  }
  expect(repaired).toEqual([old.taskId]);
  expect(await old.closed()).toBe('COMPLETED');
});

// Promise W29
test('a task that had ended is closed by its cancel as well', async () => {
  const task = await core.engine.open('form => complete');
  await task.asked();
  await task.quiet();
  await endInRows(task);
  const { workflowId, taskId, firstExecutionRunId } = task;
  expect(await core.engine.tasks.end({ workflowId, taskId, firstExecutionRunId }, 'DONE')).toMatchObject({
    kind: 'answer',
  });
  expect(await task.closed()).toBe('COMPLETED');
});

// Promise W29
test('a word of the end that Standfast did not sign ends nothing', async () => {
  const task = await core.engine.open('form => complete');
  const hold = await task.asked();
  await task.handle.signal('over', { taskId: task.taskId, status: 'DONE' });
  await task.quiet();
  expect((await task.handle.describe()).status.name).toBe('RUNNING');
  expect((await task.asked()).holdId).toBe(hold.holdId);
});
