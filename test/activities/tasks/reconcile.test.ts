import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../../src/activities/create-activities.ts';
import { reconcile } from '../../../src/activities/tasks/reconcile.ts';
import type { Engine, EngineState } from '../../../src/activities/deps.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aHold, decidedBy } from '../../store/stores.ts';
import { aCancel, depsOf } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

let count = 0;
async function anOpenTask(): Promise<string> {
  count += 1;
  const taskId = `00000000-0000-5000-8000-${String(count).padStart(12, '0')}`;
  const threadId = `t-${count}`;
  await store.threads.claim('fake', threadId, 'local');
  const names = {
    taskId,
    agent: 'fake',
    threadId,
    workflowId: `a2a/fake/${threadId}`,
    firstExecutionRunId: `x-${count}`,
    owner: 'local',
  };
  await store.tasks.put(names, new Date(0).toISOString());
  return taskId;
}

/** One pass, with this word of Temporal for each execution. */
const pass = (
  stateOf: (workflowId: string) => EngineState | Promise<EngineState>,
  drafts = '30d',
): ReturnType<typeof reconcile> => {
  const deps = depsOf(store, () => createScriptedAgent('a-1').transport);
  deps.config = { ...deps.config, retention: { ...deps.config.retention, drafts } };
  deps.engine = { ...deps.engine, describe: async (workflowId) => stateOf(workflowId) };
  deps.now = () => new Date(Date.now() + 60_000);
  return reconcile(deps, () => undefined);
};

test.each<[EngineState, string]>([
  [{ state: 'closed', kind: 'terminated' }, 'CANCELED'],
  [{ state: 'closed', kind: 'canceled' }, 'CANCELED'],
  [{ state: 'closed', kind: 'completed' }, 'DONE'],
  [{ state: 'closed', kind: 'failed' }, 'FAILED'],
  [{ state: 'closed', kind: 'timed-out' }, 'FAILED'],
  [{ state: 'gone' }, 'FAILED'],
])('a task whose execution is %j becomes %s', async (seen, status) => {
  const taskId = await anOpenTask();
  const report = await pass(() => seen);
  expect(report.repaired.map((one) => one.taskId)).toEqual([taskId]);
  expect((await store.tasks.get(taskId))?.status).toBe(status);
});

test('an execution whose workflow task keeps failing is reported, and its task left as it is', async () => {
  const taskId = await anOpenTask();
  const report = await pass(() => ({ state: 'open', failingAttempts: 7 }));
  expect(report).toMatchObject({ repaired: [], unresolved: [{ what: 'its workflow task has failed 7 times' }] });
  expect((await store.tasks.get(taskId))?.status).toBe('NEW');
  await pass(() => ({ state: 'gone' }));
});

test.each([2, 7])(
  'an execution whose workflow task has failed %i times is never queried, with a row or without',
  async (failingAttempts) => {
    const taskId = await anOpenTask();
    const queried: string[] = [];
    const errors: object[] = [];
    const deps = depsOf(store, () => createScriptedAgent('a-1').transport);
    deps.log = { ...deps.log, error: (values) => void errors.push(values) };
    deps.engine = {
      ...deps.engine,
      // Its rows are out of step with what it shows: all others would be asked.
      describe: async () => ({
        state: 'open',
        failingAttempts,
        isTurning: false,
        shown: { openHolds: 3, question: 3, deadline: null },
      }),
      listOpen: async () => [{ workflowId: 'a2a/fake/no-row', startedAt: new Date(0).toISOString() }],
      firstRunOf: async () => 'x-no-row',
      view: async (workflowId) => {
        queried.push(workflowId);
        throw new Error('it cannot be replayed');
      },
    };
    deps.now = () => new Date(Date.now() + 60_000);
    await reconcile(deps, () => undefined);
    expect(queried).toEqual([]);
    const workflowId = (await store.tasks.get(taskId))?.workflowId;
    const found = [
      { workflowId, taskId, failingAttempts },
      { workflowId: 'a2a/fake/no-row', taskId: null, failingAttempts },
    ];
    const named = failingAttempts < 5 ? [] : found;
    expect(errors).toEqual(named);
    await pass(() => ({ state: 'gone' }));
  },
);

