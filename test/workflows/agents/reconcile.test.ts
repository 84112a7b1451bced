import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEngine } from '../../../src/cli/run/engine.ts';
import type { ReconcileReport } from '../../../src/contract/tasks/activity.ts';
import { arrivalsOf, cancelsOf } from '../../rigs/agents/agent-facts.ts';
import { checkRun } from '../../rigs/streams/check-run.ts';
import { answer, startCore, type Core } from '../../rigs/engine/engine.ts';
import { resetAfterUpdate } from '../../rigs/engine/reset.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aPrincipal } from '../../rigs/factories.ts';

const supervisor = createSupervisor();
let core: Core;

beforeAll(async () => {
  core = await startCore(supervisor, {
    agents: { fake: {}, two: { policy: 'two' } },
    policies: { two: { audience: ['role:finance'], quorum: 2 } },
  });
});
afterAll(() => core?.stop());

let passes = 0;
/** One pass of the reconciler, as its schedule starts it. */
async function reconcile(): Promise<ReconcileReport> {
  passes += 1;
  const options = { taskQueue: 'standfast', workflowId: `reconcile-${passes}` };
  const report = await core.engine.client.workflow.execute<() => Promise<ReconcileReport>>('reconcileTasks', options);
  for (const { taskId, what } of report.repaired) allRepaired.set(taskId, what);
  return report;
}

/** What any pass has repaired: tests run side by side, and each pass checks every task. */
const allRepaired = new Map<string, string>();

/** Passes until this task is repaired; what changed just now is left for a later one. */
const repaired = (taskId: string): Promise<string> =>
  waitFor(
    async () => {
      if (!allRepaired.has(taskId)) await reconcile();
      return allRepaired.get(taskId);
    },
    20_000,
    `task ${taskId} to be repaired`,
  );

