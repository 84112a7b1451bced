// The database is lost: everything that Temporal and the agents know is there again, and written once.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEngine } from '../../../src/cli/run/engine.ts';
import { rebuild } from '../../../src/activities/tasks/rebuild.ts';
import type { ActivityDeps } from '../../../src/activities/deps.ts';
import type { RebuildInput } from '../../../src/contract/tasks/activity.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { depsOf } from '../../activities/turns.ts';
import { createTransports } from '../../../src/cli/run/agent-transports.ts';
import { anna, answer, bob, refusal, startCore, type Core } from '../../rigs/engine/engine.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;
let after: Store;
let deps: ActivityDeps;

const policies = {
  four: { audience: ['role:finance', 'role:finance-lead'], quorum: 2 },
  brief: { expire: { after: '1s' } },
};
const whole: RebuildInput = { isDryRun: false, by: 'olga', isWithoutAgents: false };

beforeAll(async () => {
  const agents = { pairs: { policy: 'four' }, brief: { policy: 'brief' } };
  [core, after] = await Promise.all([startCore(supervisor, { agents, policies }), openTestStore()]);
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
});

/** What a question is to people, without when its row was written and what lies in lost logs. */
const shownOf = ({ updatedAt: _at, version: _version, card: _card, carriedByRun: _run, ...row }: HoldRow): unknown => ({
  ...row,
  artifacts: null,
  restoredMac: null,
  attachments: [],
  stepsDone: row.stepsDone.map(({ do: what, to }) => ({ what, to })),
});

async function expectSame(task: TaskCase): Promise<void> {
  const [before, now] = await Promise.all([task.row(), after.tasks.get(task.taskId)]);
  const { timeline: _t, createdAt: _c, updatedAt: _u, title, ...row } = before;
  expect(now).toMatchObject(row);
  expect(now?.title).toBe(title);
  expect((await after.holds.ofTask(task.taskId)).map(shownOf)).toEqual((await task.holds()).map(shownOf));
}

// Promise W14a
test('tasks that wait and tasks that ended are there again, with questions, answers, ends and artifacts', async () => {
  const { engine } = core;
  const done = await engine.open('say before; stream 3; form => form => say thanks; complete');
  await done.decide(answer(await done.asked(), { colour: 'green' }));
  await done.decide(answer(await done.asked(2), { colour: 'red' }));
  await done.status('DONE');
  const [declined, failed, expired, cancelled, voted, waits, parked] = await Promise.all([
    engine.open('form => complete'),
    engine.open('say oh; fail'),
    engine.open('form => complete', { agent: 'brief' }),
    engine.open('form => complete'),
    engine.open('form => complete', { agent: 'pairs' }),
    engine.open('stream 2; form => form => complete'),
    engine.open('form => complete'),
  ]);
  await declined.decide(refusal(await declined.asked(), 'no money'));
  await cancelled.asked();
  await cancelled.handle.cancel();
  await voted.decide(answer(await voted.asked(), { colour: 'green' }), anna);
  await waits.decide(answer(await waits.asked(), { colour: 'green' }));
  await waits.asked(2);
  await parked.amend({ hold: (await parked.asked()).holdId, kind: 'reassign', to: ['user:bob'], note: 'yours' });
  for (const task of [done, declined, failed, expired, cancelled]) await task.closed();
  await waitFor(async () => (await deps.engine.listAll()).length >= 8, 20_000, 'all executions to be listed');

  const plan = await rebuild(deps, { ...whole, isDryRun: true });
  expect(plan).toEqual({ tasks: 8, there: 0, open: 3, ended: 5, questions: 9, failed: 0, faults: [] });
  expect(await after.tasks.listOpen(null, 10)).toEqual([]);
  expect(await rebuild(deps, whole)).toEqual(plan);
  for (const task of [done, declined, failed, expired, cancelled, voted, waits, parked]) await expectSame(task);
  const artifacts = async (task: TaskCase): Promise<unknown> =>
    (await after.threads.get(task.agent, task.threadId))?.state['artifacts'] ?? null;
  const before = await engine.store.threads.get(done.agent, done.threadId);
  expect(await artifacts(done)).toEqual(before?.state['artifacts'] ?? null);

  const evidence = await after.evidence.verify({});
  expect(evidence.faults).toEqual([]);
  const again = await rebuild(deps, whole);
  expect(again).toEqual({ ...plan, there: 8, open: 0, ended: 0, questions: 0 });
  expect((await after.evidence.verify({})).records).toBe(evidence.records);
  await voted.decide(answer(await voted.asked(), { colour: 'green' }), bob);
});
