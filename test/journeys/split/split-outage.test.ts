// No worker, no Temporal, or Temporal killed at the wrong moment: honest answers in time, and nothing is lost or done twice.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { textsOf } from '../../rigs/streams/agui.ts';
import { checkRun } from '../../rigs/streams/check-run.ts';
import type { Answer } from '../../rigs/product/standfast.ts';
import { createSupervisor, type RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  buildOnce,
  codeOf,
  countsOf,
  ended,
  green,
  greenDecision,
  holdsOf,
  longMs,
  openHold,
  readHold,
  runTemporal,
  tasksOf,
  waitForTask,
  waitForWorkflow,
} from '../setting.ts';
import { startSplit, type Api, type Split } from './split.ts';

const supervisor = createSupervisor();
const script = 'stream 3; form => say thanks; complete';
/** No caller waits longer than this for an answer, whatever is away. */
const boundMs = 30_000;

let fake: FakeAgent;
let split: Split;
let api: Api;
let worker: RigProcess;

const ask = async (threadId: string): Promise<HoldView> => {
  ended(await api.run('fake', { threadId, text: script }, longMs), 'interrupt');
  return openHold(api, 'fake', threadId);
};
const decide = (hold: HoldView, note?: string): Promise<Answer> =>
  api.post(`/api/holds/${hold.id}/decision`, greenDecision(note));
const answersTo = async (hold: HoldView): Promise<number> => {
  const [task] = await tasksOf(api, 'fake', hold.threadId);
  return (await fake.messages()).filter(({ taskId }) => taskId === task?.a2aTaskId).length;
};
const ready = async (status: number): Promise<unknown> =>
  waitFor(
    async () => {
      const answer = await api.get('/readyz');
      return answer.status === status ? answer.body : undefined;
    },
    longMs,
    `readyz to say ${status}`,
  );

