import { describe, expect, test } from '@jest/globals';
import {
  ApplicationFailure,
  CancelledFailure,
  NamespaceNotFoundError,
  QueryNotRegisteredError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  Client,
  Connection,
} from '@temporalio/client';
import { createTaskClient } from '../../../src/api/engine/task-client.ts';
import { failureOf } from '../../../src/api/engine/temporal-failures.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Principal } from '../../../src/contract/base/principal.ts';
import type { OpeningRun, TaskStart } from '../../../src/contract/tasks/run.ts';
import { quickest } from '../../rigs/quickest.ts';
import { aPrincipal, aSuper } from '../../rigs/factories.ts';

const grpc = (code: number, details = 'd'): Error => Object.assign(new Error('grpc'), { code, details, metadata: {} });
const refusal = (type: string, details: unknown[] = []): Error =>
  new WorkflowUpdateFailedError(
    'failed',
    ApplicationFailure.create({ message: 'no', type, details, nonRetryable: true }),
  );

describe('what a failed call means', () => {
  test.each([
    ['refused', refusal('hold_closed')],
    ['race', refusal('AcceptedUpdateCompletedWorkflow')],
    ['race', refusal('UnprocessedUpdate')],
    ['race', new WorkflowUpdateFailedError('failed', new CancelledFailure('cancelled'))],
    ['closed', new WorkflowNotFoundError('gone', 'w', undefined)],
    ['timeout', new WorkflowUpdateRPCTimeoutOrCancelledError('late')],
    ['timeout', grpc(1)],
    ['timeout', grpc(4)],
    ['timeout', grpc(9)],
    // A worker that cannot go on with the history.
    ['timeout', new QueryNotRegisteredError('[TMPRL1100] Nondeterminism error', 3)],
    ['engine-unavailable', grpc(14)],
    ['engine-unavailable', new Error('wrapped', { cause: grpc(14) })],
    // A server that starts, stops or cannot read its own store has forgotten its namespaces.
    ['engine-unavailable', new NamespaceNotFoundError('default')],
    ['engine-unavailable', new Error('Update-with-Start', { cause: grpc(5, 'Namespace default is not found.') })],
    ['engine-unavailable', grpc(13, 'Received RST_STREAM with code 2 triggered by internal client error: write EPIPE')],
    ['overloaded', grpc(8)],
    ['broken', grpc(13)],
    ['broken', refusal('SomethingElse')],
    ['broken', new TypeError('ours')],
  ])('an error of a failed call means: %s', (meaning, error) => {
    expect(failureOf(error).kind).toBe(meaning);
  });

  test('a call of a process that is stopping, whose connection is closed, failed since Temporal could not be reached', async () => {
    const connection = Connection.lazy({ address: '127.0.0.1:1' });
    await connection.close();
    const { workflow } = new Client({ connection });
    const [start, update] = await Promise.allSettled([
      workflow.start('some', { workflowId: 'w', taskQueue: 'q' }),
      workflow.getHandle('w').executeUpdate('decide'),
    ]);
    for (const call of [start, update]) {
      const error: unknown = call.status === 'rejected' ? call.reason : null;
      expect(failureOf(error).kind).toBe('engine-unavailable');
    }
  });

  test('what a failed call means keeps the code, the words and the facts of a refusal', () => {
    const data = { errors: [{ path: '/a', message: 'm' }] };
    expect(failureOf(refusal('payload_invalid', [data]))).toEqual({
      kind: 'refused',
      refusal: { ok: false, code: 'payload_invalid', message: 'no', data },
    });
  });
});

interface Script {
  start?: () => Promise<unknown>;
  update?: () => Promise<unknown>;
  query?: () => Promise<unknown>;
  isEngineThere?: boolean;
}

