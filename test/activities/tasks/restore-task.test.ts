// Rows of a backup against what the workflow knows: a task whose later questions the database has never seen.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reconcile } from '../../../src/activities/tasks/reconcile.ts';
import { isOutOfStep, restoreTask } from '../../../src/activities/tasks/restore-task.ts';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import type { TaskRef } from '../../../src/contract/tasks/task.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import type { TaskQueryView } from '../../../src/workflows/messages.ts';
import type { DecideCommand } from '../../../src/contract/holds/decision.ts';
import type { Principal } from '../../../src/contract/base/principal.ts';
import { aDeliveryUnknown, after, aHold, aHoldRow, aPrincipal, owner } from '../../rigs/factories.ts';
import { aProvedDecision, aProvedVote, closeSent, digestOf } from '../../rigs/proofs.ts';
import { decidedBy } from '../../store/stores.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { depsOf } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

let count = 0;
async function aTask(): Promise<TaskRef> {
  count += 1;
  const threadId = `t-${count}`;
  await store.threads.claim('fake', threadId, owner);
  const task: TaskRef = {
    taskId: `00000000-0000-5000-8000-${String(count).padStart(12, '0')}`,
    agent: 'fake',
    threadId,
    workflowId: `a2a/fake/${threadId}`,
    firstExecutionRunId: `x-${count}`,
    owner,
  };
  await store.tasks.put(task, new Date(0).toISOString());
  return task;
}

function holdOf({ taskId, agent }: TaskRef, n: number, over: Partial<Hold> = {}): Hold {
  const ids = { holdId: `${taskId}-${n}`, interruptId: `hitl-${taskId}-${n}` };
  const hold = { ...aHold({ n, pause: { firstN: n, count: 1 } }), ...ids, ...over };
  return { ...hold, digest: digestOf({ ...hold, agent, owner }) };
}

async function put(task: TaskRef, hold: Hold): Promise<HoldRow | undefined> {
  const { taskId, agent, threadId } = task;
  const [row] = await store.holds.putOnce([aHoldRow({ ...hold, taskId, agent, threadId, owner, artifacts: null })]);
  return row;
}

const viewOf = (task: TaskRef, over: Partial<TaskQueryView>): TaskQueryView => ({
  ...task,
  a2aTaskId: `a2a-${task.threadId}`,
  contextId: `context-${task.threadId}`,
  status: 'NEEDS_REVIEW',
  phase: 'holding',
  turn: 2,
  resumes: 0,
  parkedSince: null,
  away: null,
  pauseMessageId: 'm-2',
  asking: null,
  runId: 'run-2',
  holds: [],
  past: [],
  note: null,
  error: null,
  ...over,
});

const deps = (): ReturnType<typeof depsOf> => depsOf(store, () => createScriptedAgent('a-1').transport);
const shownOf = (holds: Hold[]): { openHolds: number; question: number | null; deadline: string | null } => ({
  question: holds.map(({ n }) => n).toSorted((a, b) => b - a)[0] ?? null,
  openHolds: holds.length,
  deadline: holds.flatMap(({ expiresAt }) => expiresAt ?? []).toSorted()[0] ?? null,
});
const isOut = async (task: TaskRef, holds: Hold[], isTurning = false): Promise<boolean> => {
  const row = await store.tasks.get(task.taskId);
  if (row === null) throw new Error('no task');
  return isOutOfStep(deps(), row, { state: 'open', failingAttempts: 0, isTurning, shown: shownOf(holds) });
};

/** Its agent is polled, for what becomes of a pause. */
async function watched({ taskId, agent, workflowId, firstExecutionRunId, threadId }: TaskRef): Promise<void> {
  const watch = { taskId, agent, workflowId, firstExecutionRunId, a2aTaskId: `a2a-${threadId}` };
  await store.tasks.watch({ ...watch, kind: 'pause', watchVersion: 1, seen: '' }, 60_000);
}

const fin = aPrincipal('fin', 'finance');
const leg = aPrincipal('leg', 'finance');

