// An approval whose agent is away for longer than its outage, with every process real and killed meanwhile.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { createSupervisor, type RigProcess } from '../../rigs/process/supervisor.ts';
import { startTcpProxy, type TcpProxy } from '../../rigs/process/tcp-proxy.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { buildOnce, countsOf, ended, greenDecision, longMs, openHold, readTask, waitForTask } from '../setting.ts';
import { startSplit, type Api, type Split } from '../split/split.ts';

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
afterAll(() => supervisor.end());

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
