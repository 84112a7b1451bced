// The database is dropped under tasks that wait and tasks that ended: `standfast rebuild` brings them back, once. All is
// encrypted, as it should be.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { RebuildReport } from '../../../src/contract/tasks/activity.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { runProgram, writeConfig } from '../../rigs/product/standfast.ts';
import { createDatabase, emptyDatabase, startPostgres } from '../../rigs/process/postgres.ts';
import { createSupervisor, type RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { onTheSide } from '../../store/stores.ts';
import {
  buildOnce,
  decided,
  ended,
  greenDecision,
  longMs,
  openHold,
  readHold,
  tasksOf,
  waitForTask,
} from '../setting.ts';
import { startSplit, type Api, type Split } from './split.ts';

const supervisor = createSupervisor();
let fake: FakeAgent;
let split: Split;
let databaseUrl: string;
let api: Api;
let worker: RigProcess;
let config: string;

/** The reconciler, which brings open questions back as well, comes too late to do so. */
const rare = 'reconcile: { every: 1h }';
const keys = { STANDFAST_CODEC_KEY: 'c0'.repeat(32), STANDFAST_SEAL_KEY: '5e'.repeat(32) };

beforeAll(async () => {
  buildOnce();
  const [agent, postgres] = await Promise.all([startFakeAgent(supervisor), startPostgres()]);
  supervisor.defer(() => postgres.stop());
  fake = agent;
  databaseUrl = await createDatabase(postgres.url);
  const text = `agents: { fake: { url: '${fake.url}' } }\n${rare}`;
  config = await writeConfig(supervisor, text);
  split = await startSplit(supervisor, text, databaseUrl, keys);
  [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
  await waitFor(async () => (await api.get('/readyz')).status === 200, longMs, 'readyz to say 200');
});
afterAll(() => supervisor.end());

function runRebuild(args: string[], more: NodeJS.ProcessEnv = {}): ReturnType<typeof runProgram> {
  const env = { TEMPORAL_ADDRESS: split.temporal.address, ...keys, ...more };
  return runProgram(supervisor, ['rebuild', '--config', config, ...args], { env });
}

async function rebuild(...more: string[]): Promise<{ code: number | null; report: RebuildReport }> {
  const { code, output } = await runRebuild(['--json', ...more]);
  return { code, report: JSON.parse(output.slice(output.indexOf('{'))) as RebuildReport };
}

async function loseDatabase(): Promise<void> {
  await Promise.all([api.process.kill9(), worker.kill9()]);
  await emptyDatabase(databaseUrl);
  [worker, api] = await Promise.all([split.startWorker(), split.startApi()]);
  await waitFor(async () => (await api.get('/readyz')).status === 200, longMs, 'readyz to say 200 again');
}

// Promise W14a
test('what Temporal and the agents know is there again after the database was lost, and can be decided', async () => {
  ended(await api.run('fake', { threadId: 'done', text: 'stream 3; form => say thanks; complete' }), 'interrupt');
  const first = await openHold(api, 'fake', 'done');
  await decided(api, first.id, greenDecision('as agreed'));
  await waitForTask(api, first.taskId, 'DONE');
  ended(await api.run('fake', { threadId: 'failed', text: 'say oh; fail' }), 'error:agent_failed');
  ended(await api.run('fake', { threadId: 'waits', text: 'stream 3; form => form => complete' }), 'interrupt');
  const waits = await openHold(api, 'fake', 'waits');
  await decided(api, waits.id, greenDecision());
  const second = await waitFor(
    async () => [await openHold(api, 'fake', 'waits')].find(({ id }) => id !== waits.id),
    longMs,
    'the second question',
  );
  const holds = [first, waits, second].map(({ id }) => id);
  const shown = async (): Promise<unknown> => Promise.all(holds.map(async (id) => wordsOf(await readHold(api, id))));
  const before = await shown();
  const made = await madeIn('done');
  expect(made).not.toEqual([]);
  await loseDatabase();

  const plan = { tasks: 3, there: 0, open: 1, ended: 2, questions: 3, failed: 0, faults: [] };
  expect(await rebuild('--dry-run')).toEqual({ code: 0, report: plan });
  expect((await api.get(`/api/holds/${first.id}`)).status).toBe(404);
  expect(await rebuild()).toEqual({ code: 0, report: plan });
  expect(await shown()).toEqual(before);
  const [failed] = await tasksOf(api, 'fake', 'failed');
  expect(failed).toMatchObject({ status: 'FAILED', error: { code: 'agent_failed' } });
  expect(await madeIn('done')).toEqual(made);

  await decided(api, second.id, greenDecision('after the loss'));
  await waitForTask(api, second.taskId, 'DONE');
  // A thread whose task has ended goes on in the context that its agent knows.
  ended(await api.run('fake', { threadId: 'done', text: 'complete' }), 'success');
  const [old, next] = await tasksOf(api, 'fake', 'done');
  expect(next?.contextId).toBe(old?.contextId);
  const again = await rebuild();
  expect(again).toEqual({ code: 0, report: { ...plan, tasks: 4, there: 4, open: 0, ended: 0, questions: 0 } });
});

// Promise W14a
test('an ended task of an agent that is away is left for later, and named', async () => {
  const lost = await tasksOf(api, 'fake', 'failed');
  const { items } = (await api.get('/api/tasks?limit=200')).body as { items: unknown[] };
  await fake.kill9();
  await loseDatabase();
  const { code, report } = await rebuild();
  expect(code).toBe(1);
  expect(report).toMatchObject({ ended: 0, failed: items.length });
  expect(report.faults[0]?.what).toMatch(/^left for later: the agent fake cannot be asked/);
  expect((await rebuild('--no-agents')).report).toMatchObject({ ended: items.length, failed: 0 });
  const [failed] = await tasksOf(api, 'fake', 'failed');
  expect(failed?.id).toBe(lost[0]?.id);
});

// Promise W14a
test('a command that lacks the key, and one whose workers lack it, say so, and nothing is written', async () => {
  const rows = (): Promise<unknown[]> => onTheSide(databaseUrl, 'select task_id from tasks');
  await Promise.all([api.process.kill9(), worker.kill9()]);
  await emptyDatabase(databaseUrl);
  const blind = await split.startWorker({ STANDFAST_CODEC_KEY: '' });
  const unread = await runRebuild([]);
  expect([unread.code, unread.output]).toEqual([1, expect.stringContaining('the workers cannot read what')]);
  expect(await rows()).toEqual([]);
  await blind.kill9();
  await loseDatabase();
  for (const [key, given] of [
    ['', 'STANDFAST_CODEC_KEY is not set'],
    ['0d'.repeat(32), 'the keys given here are '],
  ]) {
    const { code, output } = await runRebuild([], { STANDFAST_CODEC_KEY: key });
    expect([code, output]).toEqual([1, expect.stringMatching(/tasks are encrypted with the key [0-9a-f]{8}, and /)]);
    expect(output).toContain(`${given}`);
    expect(output).toContain('nothing was written. Give this command the STANDFAST_CODEC_KEY of the workers');
  }
  expect(await rows()).toEqual([]);
  expect((await rebuild('--no-agents')).report).toMatchObject({ there: 0, failed: 0 });
  expect(await rows()).not.toEqual([]);
});

/** What the agent has made in a thread's first task, as people can read it. */
async function madeIn(threadId: string): Promise<string[]> {
  const [task] = await tasksOf(api, 'fake', threadId);
  const { artifacts } = (await api.get(`/api/tasks/${task?.id}`)).body as {
    artifacts: { name: string; url: string }[];
  };
  const texts = artifacts.map(async ({ name, url }) => `${name}: ${JSON.stringify((await api.get(url)).body)}`);
  return (await Promise.all(texts)).toSorted();
}

/** What people see of a question. */
function wordsOf({ title, status, decision, audience, expiresAt, digest }: HoldView): unknown {
  return { title, status, decision, audience, expiresAt, digest };
}
