// The database takes no writes for a while, as after a failover to a replica that is not promoted yet.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { createDatabase, startPostgres, type Postgres } from '../../rigs/process/postgres.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { onTheSide } from '../../store/stores.ts';
import {
  buildOnce,
  countsOf,
  decided,
  ended,
  greenDecision,
  longMs,
  openHold,
  problemOf,
  readHold,
  waitForTask,
} from '../setting.ts';
import { startSplit, type Api } from '../split/split.ts';

const supervisor = createSupervisor();
let fake: FakeAgent;
let postgres: Postgres;
let api: Api;

beforeAll(async () => {
  buildOnce();
  [fake, postgres] = await Promise.all([startFakeAgent(supervisor), startPostgres()]);
  supervisor.defer(() => postgres.stop());
  const config = `agents: { fake: { url: '${fake.url}' } }\nask: {}`;
  const split = await startSplit(supervisor, config, await createDatabase(postgres.url));
  [api] = await Promise.all([split.startApi(), split.startWorker()]);
  await ready('/readyz', 200);
});
afterAll(() => supervisor.end());

const ready = (path: string, status: number): Promise<boolean> =>
  waitFor(async () => (await api.get(path)).status === status, longMs, `${path} to say ${status}`);

async function takesWrites(does: boolean): Promise<void> {
  await onTheSide(postgres.url, `alter system set default_transaction_read_only = ${does ? 'off' : 'on'}`);
  await onTheSide(postgres.url, 'select pg_reload_conf()');
  await ready('/readyz/writes', does ? 200 : 503);
}

test('while the database is read-only, what is asked and decided is answered 503 and what is there can be read; then the same again is taken once, and all goes on', async () => {
  ended(await api.run('fake', { threadId: 'asked', text: 'form => say thanks; complete' }, longMs), 'interrupt');
  const hold = await openHold(api, 'fake', 'asked');
  const running = api.openRun('fake', { threadId: 'running', text: 'stream 150 100; form => complete' });
  const started = await running;
  await takesWrites(false);

  const refused = [
    await api.post(`/api/holds/${hold.id}/decision`, greenDecision()),
    await api.post('/api/ask', { id: 'asked-now', tool: { name: 'wire', args: { amount: 1 } } }),
    await api.post(`/api/holds/${hold.id}/claim`, {}),
  ];
  expect(refused.map(({ status, body }) => (status === 503 ? 503 : body))).toEqual(refused.map(() => 503));
  for (const answer of refused) {
    expect(problemOf(answer).code).not.toBe('internal');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await readHold(api, hold.id)).status).toBe('open');

  await takesWrites(true);
  const again = await decided(api, hold.id, greenDecision());
  expect(again.status).toBe(200);
  expect(await waitForTask(api, hold.taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
  started.close();
  // What the agent did meanwhile is not lost: its question is there.
  const other = await openHold(api, 'fake', 'running');
  expect((await decided(api, other.id, greenDecision())).status).toBe(200);
  expect(await waitForTask(api, other.taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
  expect(new Set(countsOf(await fake.messages()))).toEqual(new Set([1]));
});
