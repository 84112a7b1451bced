// What a receiver of push notifications gets, over a real sink.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { deliverPush } from '../../../src/activities/notices/deliver-push.ts';
import { pushSealId } from '../../../src/contract/tasks/caller.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Store } from '../../../src/store/store.ts';
import { type HttpSink, startHttpSink } from '../../rigs/sinks.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { depsOf } from '../turns.ts';

let store: Store;
let sink: HttpSink;
beforeAll(async () => {
  store = await openTestStore();
  sink = await startHttpSink();
});
afterAll(async () => {
  await sink?.close();
  await store?.close();
});

/** Three events that wait for this receiver. */
async function pushOf(
  taskId: string,
  url: string,
): Promise<{ deps: ReturnType<typeof depsOf>; names: { taskId: string; configId: string } }> {
  const deps = depsOf(store, () => Promise.reject(new Error('no agent is asked')) as never);
  const names = { taskId, configId: 'one' };
  const task = { taskId, agent: 'fake', threadId: `standfast-a2a-${taskId}`, owner: 'local', contextId: 'c' };
  const entries = [1, 2, 3].map((n) => ({ kind: 'event' as const, event: { statusUpdate: { n } } }));
  await store.callers.put(task, entries, new Date(0).toISOString());
  const secrets: JsonObject = { token: '', authentication: null };
  const box = deps.sealer.seal(pushSealId(names), secrets);
  await store.callers.putPush({ ...names, url, version: '1.0', box, deliveredSeq: 0 });
  return { deps, names };
}

/** What is returned makes one attempt, and says whether more is left. */
async function attemptsAt(taskId: string, url: string): Promise<(forMs: number) => Promise<boolean>> {
  const { deps, names } = await pushOf(taskId, url);
  return (forMs) =>
    new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(() => deliverPush(deps, names, forMs));
}

test('an attempt whose time is over says that there is more, and the next one goes on after it', async () => {
  const attempt = await attemptsAt('task', sink.url);
  expect(await attempt(0)).toBe(true);
  expect(await attempt(0)).toBe(true);
  expect(await attempt(0)).toBe(false);
  expect(await attempt(60_000)).toBe(false);
  expect(sink.got.map(({ body }) => body)).toEqual([1, 2, 3].map((n) => JSON.stringify({ statusUpdate: { n } })));
});

// Promise V9d
test('an attempt that wakes behind another one sends nothing old after what is new', async () => {
  const arrived: string[] = [];
  const server = createServer((request, response) => {
    arrived.push(String(request.headers['webhook-id']));
    // While this one waits for its answer, the other attempt delivers all.
    void store.callers.pushed('overtaken', 'one', 3).then(() => response.end());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const attempt = await attemptsAt('overtaken', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await attempt(60_000)).toBe(true);
  expect(await attempt(60_000)).toBe(false);
  expect(arrived).toEqual(['overtaken:1']);
  await new Promise<void>((done) => server.close(() => done()));
});

test('an attempt that fails is the last one by Temporal’s clock, however wrong that of the worker is', async () => {
  const temporalMs = Date.now();
  const hourMs = 3_600_000;
  const info = { scheduledTimestampMs: temporalMs - hourMs, scheduleToCloseTimeoutMs: 2 * hourMs };
  const results: string[] = [];
  for (const [name, now] of [
    ['hour-left', temporalMs],
    ['over', temporalMs + hourMs],
  ] as const) {
    const { deps, names } = await pushOf(name, sink.url);
    const metrics = {
      ...deps.metrics,
      callerPushes: { inc: ({ result }: { result: string }) => results.push(result) },
    };
    const given = { ...deps, now: () => new Date(now), metrics } as unknown as typeof deps;
    sink.answers.push({ status: 503 });
    const own = jest.spyOn(Date, 'now').mockReturnValue(temporalMs + (name === 'over' ? -3 : 3) * hourMs);
    try {
      const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
      await expect(environment.run(() => deliverPush(given, names))).rejects.toThrow(/503/);
    } finally {
      own.mockRestore();
    }
  }
  expect(results).toEqual(['failed', 'given_up']);
});