beforeAll(async () => {
  buildOnce();
  fake = await startFakeAgent(supervisor);
  split = await startSplit(supervisor, `agents: { fake: { url: '${fake.url}' } }\nreconcile: { every: 2s }`);
  [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
  await ready(200);
});
afterAll(() => supervisor.end());

describe('an operator', () => {
  // Promise Q6
  test('who terminates a workflow takes its question out of the inbox', async () => {
    const hold = await ask('terminated');
    await runTemporal(split.temporal.address, [
      'workflow',
      'terminate',
      '--workflow-id',
      'a2a/fake/terminated',
      '--reason',
      'a test',
    ]);
    await waitFor(
      async () => (await readHold(api, hold.id)).status === 'withdrawn',
      longMs,
      'the hold to be withdrawn',
    );
    const task = await waitForTask(api, hold.taskId, 'CANCELED');
    expect((await decide(hold)).status).toBe(409);
    const reported = await api.run('fake', {
      threadId: 'terminated',
      messages: [],
      forwardedProps: { a2a: { subscribeOnly: true } },
    });
    expect(ended(reported, 'cancelled').at(-1)).toMatchObject({ result: { status: task.status } });
    // The thread is free for its next task.
    ended(await api.run('fake', { threadId: 'terminated', text: 'say next; complete' }), 'success');
  });
});

describe('Temporal killed while decisions are on their way', () => {
  // Promise A6
  test('each is answered 200 or 503, the same again is safe, and the agent gets each answer once', async () => {
    const stream = await api.openRun('fake', { threadId: 'streams', text: 'stream 150 100; data; complete' });
    const holds = await Promise.all(Array.from({ length: 6 }, (_, index) => ask(`on-its-way-${index}`)));
    // Some before the kill, some in the middle of it, some after.
    const before = holds.slice(0, 2).map((hold) => decide(hold));
    await Promise.race(before);
    const during = holds.slice(2, 4).map((hold) => decide(hold));
    await split.temporal.kill9();
    const sent = [...before, ...during, ...holds.slice(4).map((hold) => decide(hold))];
    for (const answer of await Promise.all(sent)) {
      expect([200, 503]).toContain(answer.status);
      if (answer.status !== 503) continue;
      expect(['decision_not_confirmed', 'engine_unavailable', 'worker_unavailable']).toContain(codeOf(answer));
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await split.temporal.restart();
    for (const hold of holds) {
      const answer = await waitFor(
        async () => {
          const again = await decide(hold);
          return again.status === 503 ? undefined : again;
        },
        longMs,
        `an answer to the same decision on ${hold.threadId}`,
      );
      expect([hold.threadId, answer.status]).toEqual([hold.threadId, 200]);
      await waitForTask(api, hold.taskId, 'DONE');
      expect((await decide(hold)).status).toBe(200);
      expect(codeOf(await decide(hold, 'another'))).toBe('hold_closed');
      expect([hold.threadId, await answersTo(hold)]).toEqual([hold.threadId, 1]);
      await waitForWorkflow(split.temporal.address, 'fake', hold.threadId, 'COMPLETED');
    }
    // What an agent streams meanwhile is neither lost nor doubled.
    const events = await stream.over(longMs);
    checkRun(events);
    const [text] = [...textsOf(events)].flatMap(([id, words]) => (id.startsWith('artifact:') ? [words] : []));
    expect(text).toBe(Array.from({ length: 150 }, (_, index) => `t${index + 1} `).join(''));
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
  });
});

describe('without a worker, and then without Temporal', () => {
  const kept = { threadId: 'kept', runId: 'kept-1', text: 'stream 3; form => say thanks; complete kept' };
  let hold: HoldView;

  beforeAll(async () => {
    hold = await ask('waiting');
    await worker.stop();
  });

  test('a run ends with worker_unavailable in time, a decision is answered 503 with Retry-After, and readyz says why', async () => {
    const startedMs = performance.now();
    const [run, decision] = await Promise.all([api.run('fake', kept), decide(hold)]);
    ended(run, 'error:worker_unavailable');
    expect([decision.status, codeOf(decision)]).toEqual([503, 'worker_unavailable']);
    expect(Number(decision.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(performance.now() - startedMs).toBeLessThan(boundMs);
    expect(await ready(503)).toMatchObject({
      reads: true,
      parts: { temporal: 'ok', database: 'ok', workers: 'unavailable' },
    });
  });

  test('the api says engine_unavailable without Temporal, is alive and not ready, and still reads', async () => {
    await split.temporal.kill9();
    const startedMs = performance.now();
    const [run, decision] = await Promise.all([
      api.run('fake', { threadId: 'unheard', runId: 'unheard-1', text: script }),
      decide(hold),
    ]);
    ended(run, 'error:engine_unavailable');
    expect([decision.status, codeOf(decision)]).toEqual([503, 'engine_unavailable']);
    expect(performance.now() - startedMs).toBeLessThan(boundMs);
    expect(await ready(503)).toMatchObject({ reads: true, parts: { temporal: 'unavailable', database: 'ok' } });
    expect((await api.get('/healthz')).status).toBe(200);
    expect((await holdsOf(api, 'fake', 'waiting')).map(({ id }) => id)).toEqual([hold.id]);
    const { status, body } = await api.get(`/api/tasks/${hold.taskId}`);
    expect([status, body]).toMatchObject([200, { stale: true, status: 'NEEDS_REVIEW' }]);
  });

  test('runs and decisions that were not confirmed are carried out once when all is back', async () => {
    const port = Number(new URL(api.url).port);
    await api.process.kill9();
    await split.temporal.restart();
    worker = await split.startWorker();
    // Temporal alone knows of this one by now: its start holds the run that no worker had taken.
    const isSent = async (): Promise<boolean> =>
      (await fake.messages()).some(({ parts }) => JSON.stringify(parts).includes('complete kept'));
    await waitFor(isSent, longMs, 'the message of the run that was kept');
    api = await split.startApi(port);
    for (const threadId of ['kept', 'unheard']) await openHold(api, 'fake', threadId);
    const again = ended(await api.run('fake', kept), 'interrupt');
    expect(again[0]).toMatchObject({ type: 'RUN_STARTED', runId: 'kept-1' });
    const answer = await waitFor(
      async () => [await decide(hold)].find(({ status }) => status !== 503),
      longMs,
      'the decision',
    );
    expect(answer.status).toBe(200);
    await waitForTask(api, hold.taskId, 'DONE');
    expect(await answersTo(hold)).toBe(1);
    const [open] = await holdsOf(api, 'fake', 'kept');
    ended(await api.run('fake', { threadId: 'kept', resume: green(open?.interruptId ?? '') }), 'success');
    expect(new Set(countsOf(await fake.messages()))).toEqual(new Set([1]));
    expect((await tasksOf(api, 'fake', 'kept')).map(({ status }) => status)).toEqual(['DONE']);
  });
});
