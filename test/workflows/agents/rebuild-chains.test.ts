// The database is lost where payloads are encrypted and histories were continued as new: a task's whole chain is read.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { createEngine } from '../../../src/cli/run/engine.ts';
import { createTransports } from '../../../src/cli/run/agent-transports.ts';
import type { ActivityDeps } from '../../../src/activities/deps.ts';
import { rebuild } from '../../../src/activities/tasks/rebuild.ts';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { createPayloadCodec } from '../../../src/host/temporal/payload-codec.ts';
import { useColumnKeys } from '../../../src/store/sealed-columns.ts';
import type { Store } from '../../../src/store/store.ts';
import { depsOf } from '../../activities/turns.ts';
import { answer, startCore, type Core } from '../../rigs/engine/engine.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { openMemoryStore } from '../../rigs/store/memory-store.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
const keys = createCodecKeys('c0'.repeat(32));
let core: Core;
let after: Store;
let deps: ActivityDeps;

beforeAll(async () => {
  const [store, empty] = await Promise.all([openMemoryStore(keys), openMemoryStore(keys)]);
  after = empty;
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': '40' };
  core = await startCore(supervisor, { store, codec: keys, dynamicConfig });
  const { config, client } = core.engine;
  const quiet = depsOf(after, () => {
    throw new Error('set below');
  });
  const transportOf = createTransports(config, quiet.log as never, {});
  deps = { ...quiet, config, engine: createEngine(client, () => new Date()), transportOf };
});
afterAll(async () => {
  await core?.stop();
  await after?.close();
  useColumnKeys(null);
});

const executionOf = async (task: TaskCase): Promise<string> => {
  const { raw } = await task.handle.describe();
  return raw.workflowExecutionInfo?.execution?.runId ?? '';
};

async function continueAsNew(task: TaskCase): Promise<void> {
  const before = await executionOf(task);
  await waitFor(
    async () => {
      await task.signal('nonsense');
      return (await executionOf(task)) !== before;
    },
    120_000,
    'the next execution of the chain',
  );
}

/** Two questions, the first answered, over three executions. */
async function longTask(): Promise<TaskCase> {
  const task = await core.engine.open('form => form => say thanks; complete');
  const first = await task.asked();
  await continueAsNew(task);
  await task.decide(answer(first, { colour: 'green' }));
  await task.asked(2);
  await continueAsNew(task);
  return task;
}

const shown = async (store: Store, task: TaskCase): Promise<unknown> => {
  const row = await store.tasks.get(task.taskId);
  const holds = await store.holds.ofTask(task.taskId);
  return {
    status: row?.status,
    title: row?.title,
    a2aTaskId: row?.a2aTaskId,
    holds: holds.map(({ holdId, status, question, decision, openedAt }) => ({
      holdId,
      status,
      title: question.title,
      decision,
      openedAt,
    })),
  };
};

// Promise W14a
test('tasks are there again from all executions of their chain, and from the last alone where that is left', async () => {
  const [waits, ended, cut] = await Promise.all([longTask(), longTask(), longTask()]);
  await ended.decide(answer(await ended.asked(2), { colour: 'red' }));
  await ended.closed();
  // As at the end of the namespace's retention.
  const { client, store } = core.engine;
  const { namespace } = client.options;
  const last = await executionOf(cut);
  for await (const { workflowId, runId } of client.workflow.list({ query: `WorkflowId = "${cut.workflowId}"` }))
    if (runId !== last)
      await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId, runId } });
  const executions = async (): Promise<number> => (await deps.engine.listAll()).length;
  await waitFor(async () => (await executions()) === 7, 120_000, 'three, three and one execution to be listed');

  const report = await rebuild(deps, { isDryRun: false, by: 'olga', isWithoutAgents: false });
  expect(report).toMatchObject({ tasks: 3, open: 2, ended: 1, failed: 0, faults: [] });
  for (const task of [waits, ended]) expect(await shown(after, task)).toEqual(await shown(store, task));
  const [first, second] = await cut.holds();
  const left = await after.holds.ofTask(cut.taskId);
  expect(left.map(({ holdId, status }) => [holdId, status])).toEqual([[second?.holdId, 'open']]);
  expect(left.map(({ holdId }) => holdId)).not.toContain(first?.holdId);
  expect((await after.tasks.get(cut.taskId))?.status).toBe('NEEDS_REVIEW');

  const again = await rebuild(deps, { isDryRun: false, by: 'olga', isWithoutAgents: false });
  expect(again).toMatchObject({ tasks: 3, there: 3, open: 0, ended: 0, failed: 0 });
});

// Promise W14a
test('a worker without the key that tasks are encrypted with refuses, names it, and touches no row', async () => {
  const { connection, options } = core.engine.client;
  await (await core.engine.open('form => complete')).asked();
  await waitFor(async () => (await deps.engine.listAll()).length > 0, 20_000, 'an execution to be listed');
  for (const codec of [null, createCodecKeys('0d'.repeat(32))]) {
    const dataConverter = codec === null ? {} : { payloadCodecs: [createPayloadCodec(codec)] };
    const client = new Client({ connection, namespace: options.namespace, dataConverter });
    const blind = { ...deps, engine: createEngine(client, () => new Date()), store: null as never };
    const refused = rebuild(blind, { isDryRun: false, by: 'olga', isWithoutAgents: false });
    await expect(refused).rejects.toThrow(
      `tasks are encrypted with the key ${keys.ids[0]}, which the worker lacks, and nothing was written`,
    );
  }
});