/** A question that was answered after the moment that Temporal was put back to, and the next one, which the workflow does not know. */
async function anAnsweredSince(votes: Principal[]): Promise<{ task: TaskRef; first: Hold; next: Hold; row: HoldRow }> {
  const task = await aTask();
  const { plan } = holdOf(task, 1);
  const first = holdOf(task, 1, { audience: ['role:finance'], plan: { ...plan, quorum: votes.length } });
  const next = holdOf(task, 2, { expiresAt: after('29h'), plan: { ...plan, expiresAt: after('29h') } });
  const row = await put(task, first);
  await put(task, next);
  if (row === undefined) throw new Error('no row');
  const given = votes.map((by, n) => ({ by, at: after(`${n + 1}m`), entry: { values: { colour: 'green' } } }));
  const last = given.at(-1);
  if (last === undefined) throw new Error('somebody answers');
  await closeSent(store, first.holdId, {
    ...decidedBy(last.by.id, last.at),
    decision: aProvedDecision(row, last),
    votes: given.length === 1 ? [] : given.map((one) => aProvedVote(row, one)),
  });
  return { task, first, next, row };
}

// Promise W32
test.each([
  ['one person', [fin]],
  ['two who agreed', [fin, leg]],
])(
  'an answer of %s that Temporal does not know any more is given to its workflow again, as it was, and no later question is closed',
  async (_who, votes) => {
    const { task, first, next } = await anAnsweredSince(votes);
    const commands: DecideCommand[] = [];
    const own = deps();
    own.engine.decideAgain = async (_task, command) => {
      commands.push(command);
      return null;
    };
    expect(await isOut(task, [first])).toBe(true);
    expect(await restoreTask(own, task, viewOf(task, { turn: 1, holds: [first] }))).toBe('answered');
    expect(commands.map(({ principal, source }) => [principal, source])).toEqual(votes.map((by) => [by, 'page']));
    const closed = await store.holds.get(first.holdId);
    for (const { entry } of commands) {
      expect(entry).toMatchObject({ hold: first.holdId, status: 'resolved', values: { colour: 'green' } });
      const proved = [closed?.decision?.proof?.mac, ...(closed?.votes ?? []).map(({ proof }) => proof?.mac)];
      expect(proved).toContain(entry.proof?.mac);
    }
    expect(await store.holds.get(next.holdId)).toMatchObject({ status: 'open' });
  },
);

// Promise W32
test('an answer that a row was given, and no one proved, is given to no workflow', async () => {
  const task = await aTask();
  const hold = holdOf(task, 1);
  await put(task, hold);
  await store.holds.close(hold.holdId, decidedBy('fin', after('1m')));
  const own = deps();
  own.engine.decideAgain = () => Promise.reject(new Error('an answer without a proof was given'));
  expect(await restoreTask(own, task, viewOf(task, { holds: [hold] }))).toBe('restored');
});

// Promise W32
test('an answer that its workflow refuses now is left, and the rows are as the workflow has them', async () => {
  const { task, first, next } = await anAnsweredSince([fin]);
  const own = deps();
  own.engine.decideAgain = () => Promise.resolve('fin is asked no more');
  expect(await restoreTask(own, task, viewOf(task, { holds: [first] }))).toBe('restored');
  expect(await store.holds.get(next.holdId)).toMatchObject({ status: 'withdrawn' });
});

// Promise W14, W32
test.each([
  ['a later', 1, 2],
  ['an earlier', 2, 1],
])(
  'an execution that asks %s question than its row is noticed, also if neither has a deadline',
  async (_which, had, asks) => {
    const task = await aTask();
    const { plan } = holdOf(task, had);
    const endless = { expiresAt: null, plan: { ...plan, expiresAt: null } };
    const row = holdOf(task, had, endless);
    await put(task, row);
    await watched(task);
    expect(await isOut(task, [row])).toBe(false);
    expect(await isOut(task, [holdOf(task, asks, endless)])).toBe(true);
  },
);

