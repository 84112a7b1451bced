// The network to the agent gone for seconds, and people who decide at the same moment.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { shownTexts, tokensIn, wholeText } from '../../rigs/streams/agui.ts';
import { checkRun } from '../../rigs/streams/check-run.ts';
import type { Answer } from '../../rigs/product/standfast.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { RigProcess } from '../../rigs/process/supervisor.ts';
import { startTcpProxy } from '../../rigs/process/tcp-proxy.ts';
import type { TcpProxy } from '../../rigs/process/tcp-proxy.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  buildOnce,
  countsOf,
  decided,
  ended,
  greenDecision,
  longMs,
  openHold,
  readHold,
  tasksOf,
  timeOutsOf,
  waitForTask,
  waitForWorkflow,
} from '../setting.ts';
import { startSplit } from './split.ts';
import type { Api, Split } from './split.ts';

const supervisor = createSupervisor();
const faults = ['cut', 'refuse', 'stall', 'away'] as const;
type NetworkFault = (typeof faults)[number];

let fake: FakeAgent;
let split: Split;
let api: Api;
let worker: RigProcess;
const proxies = new Map<string, TcpProxy>();

/** A card that names the proxy as the agent's address: all calls go through it, only the card does not. */
async function serveCards(): Promise<string> {
  const card: unknown = await (await fetch(new URL('.well-known/agent-card.json', fake.url))).json();
  const server = createServer((request, response) => {
    const proxy = proxies.get(request.url?.slice(1).replace('.json', '') ?? '');
    const text = JSON.stringify(card).replaceAll(`127.0.0.1:${fake.port}`, proxy?.address ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  supervisor.defer(async () => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return `http://127.0.0.1:${address.port}`;
}

beforeAll(async () => {
  buildOnce();
  fake = await startFakeAgent(supervisor);
  for (const fault of faults) {
    const proxy = await startTcpProxy({ port: fake.port });
    proxies.set(fault, proxy);
    supervisor.defer(() => proxy.close());
  }
  const cards = await serveCards();
  const agents = faults.map(
    (name) => `  ${name}: { url: '${cards}/${name}.json', allowOrigins: ['http://${proxies.get(name)?.address}'] }`,
  );
  agents.push(`  fake: { url: '${fake.url}' }`);
  split = await startSplit(supervisor, ['agents:', ...agents].join('\n'));
  [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
  // An agent that has shown our message ids once may be believed when it says that it has none.
  await Promise.all(
    ['fake', ...faults].map(async (agent) =>
      ended(await api.run(agent, { threadId: 'known', text: 'say hello; complete' }, longMs), 'success'),
    ),
  );
});
afterAll(() => supervisor.end());

function proxyOf(fault: NetworkFault): TcpProxy {
  const proxy = proxies.get(fault);
  if (proxy === undefined) throw new Error(`no proxy for ${fault}`);
  return proxy;
}

describe('a network between worker and agent that is gone for seconds', () => {
  const outageMs = 4_000;
  /** What happens to the network, in the middle of a stream. */
  const happens: Record<NetworkFault, (proxy: TcpProxy) => Promise<void>> = {
    cut: async (proxy) => proxy.cut(),
    refuse: async (proxy) => {
      await proxy.refuse();
      await pause(outageMs);
      await proxy.accept();
    },
    stall: async (proxy) => {
      proxy.stall();
      await pause(outageMs);
      proxy.flow();
    },
    away: async () => undefined,
  };

  /** Runs in parallel with the other journey: both mostly wait. */
  let awayJourney: Promise<void>;
  beforeAll(() => {
    awayJourney = goAway();
    awayJourney.catch(() => undefined);
  });

  test('a network between worker and agent that is gone for seconds delays a run that streams and never fails it: cut, refused and stalled lose and double no word', async () => {
    const broken = faults.filter((fault) => fault !== 'away');
    await Promise.all(
      broken.map(async (fault) => {
        const stream = await api.openRun(fault, { threadId: 'streams', text: 'stream 100 60; data; complete' });
        await waitFor(() => tokensIn(stream) >= 10, longMs, `text before ${fault}`);
        await happens[fault](proxyOf(fault));
        const events = await stream.over(longMs);
        checkRun(events);
        expect([fault, events.at(-1)]).toMatchObject([fault, { type: 'RUN_FINISHED', outcome: { type: 'success' } }]);
        expect([fault, ...shownTexts(events)]).toEqual([fault, wholeText(100)]);
        expect((await tasksOf(api, fault, 'streams')).map(({ status }) => status)).toEqual(['DONE']);
      }),
    );
  });

  test('a network between worker and agent that is gone for seconds delays a run and an answer that reach no agent, and sends each once', async () => {
    await awayJourney;
    expect(new Set(countsOf(await fake.messages()))).toEqual(new Set([1]));
  });

  async function goAway(): Promise<void> {
    const proxy = proxyOf('away');
    await proxy.refuse();
    const asking = api.run('away', { threadId: 'away', text: 'form => say thanks; complete' }, longMs);
    await waitFor(async () => (await tasksOf(api, 'away', 'away')).length === 1, longMs, 'the task');
    await pause(outageMs);
    await proxy.accept();
    ended(await asking, 'interrupt');
    const hold = await openHold(api, 'away', 'away');
    await proxy.refuse();
    expect((await api.post(`/api/holds/${hold.id}/decision`, greenDecision())).status).toBe(200);
    await pause(outageMs);
    await waitForTask(api, hold.taskId, 'USER_INPUT_RECEIVED');
    await proxy.accept();
    await waitForTask(api, hold.taskId, 'DONE');
  }
});

const ask = async (threadId: string): Promise<string> => {
  ended(await api.run('fake', { threadId, text: 'form => say thanks; complete' }), 'interrupt');
  return (await openHold(api, 'fake', threadId)).id;
};
const decide = (id: string, note: string): Promise<Answer> =>
  api.post(`/api/holds/${id}/decision`, greenDecision(note));

describe('a network to PostgreSQL that is gone for seconds', () => {
  test('a network to PostgreSQL that is gone for seconds delays runs and decisions and never fails them: cut, refused and stalled lose and double no word', async () => {
    ended(await api.run('fake', { threadId: 'db-waits', text: 'form => say thanks; complete' }), 'interrupt');
    const hold = await openHold(api, 'fake', 'db-waits');
    const streams = await Promise.all(
      [50, 70, 90].map((delayMs) =>
        api.openRun('fake', { threadId: `db-${delayMs}`, text: `stream 100 ${delayMs}; data; complete` }),
      ),
    );
    await waitFor(() => streams.every((stream) => tokensIn(stream) >= 5), longMs, 'text before the cut');
    split.database.cut();
    await pause(1_000);
    await split.database.refuse();
    await pause(2_000);
    await split.database.accept();
    await pause(1_000);
    split.database.stall();
    const decision = decided(api, hold.id, greenDecision('through the stall'));
    await pause(2_000);
    split.database.flow();
    for (const stream of streams) {
      const events = await stream.over(longMs);
      checkRun(events);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
      expect(shownTexts(events)).toEqual([wholeText(100)]);
    }
    expect((await decision).status).toBe(200);
    await waitForTask(api, hold.taskId, 'DONE');
  });
});

describe('people who decide at the same moment', () => {
  test('exactly one of two different decisions is taken, the other gets hold_closed', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, (_, index) => ask(`race-${index}`)));
    await Promise.all(
      ids.map(async (id) => {
        const answers = await Promise.all([decide(id, 'one'), decide(id, 'two')]);
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
        expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'hold_closed' });
        const winner = answers[0]?.status === 200 ? 'one' : 'two';
        const { decision, taskId } = await readHold(api, id);
        expect(decision?.values).toEqual({ colour: 'green', note: winner });
        await waitForTask(api, taskId, 'DONE');
      }),
    );
  });

  test('the same decision sent twice at once is answered 200 twice, and reaches the agent once', async () => {
    const before = (await fake.messages()).length;
    const ids = await Promise.all(Array.from({ length: 5 }, (_, index) => ask(`twice-${index}`)));
    const answers = await Promise.all(ids.flatMap((id) => [decide(id, 'same'), decide(id, 'same')]));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await Promise.all(ids.map(async (id) => waitForTask(api, (await readHold(api, id)).taskId, 'DONE')));
    expect((await fake.messages()).length).toBe(before + 2 * ids.length);
  });
});

describe('a worker that is replaced by a newer one', () => {
  test('a worker that is replaced by a newer one stops in time and hands a run over before it is missed, no word lost or twice', async () => {
    const stream = await api.openRun('fake', {
      threadId: 'handed-over',
      text: 'stream 20 20; gate handed-over; stream 20 20 second; data; complete',
    });
    await waitFor(() => tokensIn(stream) >= 10, longMs, 'text before the change');
    const next = await split.startWorker();
    expect(await worker.stop()).toEqual({ code: 0, signal: null });
    worker = next;
    const before = stream.frames.length;
    await fake.openGate('handed-over');
    await waitFor(() => stream.frames.length > before, longMs, 'text from the next worker');
    const events = await stream.over(longMs);
    checkRun(events);
    expect(shownTexts(events)).toEqual([wholeText(20), wholeText(20)]);
    // Not after the time that it takes to notice that a worker was killed.
    await waitForWorkflow(split.temporal.address, 'fake', 'handed-over', 'COMPLETED');
    expect(await timeOutsOf(split.temporal.address, 'fake', 'handed-over')).toEqual([]);
  });
});
