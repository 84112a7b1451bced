// kill -9 of the worker between the commit of its turns and their results, with the answers given meanwhile: what people saw stays,
// each answer is taken once, and each message reaches the agent once. 200 turns with HOLDPOINT_FULL=1.
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { startFakeAgent } from '../rigs/agent.ts';
import type { FakeAgent } from '../rigs/agent.ts';
import { endOf } from '../rigs/agui.ts';
import type { RunResult } from '../rigs/agui.ts';
import type { Answer } from '../rigs/holdpoint.ts';
import { createSupervisor } from '../rigs/supervisor.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { buildOnce, countsOf, ended, greenDecision, holdsOf, openHold, waitForTask } from './setting.ts';
import { startSplit } from './split.ts';
import type { Api, Split } from './split.ts';

const isFull = process.env['HOLDPOINT_FULL'] === '1';
const rounds = isFull ? 10 : 1;
const atOnce = isFull ? 20 : 4;
jest.setTimeout(isFull ? 1_200_000 : 180_000);
const supervisor = createSupervisor();
const held = { HOLDPOINT_TEST_SEAM: 'turn.committed' };

let fake: FakeAgent;
let split: Split;
let api: Api;

beforeAll(async () => {
  buildOnce();
  fake = await startFakeAgent(supervisor);
  split = await startSplit(supervisor, `agents:\n  fake: { url: '${fake.url}' }\n`);
  api = await split.startApi();
});
afterAll(() => supervisor.end());

/** 200 is said once it is taken; whoever is told that nobody confirmed says the same again. */
async function decided(holdId: string): Promise<Answer> {
  return waitFor(
    async () => {
      const answer = await api.post(`/api/holds/${holdId}/decision`, greenDecision());
      return answer.status === 503 ? undefined : answer;
    },
    90_000,
    `the decision on ${holdId}`,
  );
}

test('a worker killed after the commit of its turns leaves what people saw, and what they answered meanwhile counts once', async () => {
  for (let round = 1; round <= rounds; round += 1) {
    const names = Array.from({ length: atOnce }, (_, index) => `asked-${round}-${index}`);
    const doomed = await split.startWorker(held);
    const runs = names.map((threadId) => api.run('fake', { threadId, text: 'form => stream 5 1; complete' }, 60_000));
    for (const run of await Promise.all(runs)) ended(run, 'interrupt');
    const shown = await Promise.all(names.map((threadId) => openHold(api, 'fake', threadId)));
    const answers = shown.map(({ id }) => decided(id));
    await doomed.kill9();
    const next = await split.startWorker();
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
    for (const { taskId } of shown) await waitForTask(api, taskId, 'DONE');
    const now = (await Promise.all(names.map((threadId) => holdsOf(api, 'fake', threadId)))).flat();
    expect(now.map(({ id, digest, openedAt }) => [id, digest, openedAt])).toEqual(
      shown.map(({ id, digest, openedAt }) => [id, digest, openedAt]),
    );
    expect(now.every(({ status }) => status === 'decided')).toBe(true);
    await next.kill9();
  }
  const counts = countsOf(await fake.messages());
  expect(counts).toHaveLength(2 * rounds * atOnce);
  expect(new Set(counts)).toEqual(new Set([1]));
});

test('a worker killed after it wrote the end leaves the task over, and the thread goes on', async () => {
  const doomed = await split.startWorker(held);
  ended(await api.run('fake', { threadId: 'over', text: 'say first; complete' }), 'success');
  const next = (): Promise<RunResult> =>
    api.run('fake', { threadId: 'over', runId: 'second', text: 'say second; complete' }, 60_000);
  const first = next();
  await doomed.kill9();
  await split.startWorker();
  await first;
  // Told that no worker is there, its client says the same again.
  const isDone = async (): Promise<boolean> => endOf((await next()).events) === 'success';
  await waitFor(isDone, 90_000, 'the next task to end');
  const said = (await fake.messages()).filter(({ parts }) => /say (first|second);/.test(JSON.stringify(parts)));
  expect(countsOf(said)).toEqual([1, 1]);
});