// Promise Q29
test.concurrent('a workflow that an operator terminated leaves no question in the inbox, and its agent is asked to stop', async () => {
  const task = await core.engine.open('forms 2 => complete');
  const hold = await task.asked(2);
  await task.handle.terminate('by hand');
  expect(await repaired(task.taskId)).toBe('the workflow was terminated by an operator');
  expect(await task.row()).toMatchObject({ status: 'CANCELED', error: null });
  expect((await task.holds()).map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn']);
  const { items } = await core.engine.store.holds.list({ statuses: ['open'], taskId: task.taskId });
  expect(items).toEqual([]);
  const run = await task.runEnded(`standfast-${task.taskId}-reconciled`);
  const card = (await task.view(run.runId)).messages.find(({ id }) => id === hold.interruptId);
  expect(card).toMatchObject({ content: { stage: 'cancelled' } });
  expect(await cancelsOf(core.agent, (await task.row()).a2aTaskId)).not.toEqual([]);
});

test.concurrent('a workflow terminated in the middle of a turn leaves no run open', async () => {
  const task = await core.engine.open('stream 2 1; gate terminated; complete');
  await core.agent.atGate('terminated');
  await task.handle.terminate('by hand');
  await repaired(task.taskId);
  expect((await task.runEnded()).status).toBe('cancelled');
  expect((await task.row()).status).toBe('CANCELED');
  await core.agent.openGate('terminated');
});

test.concurrent('a workflow that Temporal does not know any more ends its task', async () => {
  const task = await core.engine.open('form => complete');
  const hold = await task.asked();
  const { namespace } = core.temporal.target;
  const workflowExecution = { workflowId: task.workflowId, runId: task.firstExecutionRunId };
  await core.engine.client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
  await repaired(task.taskId);
  expect(await task.row()).toMatchObject({ status: 'FAILED', error: { code: 'execution_lost' } });
  expect((await task.settled(hold.holdId)).status).toBe('withdrawn');
});

test.concurrent('a terminated workflow whose thread has a new task by now is distinguished from that one', async () => {
  const first = await core.engine.open('form => complete');
  await first.asked();
  await first.handle.terminate('by hand');
  const second = await core.engine.open('form => complete', { threadId: first.threadId });
  const hold = await second.asked();
  await repaired(first.taskId);
  expect((await first.row()).status).toBe('CANCELED');
  expect((await second.row()).status).toBe('NEEDS_REVIEW');
  expect((await second.asked()).holdId).toBe(hold.holdId);
});

test.concurrent('a question whose watch was lost with the database is watched again, and is otherwise as it was', async () => {
  const task = await core.engine.open('form => complete');
  const { holdId, interruptId } = await task.asked();
  await core.engine.store.tasks.unwatch(task.taskId);
  expect(await repaired(task.taskId)).toBe('its rows were out of step');
  expect(await core.engine.store.tasks.watched([task.taskId])).toEqual([task.taskId]);
  const hold = await task.asked();
  expect(hold.holdId).toBe(holdId);
  // Front ends are shown it once more.
  const restored = `standfast-${task.taskId}-restored-1`;
  await task.runEnded(restored);
  checkRun(await task.log(restored));
  expect((await task.log(restored)).at(-1)).toMatchObject({
    outcome: { type: 'interrupt', interrupts: [{ id: interruptId }] },
  });
  await task.decide(answer(hold, { colour: 'green' }));
  await task.status('DONE');
});

test.concurrent('open executions are found in Temporal, with the first run of their chain', async () => {
  const task = await core.engine.open('form => complete');
  await task.asked();
  const engine = createEngine(core.engine.client, () => new Date());
  const found = await waitFor(
    async () => (await engine.listOpen({}, 1000)).find(({ workflowId }) => workflowId === task.workflowId),
    20_000,
    'the execution to be listed',
  );
  expect(Date.parse(found.startedAt)).toBeGreaterThan(0);
  const isListed = async (since: string): Promise<boolean> =>
    (await engine.listOpen({ since }, 1000)).some(({ workflowId }) => workflowId === task.workflowId);
  expect(await isListed(new Date(Date.parse(found.startedAt) - 1_000).toISOString())).toBe(true);
  expect(await isListed(new Date(Date.parse(found.startedAt) + 1_000).toISOString())).toBe(false);
  expect(await engine.firstRunOf(task.workflowId)).toBe(task.firstExecutionRunId);
  expect(await engine.view(task.workflowId, task.firstExecutionRunId)).toMatchObject({
    taskId: task.taskId,
    phase: 'holding',
  });
});

test.concurrent('executions that closed are found in Temporal, by when they did', async () => {
  const beforeMs = Date.now();
  const task = await core.engine.open('form => complete');
  await task.asked();
  const engine = createEngine(core.engine.client, () => new Date());
  const closedSince = async (ms: number): Promise<boolean> =>
    (await engine.listClosed(new Date(ms).toISOString(), 1000)).includes(task.workflowId);
  expect(await closedSince(beforeMs - 1_000)).toBe(false);
  await task.handle.terminate('by hand');
  await waitFor(() => closedSince(beforeMs - 1_000), 20_000, 'the execution to be listed as closed');
  expect(await closedSince(Date.now() + 60_000)).toBe(false);
});

// Promise W32
test.concurrent('a workflow that was put back to before an answer gets it from the rows, sends it no second time, and takes the next', async () => {
  const task = await core.engine.open('form => form => complete', { agent: 'two' });
  const first = await task.asked();
  const [anna, bob] = ['anna', 'bob'].map((id) => aPrincipal(id, 'finance'));
  await task.decide(answer(first, { colour: 'green' }), anna);
  const putBack = await resetAfterUpdate(core.engine.client, task.workflowId);
  await task.decide(answer(first, { colour: 'green' }), bob);
  const next = await task.asked(2);
  await putBack();
  expect(await repaired(task.taskId)).toBe('its question had been answered; its execution has the answer again');
  expect((await task.asked(2)).holdId).toBe(next.holdId);
  expect((await task.hold(1)).status).toBe('decided');
  for (const by of [anna, bob])
    await waitFor(
      async () => (await task.decide(answer(next, { colour: 'red' }), by)).kind === 'answer',
      20_000,
      'the next answer to be taken',
    );
  await task.status('DONE');
  for (const turn of [1, 2, 3]) expect(await arrivalsOf(core.agent, task.messageId(turn))).toHaveLength(1);
});

test.concurrent('a parked workflow is left alone', async () => {
  const task = await core.engine.open('form => complete');
  const hold = await task.asked();
  const report = await reconcile();
  expect(report.checked).toBeGreaterThan(0);
  expect(report.repaired.map(({ taskId }) => taskId)).not.toContain(task.taskId);
  expect((await task.asked()).updatedAt).toBe(hold.updatedAt);
});

test.concurrent('the opening run of an old task, posted again two tasks later, starts nothing', async () => {
  const first = await core.engine.open('complete');
  await first.status('DONE');
  await first.closed();
  const second = await core.engine.open('complete', { threadId: first.threadId });
  await second.status('DONE');
  await second.closed();
  const [before, log] = [await first.row(), await first.log()];

  const again = await core.engine.prepare('complete', { threadId: first.threadId, runId: first.runId });
  expect(await core.engine.post(again)).toMatchObject({ kind: 'answer', value: { taskId: first.taskId } });
  const handle = core.engine.client.workflow.getHandle(first.workflowId);
  expect(await handle.result()).toMatchObject({ result: 'already-run' });
  expect(await arrivalsOf(core.agent, first.messageId(1))).toHaveLength(1);
  expect(await first.row()).toEqual(before);
  expect(await first.log()).toEqual(log);
  expect(await core.engine.store.tasks.newest('fake', first.threadId)).toMatchObject({ taskId: second.taskId });
});

test.concurrent('a run that another task of the thread has carried starts nothing as an opening', async () => {
  const task = await core.engine.open('stream 2 1; gate carried; complete');
  await core.agent.atGate('carried');
  await task.run('carried', { message: 'by the way' });
  await task.runEnded('carried');
  await core.agent.openGate('carried');
  await task.closed();
  // Temporal itself remembers a run for as long as its execution is the thread's newest.
  const next = await core.engine.open('complete', { threadId: task.threadId });
  await next.closed();
  const start = await core.engine.prepare('complete', { threadId: task.threadId, runId: 'carried' });
  await core.engine.post(start);
  const handle = core.engine.client.workflow.getHandle(task.workflowId);
  expect(await handle.result()).toMatchObject({ result: 'already-run' });
  expect(await core.engine.store.tasks.get(start.taskId)).toBeNull();
});