// Promise W14
test('a question that the database has not seen is in the inbox again, with its times, and its pause is watched', async () => {
  const task = await aTask();
  const old = holdOf(task, 1);
  await put(task, old);
  const asked = holdOf(task, 2, {
    stepsTaken: 1,
    audience: ['role:lead'],
    openedAt: after('5h'),
    expiresAt: after('29h'),
    plan: { ...old.plan, expiresAt: after('29h') },
  });
  expect(await isOut(task, [asked])).toBe(true);
  const { interruptId } = old;
  const past = [{ interruptId, status: 'decided', by: 'anna', at: after('1h'), why: 'approved', supersededBy: null }];
  expect(await restoreTask(deps(), task, viewOf(task, { holds: [asked], past }))).toBe('restored');
  expect(await store.holds.get(asked.holdId)).toMatchObject({
    status: 'open',
    stepsTaken: 1,
    audience: ['role:lead'],
    expiresAt: after('29h'),
  });
  expect(await store.holds.get(old.holdId)).toMatchObject({
    status: 'decided',
    ended: { by: 'anna', why: 'approved' },
  });
  expect(await store.tasks.get(task.taskId)).toMatchObject({
    status: 'NEEDS_REVIEW',
    a2aTaskId: `a2a-${task.threadId}`,
  });
  expect(await store.tasks.watched([task.taskId])).toEqual([task.taskId]);
  expect(await isOut(task, [asked])).toBe(false);
  const { threadId } = task;
  const run = await store.runs.get({ agent: 'fake', threadId, runId: `standfast-${task.taskId}-restored-2` });
  expect(run?.status).toBe('interrupt');
});

test('what the workflow has of the present pause is kept whole: who decided what, and votes', async () => {
  const task = await aTask();
  const decision = {
    by: 'anna',
    at: after('1h'),
    status: 'resolved' as const,
    values: { city: 'Rome' },
    reason: null,
    source: 'rest' as const,
    seenDigest: null,
    credential: null,
    actor: null,
    digest: 'sha256:x',
  };
  const ended = { by: 'anna', at: after('1h'), why: 'approved' as const };
  const one = holdOf(task, 1, { status: 'decided', decision, ended, pause: { firstN: 1, count: 2 }, nextStep: null });
  const votes = [
    {
      by: 'ben',
      at: after('1h'),
      values: {},
      reason: null,
      fingerprint: 'p',
      source: 'rest' as const,
      seenDigest: null,
      credential: null,
      actor: null,
    },
  ];
  const two = holdOf(task, 2, { pause: { firstN: 1, count: 2 }, votes });
  await put(task, { ...one, status: 'open', decision: null, ended: null });
  await put(task, { ...two, votes: [] });
  expect(await isOut(task, [two])).toBe(true);
  await restoreTask(deps(), task, viewOf(task, { holds: [one, two] }));
  expect(await store.holds.get(one.holdId)).toMatchObject({
    status: 'decided',
    decision: { values: { city: 'Rome' } },
  });
  expect(await store.holds.get(two.holdId)).toMatchObject({ status: 'open', votes });
});

test('a decision that waits to be sent is shown again, and one that was taken back is not', async () => {
  const task = await aTask();
  const decision = {
    by: 'anna',
    at: after('1h'),
    status: 'resolved' as const,
    values: {},
    reason: null,
    source: 'page' as const,
    seenDigest: null,
    credential: null,
    actor: null,
    digest: 'sha256:x',
  };
  const outgoing = { decision, fingerprint: 'p', at: after('2h') };
  const pause = { firstN: 1, count: 2 };
  const [given, taken] = [holdOf(task, 1, { pause }), holdOf(task, 2, { pause })];
  await put(task, given);
  await put(task, { ...taken, outgoing });
  await restoreTask(deps(), task, viewOf(task, { holds: [{ ...given, outgoing }, taken] }));
  expect(await store.holds.get(given.holdId)).toMatchObject({ status: 'open', outgoing });
  expect(await store.holds.get(taken.holdId)).toMatchObject({ status: 'open', outgoing: null });
});