test('an execution that cannot be described is reported, its task left as it is, and the others are still repaired', async () => {
  const [hidden, lost] = [await anOpenTask(), await anOpenTask()];
  const workflowId = (await store.tasks.get(hidden))?.workflowId;
  const report = await pass((id) => {
    if (id === workflowId) throw new Error('namespace not found');
    return { state: 'gone' };
  });
  expect(report.unresolved).toEqual([{ workflowId, what: 'Temporal cannot be asked: namespace not found' }]);
  expect(report.repaired.map(({ taskId }) => taskId)).toEqual([lost]);
  expect((await store.tasks.get(hidden))?.status).toBe('NEW');
});

// Promise W15
test('a task that ends while the pass is under way keeps its end, and is not a finding', async () => {
  const taskId = await anOpenTask();
  const error = { code: 'hold_expired', message: 'nobody answered in time' };
  const report = await pass(async () => {
    await store.tasks.update(taskId, { status: 'FAILED', error });
    return { state: 'closed', kind: 'failed' };
  });
  expect(report.repaired.map((one) => one.taskId)).not.toContain(taskId);
  expect(await store.tasks.get(taskId)).toMatchObject({ status: 'FAILED', error });
});

/** Passes of at most so many tasks; returns what the last of them asked Temporal to describe. */
function passesOf(tasks: number, over: Partial<Engine>): () => Promise<{ described: string[]; repaired: string[] }> {
  const deps = depsOf(store, () => createScriptedAgent('a-1').transport);
  const described: string[] = [];
  deps.engine = {
    ...deps.engine,
    describe: async (workflowId) => {
      described.push(workflowId);
      return { state: 'open', failingAttempts: 0 };
    },
    ...over,
  };
  deps.now = () => new Date(Date.now() + 60_000);
  return async () => {
    described.length = 0;
    const { repaired } = await reconcile(deps, () => undefined, { tasks, ms: 60_000 });
    return { described: [...described], repaired: repaired.map(({ taskId }) => taskId) };
  };
}

describe('where more tasks are open than one pass compares', () => {
  const taskIds: string[] = [];
  const workflowOf = async (n: number): Promise<string> =>
    (await store.tasks.get(taskIds[n] ?? ''))?.workflowId ?? 'none';
  beforeAll(async () => {
    await pass(() => ({ state: 'gone' }));
    for (const _ of [1, 2, 3, 4, 5]) taskIds.push(await anOpenTask());
  });
  afterAll(() => pass(() => ({ state: 'gone' })));

  test('each pass of the reconciler goes on where the one before ended, and begins again after the last task', async () => {
    const next = passesOf(2, {});
    const all = await Promise.all(taskIds.map((_, n) => workflowOf(n)));
    const rounds = [await next(), await next(), await next(), await next()].map(({ described }) =>
      described.toSorted(),
    );
    expect(rounds).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4), all.slice(0, 2)]);
  });

  test('a pass whose time is over keeps its place', async () => {
    const deps = depsOf(store, () => createScriptedAgent('a-1').transport);
    const report = await reconcile(deps, () => undefined, { tasks: 100, ms: -1 });
    expect(report.checked).toBe(0);
  });

  test('a task whose execution has just closed is repaired by the next pass, wherever the round is', async () => {
    const last = await workflowOf(4);
    const since: string[] = [];
    const next = passesOf(1, {
      listClosed: async (from) => {
        since.push(from);
        return [last, 'a2a/fake/unknown'];
      },
      describe: async (workflowId) =>
        workflowId === last ? { state: 'closed', kind: 'terminated' } : { state: 'open', failingAttempts: 0 },
    });
    expect((await next()).repaired).toEqual([taskIds[4]]);
    expect((await store.tasks.get(taskIds[4] ?? ''))?.status).toBe('CANCELED');
    expect(Date.parse(since[0] ?? '')).toBeLessThan(Date.now());
  });

  test('a workflow that failed is compared in each pass until it goes on', async () => {
    const third = await workflowOf(2);
    await store.tasks.stuck(taskIds[2] ?? '', {
      cause: 'workflow_failing',
      since: new Date(0).toISOString(),
      why: 'x',
    });
    const next = passesOf(1, {});
    expect((await next()).described).toContain(third);
    expect((await store.tasks.get(taskIds[2] ?? ''))?.stuck).toBeNull();
  });

  test.each(['open', 'closed'])(
    'the reconciler lists from the pass on that could list all last, where it could not list the %s ones',
    async (which) => {
      const asked: (string | null)[] = [];
      let isAway = false;
      const list = async (what: string): Promise<never[]> => {
        if (isAway && what === which) throw new Error('away');
        return [];
      };
      const next = passesOf(1, {
        listOpen: ({ since, until }) => {
          // The other list is of the round.
          if (until === undefined) asked.push(since ?? null);
          return list('open');
        },
        listClosed: () => list('closed'),
      });
      await next();
      isAway = true;
      await next();
      isAway = false;
      await next();
      await next();
      const [first, second, third, fourth] = asked;
      expect(second).toBe(third);
      expect(new Set([first, second, fourth]).size).toBe(3);
      expect(Date.parse(String(fourth))).toBeGreaterThan(Date.parse(String(second)));
    },
  );
});

