// Backups of one of the two databases put back for real, with work between: Temporal's SQLite file to an earlier moment than
// PostgreSQL, and PostgreSQL to an earlier one than Temporal.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { createDatabase, restoreDatabase, startPostgres, type Postgres } from '../../rigs/process/postgres.ts';
import { createSupervisor, type RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  buildOnce,
  codeOf,
  countsOf,
  decided,
  ended,
  greenDecision,
  holdsOf,
  longMs,
  openHold,
  readHold,
  readTask,
  waitForTask,
} from '../setting.ts';
import { startSplit, startTemporal, type Api, type OwnTemporal, type Split } from './split.ts';

const supervisor = createSupervisor();
/** A pass takes what ended a minute ago, or began two minutes ago. */
const passesMs = longMs + 240_000;

let fake: FakeAgent;
let postgres: Postgres;
let databaseUrl: string;
let temporal: OwnTemporal;
let split: Split;
let api: Api;
let worker: RigProcess;

beforeAll(async () => {
  buildOnce();
  [fake, postgres, temporal] = await Promise.all([
    startFakeAgent(supervisor),
    startPostgres(),
    startTemporal(supervisor),
  ]);
  supervisor.defer(() => postgres.stop());
  databaseUrl = await createDatabase(postgres.url);
  const config = `
agents: { fake: { url: '${fake.url}' }, endless: { url: '${fake.url}', policy: endless } }
policies: { endless: { ladder: [{ after: 1d, remind: true, every: 1d }], expire: { after: 1d, then: keep-open } } }
reconcile: { every: 2s }
`;
  split = await startSplit(supervisor, config, databaseUrl, {}, temporal);
  await begin();
});
afterAll(() => supervisor.end());

async function begin(): Promise<void> {
  [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
  await untilReady();
}
const untilReady = (): Promise<boolean> =>
  waitFor(async () => (await api.get('/readyz')).status === 200, longMs, 'readyz to say 200');

/** A task that asks, by the name of its thread. */
async function asks(threadId: string): ReturnType<typeof openHold> {
  ended(await api.run('fake', { threadId, text: 'form => say thanks; complete' }, longMs), 'interrupt');
  return openHold(api, 'fake', threadId);
}
async function decide(id: string): Promise<void> {
  expect((await decided(api, id, greenDecision())).status).toBe(200);
}
async function isDone(taskId: string): Promise<void> {
  expect(await waitForTask(api, taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
}

// Promise W29
test('Temporal restored to an earlier moment than the database: what ended stays ended, its thread goes on, what began since fails by name, and the rest can be answered', async () => {
  const [over, open] = [await asks('earlier-over'), await asks('earlier-open')];
  const restore = await temporal.backUp();
  await untilReady();
  await decide(over.id);
  await isDone(over.taskId);
  const since = await asks('earlier-since');
  await restore();
  await untilReady();

  // People see what the database says, also before a pass has come.
  expect(await readTask(api, over.taskId)).toMatchObject({ status: 'DONE' });
  expect((await holdsOf(api, 'fake', 'earlier-over')).map(({ status }) => status)).toEqual(['decided']);
  const isLost = async (): Promise<boolean> => (await readTask(api, since.taskId)).status === 'FAILED';
  await waitFor(isLost, passesMs, 'the task that Temporal does not know to fail');
  expect(await readTask(api, since.taskId)).toMatchObject({ error: { code: 'execution_lost' } });
  expect((await readHold(api, since.id)).status).not.toBe('open');
  await decide(open.id);
  await isDone(open.taskId);
  const again = async (): Promise<string> => {
    const run = await api.run('fake', { threadId: 'earlier-over', text: 'complete' }, longMs);
    return run.events.at(-1)?.type ?? '';
  };
  await waitFor(
    async () => (await again()) === 'RUN_FINISHED',
    passesMs,
    'the thread of a task that had ended to go on',
  );
  expect(new Set(countsOf(await fake.messages()))).toEqual(new Set([1]));
});

// Promise W29
test('the database restored to an earlier moment than Temporal: questions asked since are there again and can be answered, and what was answered since is not asked again', async () => {
  const [answered, open] = [await asks('later-answered'), await asks('later-open')];
  await Promise.all([api.process.stop(), worker.stop()]);
  const copy = await createDatabase(postgres.url, new URL(databaseUrl).pathname.slice(1));
  await begin();
  await decide(answered.id);
  await isDone(answered.taskId);
  const since = await asks('later-since');
  await Promise.all([api.process.stop(), worker.stop()]);
  await restoreDatabase(databaseUrl, copy);
  await begin();

  await isDone(answered.taskId);
  const found = async (): Promise<boolean> => (await api.get(`/api/holds/${since.id}`)).status === 200;
  await waitFor(found, passesMs, 'the question that the database had lost');
  for (const { id, taskId } of [open, since]) {
    await decide(id);
    await isDone(taskId);
  }
  expect(codeOf(await decided(api, answered.id, greenDecision()))).not.toBeNull();
  expect(new Set(countsOf(await fake.messages()))).toEqual(new Set([1]));
});

/** Of each agent, with a deadline and without, a task that asks twice, on a thread of this name. */
const asksTwice = (threadId: string): Promise<HoldView[]> =>
  Promise.all(
    ['fake', 'endless'].map(async (agent) => {
      ended(await api.run(agent, { threadId, text: 'form => form => say thanks; complete' }, longMs), 'interrupt');
      return openHold(api, agent, threadId);
    }),
  );
/** The question of the same task that is open, once it is not that one. */
const nextOf = ({ id, agent, threadId }: HoldView): ReturnType<typeof openHold> =>
  waitFor(
    async () => (await holdsOf(api, agent, threadId)).find((hold) => hold.status === 'open' && hold.id !== id),
    passesMs,
    `the next question of ${agent}`,
  );
async function isAsked(firsts: readonly HoldView[]): Promise<void> {
  await Promise.all(firsts.map(async ({ id }) => decide(id)));
  await Promise.all(firsts.map(nextOf));
}
async function goOn(firsts: readonly HoldView[]): Promise<void> {
  for (const first of firsts) {
    await waitFor(
      async () => (await decided(api, (await nextOf(first)).id, greenDecision())).status === 200,
      passesMs,
      `the question of ${first.agent} to be decided`,
    );
    await isDone(first.taskId);
  }
  expect(new Set(countsOf(await fake.messages()))).toEqual(new Set([1]));
}

// Promise W32
test('Temporal restored to an earlier moment than the database, with tasks open in both of which a question was answered since: it is not sent again, and the next question is answered, with a deadline or without', async () => {
  const firsts = await asksTwice('earlier-twice');
  expect(firsts.map(({ expiresAt }) => expiresAt === null)).toEqual([false, true]);
  const restore = await temporal.backUp();
  await untilReady();
  await isAsked(firsts);
  // A worker has the execution in memory as it was later: it would go on with that.
  await Promise.all([api.process.stop(), worker.stop()]);
  await restore();
  await begin();
  await goOn(firsts);
});

// Promise W14
test('the database restored to an earlier moment than Temporal, with tasks open in both of which a question was answered since: the next question is there again and is answered, with a deadline or without', async () => {
  const firsts = await asksTwice('later-twice');
  await Promise.all([api.process.stop(), worker.stop()]);
  const copy = await createDatabase(postgres.url, new URL(databaseUrl).pathname.slice(1));
  await begin();
  await isAsked(firsts);
  await Promise.all([api.process.stop(), worker.stop()]);
  await restoreDatabase(databaseUrl, copy);
  await begin();
  await goOn(firsts);
});
