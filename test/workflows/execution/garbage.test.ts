// What people write by hand with Temporal's CLI or UI, or a script of another version: never a task that cannot go on.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { NativeConnection, Worker } from '@temporalio/worker';
import { workflowWorker } from '../../../src/cli/run/worker-build.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { workflowBundle } from '../../rigs/engine/workflow-bundle.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';

const supervisor = createSupervisor();
let core: Core;

beforeAll(async () => {
  core = await startCore(supervisor);
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

const odd: [unknown, ...unknown[]][] = [
  [undefined],
  [null],
  [5],
  ['words'],
  [[]],
  [{}],
  [{ entry: null, source: null, text: 7, runId: 3, resume: 'x', principal: null, to: 5, what: 'x', watchVersion: {} }],
  [{ entry: {}, principal: {}, receivedAt: 5, source: {} }],
];
const bad = { colour: { deeper: [null] } };

// Promise W2b
describe('a task that waits for people', () => {
  test.concurrent.each(['formResponse', 'turnDelivered', 'cancelBy', 'agentMoved', 'never-heard-of'])(
    'a task that waits for people goes on after signals %s that make no sense',
    async (name) => {
      const task = await core.engine.open('form => complete');
      const hold = await task.asked();
      const { taskId, firstExecutionRunId } = task;
      const nearly = [{ taskId, firstExecutionRunId, kind: 'nothing', watchVersion: 'x', turn: '1', by: 5 }];
      for (const args of name === 'cancelBy' ? odd : [...odd, nearly]) await task.handle.signal(name, ...args);
      expect(await task.decide(answer(hold, { colour: 'green' }))).toMatchObject({ kind: 'answer' });
      expect(await task.status('DONE', 'FAILED')).toMatchObject({ error: null });
      const types = (await task.history()).map(({ eventType }) => eventType);
      expect(types).not.toContain('EVENT_TYPE_WORKFLOW_TASK_FAILED');
    },
  );

  test.concurrent.each(['run', 'decide', 'amend', 'message', 'never-heard-of'])(
    'a task that waits for people refuses updates %s that make no sense, and goes on',
    async (name) => {
      const task = await core.engine.open('form => complete');
      const hold = await task.asked();
      const entry = { hold: hold.holdId, status: 'resolved', values: bad, reason: null, digest: null, fingerprint: '' };
      const nearly: [unknown][] = [
        [{ entry, principal: { id: 'x' } }],
        [{ entry: { ...entry, values: null }, principal: { id: 'x', roles: 'all', isSuper: 1 }, receivedAt: 'soon' }],
        [{ runId: 'r', principal: { id: 'x', roles: null }, resume: [entry, null], receivedAt: null }],
        [{ hold: hold.holdId, kind: 'reassign', to: [5, null], note: {}, principal: { id: 'local' } }],
        [{ text: 'words', messageId: 7, principal: { id: 7 }, receivedAt: 'x' }],
      ];
      const result = await Promise.allSettled(
        [...odd, ...(name === 'message' ? nearly.slice(0, 4) : nearly)].flatMap((args) => [
          task.handle.executeUpdate<unknown, [unknown, ...unknown[]]>(name, { args }),
          task.update(name, args[0]),
        ]),
      );
      expect(result.filter(({ status }) => status === 'fulfilled')).toEqual([]);
      expect(await task.decide(answer(hold, { colour: 'green' }))).toMatchObject({ kind: 'answer' });
      expect(await task.status('DONE', 'FAILED')).toMatchObject({ error: null });
      const types = (await task.history()).map(({ eventType }) => eventType);
      expect(types).not.toContain('EVENT_TYPE_WORKFLOW_TASK_FAILED');
    },
  );
});

// Promise W2b
test.each([[[]], [[null]], [[{ taskId: 'x' }]], [['words']]])(
  'a task started by hand with %j fails, and says how to start one',
  async (args) => {
    const workflowId = `by-hand-${JSON.stringify(args)}`;
    const handle = await core.engine.client.workflow.start('a2aTask', { workflowId, taskQueue: 'standfast', args });
    await expect(handle.result()).rejects.toMatchObject({
      cause: { type: 'input_invalid', message: expect.stringContaining('POST /agents/:agent/run') },
    });
  },
);

test.each([
  [false, 'ReusableVMWorkflowCreator'],
  [true, 'ThreadedVMWorkflowCreator'],
])(
  'workflow code runs without a bound of time, for which Node would start a thread at each call; in a thread of its own: %s',
  async (workflowThread, creator) => {
    const made = jest.spyOn(
      Worker as unknown as { createWorkflowCreator: (...given: object[]) => Promise<object> },
      'createWorkflowCreator',
    );
    const connection = await NativeConnection.connect(core.temporal.target.connection);
    try {
      const { codePath } = await workflowBundle();
      const options = { connection, namespace: core.temporal.target.namespace, taskQueue: 'never-run' };
      const worker = await workflowWorker({ workflowThread }).create({ ...options, workflowBundle: { codePath } });
      expect(made).toHaveBeenCalledTimes(1);
      expect(made.mock.calls[0]?.[1]).not.toHaveProperty('isolateExecutionTimeoutMs');
      expect((await made.mock.results[0]?.value)?.constructor.name).toBe(creator);
      await worker.runUntil(Promise.resolve());
    } finally {
      made.mockRestore();
      await connection.close();
    }
  },
);
