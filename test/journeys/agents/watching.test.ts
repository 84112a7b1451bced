// Questions that end without an answer from Standfast, with every process real and none of the times shortened.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { createA2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { createSupervisor, type RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { buildOnce, ended, longMs, openHold, readHold, tasksOf, waitForTask } from '../setting.ts';
import { startSplit, type Api, type Split } from '../split/split.ts';

const supervisor = createSupervisor();
/** A silent pause is first polled after so long. */
const firstProbeMs = 10_000;

let fake: FakeAgent;
let pushing: FakeAgent;
let split: Split;
let api: Api;
let worker: RigProcess;

beforeAll(async () => {
  buildOnce();
  const port = await supervisor.freePort();
  [fake, pushing] = await Promise.all([
    startFakeAgent(supervisor),
    startFakeAgent(supervisor, { settings: { push: true } }),
  ]);
  const agents = `agents: { fake: { url: '${fake.url}' }, pushing: { url: '${pushing.url}' } }`;
  split = await startSplit(supervisor, `${agents}\nserver: { publicUrl: 'http://127.0.0.1:${port}' }`);
  [api, worker] = await Promise.all([split.startApi(port), split.startWorker()]);
  await waitFor(async () => (await api.get('/readyz')).status === 200, longMs, 'everything to be ready');
});
afterAll(() => supervisor.end());

async function ask(agent: string, threadId: string, text: string): Promise<HoldView> {
  ended(await api.run(agent, { threadId, text }, longMs), 'interrupt');
  return openHold(api, agent, threadId);
}

/** Answers as another client of the agent's would. */
async function answerElsewhere(agent: FakeAgent, name: string, threadId: string): Promise<void> {
  const [task] = await tasksOf(api, name, threadId);
  const caller = await createA2aCaller(agent.url);
  await caller.send('green', { taskId: task?.a2aTaskId ?? '' });
}

const withdrawn = (hold: HoldView): Promise<HoldView> =>
  waitFor(
    async () => [await readHold(api, hold.id)].find(({ status }) => status === 'withdrawn'),
    longMs,
    `the question on ${hold.threadId} to be withdrawn`,
  );

// Promise W11
test('what an agent pushes is seen long before it would have been polled', async () => {
  let leastMs = Infinity;
  // Done again where a busy machine was slower than the poll.
  for (let n = 1; n <= 3 && leastMs >= firstProbeMs - 1_000; n += 1) {
    const hold = await ask('pushing', `pushed-${n}`, 'form => say thanks; complete');
    await answerElsewhere(pushing, 'pushing', `pushed-${n}`);
    const { ended: end, openedAt } = await withdrawn(hold);
    expect(end).toMatchObject({ by: 'agent:pushing', why: 'withdrawn' });
    leastMs = Math.min(leastMs, Date.parse(end?.at ?? '') - Date.parse(openedAt));
    await waitForTask(api, hold.taskId, 'DONE');
  }
  expect(leastMs).toBeLessThan(firstProbeMs - 1_000);
});

// Promise W6
test('an authorisation granted out of band ends its question, and the thread shows how the agent went on', async () => {
  const hold = await ask('fake', 'granted', 'auth Please sign in.; gate granted; say signed in; complete');
  expect(hold.kind).toBe('authorization');
  await fake.openGate('granted');
  expect(await withdrawn(hold)).toMatchObject({ decision: null, ended: { by: 'agent:fake' } });
  await waitForTask(api, hold.taskId, 'DONE');
  const follow = { threadId: 'granted', messages: [], forwardedProps: { a2a: { subscribeOnly: true } } };
  const events = ended(await api.run('fake', follow), 'success');
  const shown = JSON.stringify(events.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT'));
  expect(shown).toContain('"content":"signed in"');
  expect(await fake.messages()).toHaveLength(1);
});

// Promise W7
test('a question answered elsewhere while no worker lived is withdrawn by the next one', async () => {
  const hold = await ask('fake', 'killed', 'form => say thanks; complete');
  await worker.kill9();
  await answerElsewhere(fake, 'fake', 'killed');
  worker = await split.startWorker();
  expect(await withdrawn(hold)).toMatchObject({ decision: null, ended: { why: 'withdrawn' } });
  await waitForTask(api, hold.taskId, 'DONE');
});
