// The clocks of api and worker are off by an hour and a half: deadlines, and how long an agent is away, are by the clocks of
// Temporal and the database, and nothing is lost.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { createDatabase, startPostgres } from '../../rigs/process/postgres.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { runProgram, writeConfig } from '../../rigs/product/standfast.ts';
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
import { startSplit, startTemporal, type Api, type TemporalProcess } from '../split/split.ts';

const supervisor = createSupervisor();
const minuteMs = 60_000;
const offMs = 90 * minuteMs;
const off = (ms: number): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import ${join(root, 'test/rigs/process/clock-offset.mjs')}`,
  STANDFAST_TEST_CLOCK_OFFSET_MS: String(ms),
});

let fake: FakeAgent;
let temporal: TemporalProcess;
let databaseUrl: string;
let configText: string;
/** By how their clocks are off: what one knows the other has to believe. */
let ahead: Api;
let behind: Api;

beforeAll(async () => {
  buildOnce();
  const [postgres, started, agent] = await Promise.all([
    startPostgres(),
    startTemporal(supervisor),
    startFakeAgent(supervisor),
  ]);
  [temporal, fake] = [started, agent];
  supervisor.defer(() => postgres.stop());
  databaseUrl = await createDatabase(postgres.url);
  configText = `
agents:
  fake: { url: '${fake.url}' }
  brief: { url: '${fake.url}', policy: brief }
  short: { url: '${fake.url}', policy: short }
  soon: { url: '${fake.url}', policy: soon }
policies: { brief: { expire: { after: 30m } }, short: { expire: { after: 4m } }, soon: { expire: { after: 8s } } }
`;
  const [early, late] = [
    await startSplit(supervisor, configText, databaseUrl, off(offMs), temporal),
    await startSplit(supervisor, configText, databaseUrl, off(-offMs), temporal),
  ];
  [ahead, behind] = await Promise.all([early.startApi(), late.startApi(), early.startWorker(), late.startWorker()]);
  for (const api of [ahead, behind])
    await waitFor(async () => (await api.get('/readyz')).status === 200, longMs, 'readyz to say 200');
});
afterAll(() => supervisor.end());

const asks = async (api: Api, agent: string, threadId: string): ReturnType<typeof openHold> => {
  ended(await api.run(agent, { threadId, text: 'form => say thanks; complete' }, longMs), 'interrupt');
  return openHold(api, agent, threadId);
};

test('a question asked and answered by processes whose clocks are off by an hour and a half is open and is answered once, in either order', async () => {
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

// Promise W30
test('a question whose time is up has ended for each api then, however wrong its clock is, and takes no answer any more', async () => {
  const hold = await asks(ahead, 'soon', 'soon');
  const { expiresAt } = await readHold(behind, hold.id);
  for (const api of [ahead, behind])
    await waitFor(async () => (await readHold(api, hold.id)).status !== 'open', longMs, 'the question to end');
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt ?? ''));
  for (const api of [ahead, behind]) expect((await decided(api, hold.id, greenDecision())).status).toBe(409);
});

test('an agent that is away is so since the same moment for each api, however wrong its clock is, and gets its answer once it is back', async () => {
  const hold = await asks(behind, 'fake', 'away');
  const before = Date.now();
  await fake.kill9();
  expect((await decided(ahead, hold.id, greenDecision())).status).toBe(200);
  for (const api of [ahead, behind]) {
    const awayMs = await waitFor(() => awayMsOf(api), longMs, 'the agent to be away');
    expect(awayMs).toBeLessThan(Date.now() - before + 1_000);
  }
  await fake.restart();
  expect(await waitForTask(behind, hold.taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
  expect(new Set(countsOf(await fake.messages()))).toEqual(new Set([1]));
});

/** How long the agent has been away as this api says, undefined: it is not, or for less than a moment. */
async function awayMsOf(api: Api): Promise<number | undefined> {
  const { body } = await api.get('/metrics');
  const [, seconds = '0'] =
    /^standfast_agent_away_seconds\{agent="fake",state="\S+"\} (\S+)$/m.exec(String(body)) ?? [];
  return Number(seconds) > 0 ? Number(seconds) * 1_000 : undefined;
}

test.each([offMs, -offMs])(
  'standfast doctor on a machine whose clock is off by %d ms fails, and says by how much, of Temporal’s and of the database’s',
  async (ms) => {
    const { code, output } = await runProgram(
      supervisor,
      ['doctor', '--config', await writeConfig(supervisor, configText)],
      { env: { TEMPORAL_ADDRESS: temporal.address, DATABASE_URL: databaseUrl, ...off(ms) } },
    );
    expect(code).toBe(1);
    const where = ms > 0 ? 'behind' : 'ahead of';
    expect(output).toMatch(new RegExp(`FAIL clocks: .*Temporal is 1.[45] h ${where} this machine's`));
    expect(output).toMatch(new RegExp(`FAIL clocks: .*database is 1.[45] h ${where} this machine's`));
  },
);