test.each([
  ['until none is left', 60_000, [100, 100, 3]],
  ['a hundred at least', -1, [100]],
])('a pass of the reconciler compacts old logs, %s', async (_how, ms, counts) => {
  const deps = depsOf(store, () => createScriptedAgent('a-1').transport);
  const left = [100, 100, 3, 0];
  const asked: number[] = [];
  const compact = async (): Promise<number> => {
    asked.push(left[0] ?? 0);
    return left.shift() ?? 0;
  };
  deps.store = { ...deps.store, compact };
  await reconcile(deps, () => undefined, { tasks: 1, ms });
  expect(asked).toEqual(counts);
});

test('drafts of questions that ended longer ago than their retention are deleted, and not before', async () => {
  const { holdId } = await store.holds.putOnce([aHold()]).then(([hold]) => hold ?? aHold());
  await store.drafts.put({ holdId, principal: 'ana', values: { text: 'words' } });
  await store.holds.close(holdId, decidedBy('cem', new Date().toISOString()));
  await pass(() => ({ state: 'open', failingAttempts: 0 }));
  expect((await store.drafts.get(holdId, 'ana'))?.values).toEqual({ text: 'words' });
  await waitFor(
    async () => {
      await pass(() => ({ state: 'open', failingAttempts: 0 }), '1ms');
      return (await store.drafts.get(holdId, 'ana')) === null;
    },
    10_000,
    'the draft to be gone',
  );
});

test('a push notification that Temporal does not take keeps nothing else from being done', async () => {
  const threadId = 'standfast-a2a-pushed';
  const names = { taskId: 'pushed', agent: 'fake', threadId, owner: 'local', contextId: 'c' };
  const entry = { kind: 'event' as const, event: {} };
  await store.callers.put(names, [entry], new Date(0).toISOString());
  const push = { taskId: 'pushed', configId: 'one', url: 'http://127.0.0.1:1/', version: '1.0' as const };
  await store.callers.putPush({ ...push, box: '', deliveredSeq: 0 });
  const deps = depsOf(store, () => createScriptedAgent('a-1').transport);
  const asked: string[] = [];
  const startPush = (taskId: string): Promise<void> => {
    asked.push(taskId);
    return Promise.reject(new Error('too many signals'));
  };
  deps.engine = { ...deps.engine, startPush };
  await reconcile(deps, () => undefined);
  expect(asked).toEqual(['pushed']);
});

test('the end of a task is counted once, by its result, when the reconciler closes it too', async () => {
  const deps = depsOf(store, () => createScriptedAgent('a-1').transport);
  deps.now = () => new Date(Date.now() + 60_000);
  await anOpenTask();
  await Promise.all([reconcile(deps, () => undefined), reconcile(deps, () => undefined)]);
  const taskId = await anOpenTask();
  const row = await store.tasks.get(taskId);
  if (row === null) throw new Error('the task has no row');
  const { closeTask } = createActivities(deps);
  for (const _attempt of [1, 2]) await new MockActivityEnvironment().run(closeTask, aCancel(row));
  await reconcile(deps, () => undefined);
  const { values } = await deps.metrics.tasksEnded.get();
  expect(values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels, value])).toEqual([
    [{ agent: 'fake', status: 'FAILED', code: 'execution_lost' }, 1],
    [{ agent: 'fake', status: 'CANCELED', code: '' }, 1],
  ]);
});
