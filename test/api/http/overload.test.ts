// More starts than can be begun: what is kept is begun, what is not is refused at once, and answers do not wait behind either.
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { createStartGate } from '../../../src/api/runs/start-gate.ts';
import { createPrometheusMetrics } from '../../../src/api/http/prometheus.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { describeApi } from '../describe-api.ts';
import {
  admittedAs,
  aHold,
  aTask,
  fakeTasks,
  finished,
  freshThread,
  lastOf,
  openingWorker,
  runBody,
  writeRun,
} from '../rig.ts';

/** So many are handed to Temporal at a time, and so many may wait. */
const [atOnce, maxWaiting] = [16, 2];

const rig = describeApi({ server: { maxWaitingStarts: maxWaiting } });
let base = '';
beforeAll(async () => {
  base = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => void Object.assign(rig.tasks, fakeTasks()));

const post = (payload: object) => rig.app.inject({ method: 'POST', url: '/agents/expenses/run', payload });

/** Starts until no more are taken; Temporal answers none of them before `goOn`. */
async function fill() {
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const opened: string[] = [];
  const work = openingWorker(rig.store);
  rig.tasks.open = async (start) => {
    opened.push(start.threadId);
    await held;
    return work(start);
  };
  const threads = Array.from({ length: atOnce + maxWaiting }, freshThread);
  const runs = threads.map((threadId) => post(runBody(threadId, 'r1')));
  const isKept = async (threadId: string) =>
    (await rig.store.intake.get({ agent: 'expenses', threadId, runId: 'r1' })) !== null;
  await waitFor(async () => (await Promise.all(threads.map(isKept))).every(Boolean), 10_000, 'all are kept');
  await waitFor(() => opened.length === atOnce, 10_000, 'as many are handed over as may be');
  return { threads, runs, opened, goOn, isKept };
}

describe('when as many starts wait as may', () => {
  // Promise T26
  test('one more is refused at once with Retry-After, and nothing of it is kept; those before it are begun', async () => {
    const { threads, runs, opened, goOn, isKept } = await fill();
    const more = freshThread();
    const refused = await post(runBody(more, 'r1'));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2']);
    expect(refused.json()).toMatchObject({ code: 'rate_limited' });
    expect(await isKept(more)).toBe(false);
    expect(await rig.store.threads.get('expenses', more)).toBeNull();
    goOn();
    for (const run of runs) expect(lastOf((await run).body)?.type).toBe('RUN_FINISHED');
    expect(opened.toSorted()).toEqual(threads.toSorted());
    expect((await post(runBody(more, 'r1'))).statusCode).toBe(200);
  });

  // Promise T26
  test('an answer is taken, and so is a start that was kept before', async () => {
    const task = await aTask(rig.store, freshThread());
    const hold = await aHold(rig.store, task);
    const { threads, runs, goOn } = await fill();
    const answered: string[] = [];
    rig.tasks.resume = async ({ taskId }, { runId }) => {
      answered.push(taskId);
      const key = { agent: 'expenses', threadId: task.threadId, runId };
      await writeRun(rig.store, key, [finished(key)], 'success', {});
      return admittedAs(taskId, runId, 'resumed');
    };
    const resume = [{ interruptId: hold.interruptId, status: 'resolved', payload: { city: 'Rome' } }];
    const answer = await post(runBody(task.threadId, 'r2', { messages: [], resume }));
    expect([answer.statusCode, answered]).toEqual([200, [task.taskId]]);
    const again = post(runBody(threads.at(-1) ?? '', 'r1'));
    goOn();
    expect((await again).statusCode).toBe(200);
    await Promise.all(runs);
  });

  // Promise T26
  test('a caller over A2A and a program that asks get the same', async () => {
    const { runs, goOn } = await fill();
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
    const over = await fetch(`${base}/a2a/expenses/message:send`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ message }),
    });
    expect([over.status, over.headers.get('retry-after')]).toEqual([429, '2']);
    const asked = await rig.app.inject({
      method: 'POST',
      url: '/api/ask',
      payload: { id: 'q', title: 'May I?', message: 'Or not?', schema: { type: 'object' } },
    });
    expect([asked.statusCode, asked.headers['retry-after']]).toEqual([429, '2']);
    goOn();
    await Promise.all(runs);
  });
});

describe('the gate of starts', () => {
  test('the gate of starts lets the next one in when the work of one has begun; while none waits it does not ask for that', async () => {
    const gate = createStartGate(0, createPrometheusMetrics(new Registry()));
    const begun: (() => void)[] = [];
    const hasBegun = () => new Promise<void>((resolve) => begun.push(resolve));
    const answers: (() => void)[] = [];
    const start = () => new Promise<void>((resolve) => answers.push(resolve));
    const all = Array.from({ length: atOnce + 1 }, () => gate.pass(start, hasBegun));
    answers[0]?.();
    await all[0];
    expect([answers.length, begun.length]).toEqual([atOnce, 1]);
    begun[0]?.();
    await waitFor(() => answers.length === atOnce + 1, 5_000, 'the next one is begun');
    for (const answer of answers) answer();
    await Promise.all(all);
    expect(begun).toHaveLength(1);
  });

  test('the gate of starts goes on after a start that fails', async () => {
    const gate = createStartGate(0, createPrometheusMetrics(new Registry()));
    const failing = async () => {
      throw new Error('no connection');
    };
    const all = Array.from({ length: 2 * atOnce }, () => gate.pass(failing, async () => undefined));
    const results = await Promise.allSettled(all);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(
      await gate.pass(
        async () => 'begun',
        async () => undefined,
      ),
    ).toBe('begun');
  });
});
