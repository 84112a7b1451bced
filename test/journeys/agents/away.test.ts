// An approval whose agent is away for longer than its outage, with every process real and killed meanwhile.
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { runProgram } from '../../rigs/product/standfast.ts';
import { createSupervisor, type RigProcess } from '../../rigs/process/supervisor.ts';
import { startTcpProxy, type TcpProxy } from '../../rigs/process/tcp-proxy.ts';
import { endOf } from '../../rigs/streams/agui.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  buildOnce,
  countsOf,
  ended,
  greenDecision,
  interruptOf,
  longMs,
  openHold,
  readTask,
  tasksOf,
  waitForTask,
} from '../setting.ts';
import { startSplit, type Api, type Split } from '../split/split.ts';

/** Of the shared state (JSON Patch). */
const ChangesSchema = z.array(z.object({ op: z.string(), path: z.string(), value: z.unknown().optional() }));
type Change = z.infer<typeof ChangesSchema>[number];

const supervisor = createSupervisor();
let fake: FakeAgent;
let proxy: TcpProxy;
let split: Split;
let api: Api;
let worker: RigProcess;

/** A card that names the proxy as the agent's address: all calls go through it, only the card does not. */
async function serveCard(): Promise<string> {
  const card: unknown = await (await fetch(new URL('.well-known/agent-card.json', fake.url))).json();
  const text = JSON.stringify(card).replaceAll(`127.0.0.1:${fake.port}`, proxy.address);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  supervisor.defer(async () => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return `http://127.0.0.1:${address.port}/card.json`;
}

beforeAll(async () => {
  buildOnce();
  fake = await startFakeAgent(supervisor);
  proxy = await startTcpProxy({ port: fake.port });
  supervisor.defer(() => proxy.close());
  const agent = `agents: { away: { url: '${await serveCard()}', allowOrigins: ['http://${proxy.address}'] } }`;
  split = await startSplit(supervisor, `${agent}\nagentOutage: 5s`);
  [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
});
afterEach(() => proxy.accept());
afterAll(() => supervisor.end());

/** What an event changes of the tasks and cards that a front end shows. */
const changesIn = ({ type, delta, patch }: WireEvent): Change[] => {
  // The first of a thread brings `/view` with all that is below it.
  if (type === 'STATE_DELTA') return ChangesSchema.parse(delta).filter(({ path }) => /^\/view($|\/tasks)/.test(path));
  return type === 'ACTIVITY_DELTA' ? ChangesSchema.parse(patch) : [];
};
const saysAway = (event: WireEvent): boolean =>
  changesIn(event).some(({ value }) => JSON.stringify(value ?? null).includes('"agent_away"'));
const takesOut = (event: WireEvent): boolean =>
  changesIn(event).some(({ op, path }) => op === 'remove' && path.endsWith('/stuck'));
/** Lines of `standfast tasks --stuck` about a task, which a table names by the beginning of its id. */
async function listedStuck(taskId: string): Promise<string[]> {
  const { output } = await runProgram(supervisor, ['tasks', '--stuck', '--url', api.url]);
  return output.split('\n').filter((line) => line.startsWith(taskId.slice(0, 8)));
}

// Promise Y81
test('a run whose agent is away says so to its front end before the message is sent, and takes it out once the agent has it', async () => {
  await proxy.refuse();
  const stream = await api.openRun('away', { threadId: 'first', text: 'say thanks; complete' });
  const away = await stream.until(saysAway, 'the front end to have the agent shown as away');
  const text = JSON.stringify(away);
  expect(text).toMatch(/"why":"[^"]+/);
  expect(Date.parse(/"since":"([^"]+)"/.exec(text)?.[1] ?? '')).toBeLessThanOrEqual(Date.now());
  await proxy.accept();
  await stream.until(takesOut, 'the front end to have it taken out');
  expect(endOf(await stream.over(longMs))).toBe('success');
  const [task] = await tasksOf(api, 'away', 'first');
  expect(task).toMatchObject({ status: 'DONE', stuck: null });
});

// Promise Y81
test('an answer whose agent is away has task and card shown as waiting with cause, since and why, listed by the command line, and taken out again', async () => {
  const asked = ended(
    await api.run('away', { threadId: 'answered', text: 'form => say thanks; complete' }, longMs),
    'interrupt',
  );
  const { taskId } = await openHold(api, 'away', 'answered');
  expect(await listedStuck(taskId)).toEqual([]);
  await proxy.refuse();
  const resume = [
    { interruptId: interruptOf(asked), status: 'resolved' as const, payload: { colour: 'green', note: '' } },
  ];
  const stream = await api.openRun('away', { threadId: 'answered', resume });
  const isOf =
    (type: string) =>
    (event: WireEvent): boolean =>
      event.type === type && saysAway(event);
  const [task, card] = await Promise.all([
    stream.until(isOf('STATE_DELTA'), 'the task to be shown as waiting'),
    stream.until(isOf('ACTIVITY_DELTA'), 'the card to be shown as waiting'),
  ]);
  expect(card).toMatchObject({ messageId: interruptOf(asked) });
  for (const event of [task, card]) expect(JSON.stringify(event)).toMatch(/"why":"[^"]+/);
  const isListed = async (): Promise<boolean> =>
    (await listedStuck(taskId)).some((line) => line.includes('agent_away'));
  await waitFor(isListed, longMs, 'the command line to list it');
  await proxy.accept();
  const events = await stream.over(longMs);
  expect(endOf(events)).toBe('success');
  for (const type of ['STATE_DELTA', 'ACTIVITY_DELTA'])
    expect(events.filter((event) => event.type === type && takesOut(event))).not.toEqual([]);
  expect(await waitForTask(api, taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE', stuck: null });
  expect(await listedStuck(taskId)).toEqual([]);
});

// Promise Y82
test('an approval whose agent is away outlives kill -9 of worker and api, is shown as waiting, and reaches the agent once when it is back', async () => {
  ended(await api.run('away', { threadId: 'kept', text: 'form => say thanks; complete' }, longMs), 'interrupt');
  const hold = await openHold(api, 'away', 'kept');
  await proxy.refuse();
  expect((await api.post(`/api/holds/${hold.id}/decision`, greenDecision())).status).toBe(200);
  const isStuck = async (): Promise<boolean> => (await readTask(api, hold.taskId)).stuck?.cause === 'agent_away';
  await waitFor(isStuck, longMs, 'the task to be shown as waiting for its agent');
  await Promise.all([worker.kill9(), api.process.kill9()]);
  [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
  // The agent is away for longer than its outage, counted from here.
  const from = Date.now();
  await waitFor(() => Date.now() - from > 12_000, longMs, 'the outage to be over');
  expect(await readTask(api, hold.taskId)).toMatchObject({ status: 'USER_INPUT_RECEIVED', error: null });
  await worker.kill9();
  await proxy.accept();
  worker = await split.startWorker();
  expect(await waitForTask(api, hold.taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE', stuck: null });
  expect(new Set(countsOf(await fake.messages()))).toEqual(new Set([1]));
});
