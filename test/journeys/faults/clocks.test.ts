// The clocks of api and worker are off by minutes: deadlines are by Temporal's clock, and nothing is lost.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { createDatabase, startPostgres } from '../../rigs/process/postgres.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { root } from '../../source-tree.ts';
import {
  buildOnce,
  countsOf,
  decided,
  ended,
  greenDecision,
  longMs,
  openHold,
  readHold,
  waitForTask,
} from '../setting.ts';
import { startSplit, startTemporal, type Api } from '../split/split.ts';

const supervisor = createSupervisor();
const minuteMs = 60_000;
const offMs = 9 * minuteMs;

let fake: FakeAgent;
/** By how their clocks are off: what one knows the other has to believe. */
let ahead: Api;
let behind: Api;

beforeAll(async () => {
  buildOnce();
  const [postgres, temporal, agent] = await Promise.all([
    startPostgres(),
    startTemporal(supervisor),
    startFakeAgent(supervisor),
  ]);
  fake = agent;
  supervisor.defer(() => postgres.stop());
  const databaseUrl = await createDatabase(postgres.url);
  const configText = `
agents:
  fake: { url: '${fake.url}' }
  brief: { url: '${fake.url}', policy: brief }
  short: { url: '${fake.url}', policy: short }
policies: { brief: { expire: { after: 30m } }, short: { expire: { after: 4m } } }
`;
  const off = (ms: number): NodeJS.ProcessEnv => ({
    NODE_OPTIONS: `--import ${join(root, 'test/rigs/process/clock-offset.mjs')}`,
    STANDFAST_TEST_CLOCK_OFFSET_MS: String(ms),
  });
  const [early, late] = [
    await startSplit(supervisor, configText, databaseUrl, off(offMs), temporal),
    await startSplit(supervisor, configText, databaseUrl, off(-offMs), temporal),
  ];
  [ahead, behind] = await Promise.all([early.startApi(), late.startApi(), late.startWorker()]);
  for (const api of [ahead, behind])
    await waitFor(async () => (await api.get('/readyz')).status === 200, longMs, 'readyz to say 200');
});
afterAll(() => supervisor.end());

const asks = async (api: Api, agent: string, threadId: string): ReturnType<typeof openHold> => {
  ended(await api.run(agent, { threadId, text: 'form => say thanks; complete' }, longMs), 'interrupt');
  return openHold(api, agent, threadId);
};

test('a question asked and answered by processes whose clocks are off by minutes is open and is answered once, in either order', async () => {
  for (const [asking, answering, threadId] of [
    [ahead, behind, 'ahead-behind'],
    [behind, ahead, 'behind-ahead'],
  ] as const) {
    const hold = await asks(asking, 'fake', threadId);
    expect((await readHold(answering, hold.id)).status).toBe('open');
    expect((await decided(answering, hold.id, greenDecision())).status).toBe(200);
    expect(await waitForTask(asking, hold.taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
  }
  expect(new Set(countsOf(await fake.messages()))).toEqual(new Set([1]));
});

// Promise W30
test('a deadline is by Temporal’s clock, however wrong those of api and worker are, and both ask until then and no longer', async () => {
  const askedMs = Date.now();
  const hold = await asks(behind, 'brief', 'brief');
  const { expiresAt } = await readHold(behind, hold.id);
  const leftMs = Date.parse(expiresAt ?? '') - askedMs;
  // What is over is the time that it took to ask, on a busy machine.
  expect(leftMs).toBeGreaterThan(30 * minuteMs - 5_000);
  expect(leftMs).toBeLessThan(30 * minuteMs + longMs);
  expect((await decided(ahead, hold.id, greenDecision())).status).toBe(200);
  expect(await waitForTask(behind, hold.taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
});

// Promise W30
test('a question with a deadline that is shorter than the worker’s clock is wrong is asked, answered in time, and is over when its time is up', async () => {
  const hold = await asks(behind, 'short', 'short-answered');
  expect((await readHold(behind, hold.id)).status).toBe('open');
  expect((await decided(behind, hold.id, greenDecision())).status).toBe(200);
  expect(await waitForTask(behind, hold.taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
});