test('a turn that waits for its agent and has lost its watch is woken', async () => {
  const task = await aTask();
  expect(await isOut(task, [])).toBe(true);
  const logged: unknown[] = [];
  const own = deps();
  own.engine = { ...own.engine, signalMoved: (...word) => Promise.resolve(void logged.push(word)) };
  const view = viewOf(task, { phase: 'turn', status: 'IN_PROGRESS', parkedSince: after('1h'), resumes: 3 });
  expect(await restoreTask(own, task, view)).toBe('woken');
  expect(logged).toEqual([[task.workflowId, task.firstExecutionRunId, { kind: 'turn', watchVersion: 3 }]]);
});

test('a pass of the reconciler reads of all tasks at once whether their agents are polled', async () => {
  const page = await Promise.all([aTask(), aTask(), aTask()]);
  for (const task of page) await watched(task);
  const asked: (readonly string[])[] = [];
  const own = deps();
  own.now = () => new Date('2027-01-01T00:00:00Z');
  own.store = {
    ...store,
    tasks: {
      ...store.tasks,
      watched: (taskIds) => {
        asked.push(taskIds);
        return store.tasks.watched(taskIds);
      },
    },
  };
  const shown = shownOf([]);
  const describe = (): ReturnType<typeof own.engine.describe> =>
    Promise.resolve({ state: 'open', failingAttempts: 0, isTurning: false, shown });
  own.engine = { ...own.engine, describe, listOpen: () => Promise.resolve([]) };
  await reconcile(own, () => undefined);
  const ids = page.map(({ taskId }) => taskId);
  expect(asked.filter((taskIds) => ids.some((id) => taskIds.includes(id)))).toEqual([expect.arrayContaining(ids)]);
});

// Promise W14
test('a task that was begun after the backup is found by its execution, with what it asks', async () => {
  const task = { ...(await aTask()), taskId: '00000000-0000-5000-9000-000000000001', threadId: 'lost' };
  const asked = holdOf(task, 1);
  const own = deps();
  own.now = () => new Date('2027-01-01T00:00:00Z');
  own.engine = {
    ...own.engine,
    describe: () => Promise.resolve({ state: 'open', failingAttempts: 0 }),
    listOpen: () =>
      Promise.resolve([
        { workflowId: 'a2a/fake/lost', startedAt: '2026-12-31T00:00:00.000Z' },
        { workflowId: 'a2a/fake/new', startedAt: '2026-12-31T23:59:59.000Z' },
        { workflowId: 'a2a/fake/stuck', startedAt: '2026-12-31T00:00:00.000Z' },
      ]),
    firstRunOf: () => Promise.resolve('x-lost'),
    view: (workflowId) =>
      workflowId === 'a2a/fake/lost'
        ? Promise.resolve(viewOf(task, { holds: [asked] }))
        : Promise.reject(new Error('no worker')),
  };
  const report = await reconcile(own, () => undefined);
  expect(report.repaired).toEqual([{ taskId: task.taskId, what: 'the database had lost it; it is there again' }]);
  expect(report.unresolved).toMatchObject([{ workflowId: 'a2a/fake/stuck' }]);
  expect(await store.tasks.get(task.taskId)).toMatchObject({
    // A question of its agent's would pass for what its requester wrote.
    title: '',
    owner,
    firstExecutionRunId: 'x-lost',
    status: 'NEEDS_REVIEW',
  });
  expect((await store.holds.get(asked.holdId))?.status).toBe('open');
  expect(await store.tasks.watched([task.taskId])).toEqual([task.taskId]);
});

test('nothing is out of step while a turn runs, nor where only operators or people without an agent are asked', async () => {
  expect(await isOut(await aTask(), [], true)).toBe(false);
  const doubtful = await aTask();
  const unknown = {
    ...aDeliveryUnknown(),
    holdId: `${doubtful.taskId}-1`,
    interruptId: `operator-${doubtful.taskId}-1`,
  };
  await put(doubtful, unknown);
  expect(await isOut(doubtful, [unknown])).toBe(false);
  const view = viewOf(doubtful, { phase: 'stopping', holds: [] });
  expect(await restoreTask(deps(), doubtful, view)).toBeNull();
});