/** A client in which only what the task client calls is there. */
function scripted(script: Script) {
  const handles: unknown[][] = [];
  const deadlines: number[] = [];
  const updates: {
    updateId?: string;
    args?: unknown[];
    workflowIdConflictPolicy?: unknown;
    options?: Record<string, unknown>;
  }[] = [];
  const starts: unknown[] = [];
  const update = script.update ?? (() => Promise.reject(grpc(4)));
  const client = {
    options: { namespace: 'ns' },
    withDeadline: (deadline: number, call: () => Promise<unknown>) => {
      deadlines.push(deadline - Date.now());
      return call();
    },
    workflowService: {
      describeNamespace: () => (script.isEngineThere === false ? Promise.reject(grpc(14)) : Promise.resolve({})),
    },
    workflow: {
      start: (type: string, options: object) => {
        starts.push({ type, ...options });
        return script.start?.() ?? Promise.reject(grpc(14));
      },
      getHandle: (...args: unknown[]) => {
        handles.push(args);
        return {
          workflowId: args[0],
          executeUpdate: (_definition: unknown, options: { updateId?: string; args?: unknown[] }) => {
            updates.push(options);
            return update();
          },
          query: script.query,
        };
      },
      executeUpdateWithStart: (
        _definition: unknown,
        options: { updateId?: string; startWorkflowOperation: { options: Record<string, unknown> } },
      ) => {
        updates.push({ ...options, options: options.startWorkflowOperation.options });
        return update();
      },
    },
  };
  // Safe: a stand-in with all that is called.
  return {
    tasks: createTaskClient(client as unknown as Client, { now: () => signedAt }),
    handles,
    deadlines,
    updates,
    starts,
  };
}

const signedAt = new Date('2026-11-28T09:00:00.000Z');
const task = { taskId: 't1', workflowId: 'a2a/expenses/th', firstExecutionRunId: 'first' };
const command: OpeningRun = {
  runId: 'r1',
  fingerprint: 'p',
  principal: aSuper,
  receivedAt: '2026-11-21T09:00:00.000Z',
  kind: 'message',
  seen: null,
};
const start: TaskStart = {
  version: 1,
  taskId: 't1',
  agent: 'expenses',
  threadId: '🧾'.repeat(120),
  owner: 'local',
  opening: command,
  contextId: null,
  publicUrl: 'http://127.0.0.1:8600',
  limits: { silenceMs: null, totalMs: null },
  restartOf: null,
};

