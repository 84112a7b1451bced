// A frozen worker (a suspended machine, a paused container) loses its workflow tasks in the middle of them.
// When it wakes up, it and every other worker must be able to go on.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  buildOnce,
  countsOf,
  ended,
  failedWorkflowTasks,
  greenDecision,
  longMs,
  openHold,
  waitForTask,
} from '../setting.ts';
import { startSplit } from './split.ts';
import type { Api, Split } from './split.ts';

const supervisor = createSupervisor();
const threads = Array.from({ length: 16 }, (_, index) => `frozen-${index + 1}`);

let fake: FakeAgent;
let split: Split;
let api: Api;
let worker: RigProcess;

beforeAll(async () => {
  buildOnce();
  fake = await startFakeAgent(supervisor);
  split = await startSplit(
    supervisor,
    `
agents: { fake: { url: '${fake.url}', policy: often } }
policies: { often: { ladder: [{ after: 1s, remind: true, every: 1s }], expire: { after: 1d, then: fail } } }`,
  );
  [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
  await waitFor(async () => (await api.get('/readyz')).status === 200, longMs, 'readyz to say 200');
});
afterAll(() => supervisor.end());

/** Twice as long as a worker may keep a workflow task, so that some are given away, lost again, and wait for it to wake up. */
const frozenMs = 12_000;

// Promise W24
test('a worker that stood still while reminders fell due goes on with each task', async () => {
  const asked = threads.map((threadId) => api.run('fake', { threadId, text: 'form => say thanks; complete' }, longMs));
  for (const run of await Promise.all(asked)) ended(run, 'interrupt');
  // Each step takes its time, so that some are under way when the next workflow task comes.
  split.database.delay(40);
  process.kill(worker.pid, 'SIGSTOP');
  const until = Date.now() + frozenMs;
  await waitFor(() => Date.now() > until, longMs, 'the workflow tasks it has to be lost');
  process.kill(worker.pid, 'SIGCONT');
  const holds = await Promise.all(threads.map((threadId) => openHold(api, 'fake', threadId)));
  const failed = await failedWorkflowTasks(split.temporal.address);
  split.database.delay(0);
  for (const { id, taskId, threadId } of holds) {
    const answers: unknown[] = [];
    const decide = async (): Promise<boolean> => {
      const answer = await api.post(`/api/holds/${id}/decision`, greenDecision());
      answers.push(answer);
      return answer.status === 200;
    };
    const seen = (): string => JSON.stringify([answers[0], answers.at(-1)]);
    await waitFor(decide, longMs, `an answer to the decision on ${threadId}`, seen);
    await waitForTask(api, taskId, 'DONE');
  }
  expect([failed, await failedWorkflowTasks(split.temporal.address)]).toEqual([[], []]);
  expect(new Set(countsOf(await fake.messages()))).toEqual(new Set([1]));
});
