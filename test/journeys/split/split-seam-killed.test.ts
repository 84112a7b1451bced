// kill -9 and SIGSTOP of the worker between the commit of its turns and their results, with answers meanwhile: what people saw stays,
// each answer is taken once, and each message reaches the agent once. 200 turns killed and 60 frozen with STANDFAST_FULL=1.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { endOf, type RunResult } from '../../rigs/streams/agui.ts';
import type { Answer } from '../../rigs/product/standfast.ts';
import { isFull } from '../../rigs/properties.ts';
import { createSupervisor, type RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  buildOnce,
  countsOf,
  decided,
  ended,
  greenDecision,
  holdsOf,
  longMs,
  openHold,
  waitForTask,
} from '../setting.ts';
import { startSplit, type Api, type Split } from './split.ts';

const rounds = { killed: isFull ? 10 : 1, frozen: isFull ? 3 : 1 };
const atOnce = isFull ? 20 : 4;
if (isFull) jest.setTimeout(1_800_000);
const supervisor = createSupervisor();
const held = { STANDFAST_TEST_SEAM: 'turn.committed' };

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

/** Threads that have each been asked something by a turn whose result no history has. */
async function askedAtSeam(names: string[], text: string): Promise<HoldView[]> {
  const runs = names.map((threadId) => api.run('fake', { threadId, text }, longMs));
  for (const run of await Promise.all(runs)) ended(run, 'interrupt');
  return Promise.all(names.map((threadId) => openHold(api, 'fake', threadId)));
}

/** Takes what was answered meanwhile to its end by a worker of its own. */
async function goOn(answers: Promise<Answer>[], shown: HoldView[]): Promise<RigProcess> {
  const next = await split.startWorker();
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ status: 200 });
  for (const { taskId } of shown) await waitForTask(api, taskId, 'DONE');
  return next;
}

const allHolds = async (names: string[]): Promise<HoldView[]> =>
  (await Promise.all(names.map((threadId) => holdsOf(api, 'fake', threadId)))).flat();
const identityOf = ({ id, digest, openedAt }: HoldView): string[] => [id, digest, openedAt];
const threadsOf = (kind: string, round: number): string[] =>
  Array.from({ length: atOnce }, (_, index) => `${kind}-${round}-${index}`);
const sentCounts = async (words: RegExp): Promise<number[]> =>
  countsOf((await fake.messages()).filter(({ parts }) => words.test(JSON.stringify(parts))));
/** Of a message that asks, and of the answer that it gets. */
const onceEach = (times: number): number[] => Array.from({ length: times }, () => 1);

// Promise O12
test('a worker killed after the commit of its turns leaves what people saw, and what they answered meanwhile counts once', async () => {
  for (let round = 1; round <= rounds.killed; round += 1) {
    const names = threadsOf('killed', round);
    const doomed = await split.startWorker(held);
    const shown = await askedAtSeam(names, 'form => stream 5 1; complete');
    const answers = shown.map(({ id }) => decided(api, id, greenDecision()));
    await doomed.kill9();
    const next = await goOn(answers, shown);
    const now = await allHolds(names);
    expect(now.map(identityOf)).toEqual(shown.map(identityOf));
    expect(now.every(({ status }) => status === 'decided')).toBe(true);
    await next.kill9();
  }
  expect(countsOf(await fake.messages())).toEqual(onceEach(2 * rounds.killed * atOnce));
});

// Promise O12
test('a worker killed after it wrote the end leaves the task over, and the thread goes on', async () => {
  const doomed = await split.startWorker(held);
  ended(await api.run('fake', { threadId: 'over', text: 'say first; complete' }), 'success');
  const next = (): Promise<RunResult> =>
    api.run('fake', { threadId: 'over', runId: 'second', text: 'say second; complete' }, 60_000);
  const first = next();
  await doomed.kill9();
  const after = await split.startWorker();
  await first;
  // Refused because no worker is there, its client sends the same again.
  const isDone = async (): Promise<boolean> => endOf((await next()).events) === 'success';
  await waitFor(isDone, 90_000, 'the next task to end');
  expect(await sentCounts(/say (first|second);/)).toEqual(onceEach(2));
  await after.kill9();
});

// Promise O12
test('a worker frozen after the commit of its turns finds when it wakes that another one has gone on, and undoes nothing', async () => {
  const before = (await fake.messages()).length;
  for (let round = 1; round <= rounds.frozen; round += 1) {
    const names = threadsOf('frozen', round);
    const gate = join(await supervisor.tempDir('seam'), 'open');
    const frozen = await split.startWorker({ STANDFAST_TEST_SEAM: `turn.committed:${gate}` });
    const shown = await askedAtSeam(names, 'form => say taken; complete');
    process.kill(frozen.pid, 'SIGSTOP');
    const next = await goOn(
      shown.map(({ id }) => decided(api, id, greenDecision())),
      shown,
    );
    const settled = await allHolds(names);
    expect(settled.map(identityOf)).toEqual(shown.map(identityOf));
    // Awake, it reports what its turns came to, long after the attempts that did so in its place; and it takes new work.
    await writeFile(gate, '');
    process.kill(frozen.pid, 'SIGCONT');
    const more = names.map((threadId) =>
      api.run('fake', { threadId, runId: 'more', text: 'say more; complete' }, longMs),
    );
    for (const run of await Promise.all(more)) ended(run, 'success');
    expect(await allHolds(names)).toEqual(settled);
    for (const { taskId } of shown) await waitForTask(api, taskId, 'DONE');
    await Promise.all([frozen.kill9(), next.kill9()]);
  }
  const counts = countsOf((await fake.messages()).slice(before));
  expect(counts).toEqual(onceEach(3 * rounds.frozen * atOnce));
});