describe('the task client', () => {
  test('the task client reaches a known task by its own chain only, with a deadline', async () => {
    const { tasks, handles, deadlines, updates } = scripted({ update: async () => 'taken' });
    expect(await tasks.resume(task, command)).toEqual({ kind: 'answer', value: 'taken' });
    expect(handles).toEqual([['a2a/expenses/th', undefined, { firstExecutionRunId: 'first' }]]);
    expect(updates[0]?.updateId).toBe('r1');
    // A workflow judges when it was signed by Temporal’s clock.
    expect(updates[0]?.args).toMatchObject([{ id: 'r1', signedAt: '2026-11-28T09:00:00.000Z' }]);
    expect(deadlines[0]).toBeGreaterThan(3_000);
    expect(deadlines[0]).toBeLessThanOrEqual(4_000);
  });

  test('the task client hands amendments and words to the task under another id each time: the workflow knows them again', async () => {
    const { tasks, handles, updates } = scripted({ update: async () => 'taken' });
    const principal = aSuper;
    const amend = { kind: 'withdraw-vote' as const, hold: 'h1', principal, receivedAt: '2026-11-21T09:00:00.000Z' };
    expect(await tasks.amend(task, amend)).toEqual({ kind: 'answer', value: 'taken' });
    const { receivedAt } = amend;
    const word = { text: 'Hurry', messageId: 'm1', principal, receivedAt };
    expect(await tasks.message(task, word)).toEqual({ kind: 'answer', value: 'taken' });
    expect(handles).toHaveLength(2);
    const ids = updates.map(({ updateId }) => updateId);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(new Set(ids).size).toBe(2);
  });

  // Promise O14
  test('the task client waits with a decision for the same one that is under way, however its secrets were sealed; others go on their own', async () => {
    let answer = (_reply: string): void => undefined;
    const answered = new Promise<string>((resolve) => (answer = resolve));
    const { tasks, updates } = scripted({ update: () => answered });
    const anna = aPrincipal('anna');
    const decide = (principal: Principal, fingerprint: string, values: JsonObject) => {
      const entry = { hold: 'h1', status: 'resolved' as const, values, reason: null, digest: null, fingerprint };
      return tasks.decide(task, { entry, principal, receivedAt: new Date().toISOString() });
    };
    const calls = [
      decide(anna, 'green', { pin: 'sealed' }),
      decide(anna, 'green', { pin: 'sealed again' }),
      decide(anna, 'red', { pin: 'other' }),
      decide({ ...anna, id: 'bo' }, 'green', { pin: 'sealed' }),
      tasks.amend(task, { kind: 'undo', hold: 'h1', principal: anna, receivedAt: '2026-11-21T09:00:00.000Z' }),
    ];
    expect(updates).toHaveLength(4);
    answer('taken');
    expect(await Promise.all(calls)).toEqual(calls.map(() => ({ kind: 'answer', value: 'taken' })));
    await decide(anna, 'green', { pin: 'sealed' });
    expect(updates).toHaveLength(5);
  });

  test('the task client starts a workflow of its own for an event, and a second start changes nothing', async () => {
    const notice = { holdId: 'h1', event: 'reassign-asked' as const, k: 0, channels: ['mail'], giveUpAfterMs: 1 };
    const first = scripted({ start: async () => ({}) });
    expect(await first.tasks.notify('notice/h1/x', notice)).toEqual({ kind: 'answer', value: null });
    expect(first.starts).toMatchObject([
      { type: 'notice', workflowId: 'notice/h1/x', args: [notice], workflowIdReusePolicy: 'REJECT_DUPLICATE' },
    ]);
    const again = scripted({
      start: () => Promise.reject(new WorkflowExecutionAlreadyStartedError('told', 'notice/h1/x', 'notice')),
    });
    expect(await again.tasks.notify('notice/h1/x', notice)).toEqual({ kind: 'answer', value: null });
    const away = scripted({ isEngineThere: false });
    expect(await away.tasks.notify('notice/h1/x', notice)).toEqual({ kind: 'unanswered', by: 'engine' });
  });

  test('the task client opens a task under the id of its thread, joining the one that is open', async () => {
    const { tasks, updates } = scripted({ update: async () => 'opened' });
    await tasks.open(start, '“🧾 Lunch” · rita');
    expect(updates[0]).toMatchObject({
      updateId: 'r1',
      options: {
        workflowId: `a2a/expenses/${start.threadId}`,
        taskQueue: 'standfast',
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowTaskTimeout: 5_000,
        args: [start],
      },
    });
    expect(updates[0]?.options?.['staticSummary']).toBe('expenses · “🧾 Lunch” · rita');
    await tasks.open(start, '');
    // At most 200 bytes, and no half of a character.
    expect(updates[1]?.options?.['staticSummary']).toMatch(/^expenses · (🧾){47}$/u);
  });

  test.each([
    [true, 'worker'],
    [false, 'engine'],
  ])('the task client after a deadline asks whether Temporal itself is there (%p)', async (isEngineThere, by) => {
    const { tasks } = scripted({ isEngineThere });
    expect(await tasks.resume(task, command)).toEqual({ kind: 'unanswered', by });
  });

  test('the task client tries again while a task is just closing', async () => {
    const outcomes = [refusal('busy'), refusal('AcceptedUpdateCompletedWorkflow'), null];
    const { tasks, updates } = scripted({
      update: async () => {
        const next = outcomes.shift();
        if (next) throw next;
        return 'taken';
      },
    });
    expect(await tasks.open(start, '')).toEqual({ kind: 'answer', value: 'taken' });
    expect(updates).toHaveLength(3);
  });

  test('the task client gives up on a closing task after a while with busy', async () => {
    const { tasks } = scripted({ update: () => Promise.reject(refusal('busy')) });
    const giveUp = async (): Promise<void> =>
      expect(await tasks.resume(task, command)).toMatchObject({ kind: 'refusal', refusal: { code: 'busy' } });
    expect(await quickest(6_000, giveUp)).toBeLessThan(6_000);
  });

  test('the task client says closed when a query is answered by the next task of the thread', async () => {
    const { tasks } = scripted({ query: async () => ({ taskId: 'another' }) });
    expect(await tasks.query(task, 1_000)).toEqual({ kind: 'closed' });
  });

  test('the task client lets what is broken on our side be seen', async () => {
    const { tasks } = scripted({ update: () => Promise.reject(new TypeError('ours')) });
    await expect(tasks.resume(task, command)).rejects.toThrow('ours');
  });
});
