// What a receiver of push notifications gets, over a real sink.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { deliverPush } from '../../../src/activities/notices/deliver-push.ts';
import { pushSealId } from '../../../src/contract/caller.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Store } from '../../../src/store/store.ts';
import { type HttpSink, startHttpSink } from '../../rigs/sinks.ts';
import { openTestStore } from '../../rigs/test-store.ts';
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

test('an attempt whose time is over says that there is more, and the next one goes on after it', async () => {
  const deps = depsOf(store, () => Promise.reject(new Error('no agent is asked')) as never);
  const names = { taskId: 'task', configId: 'one' };
  const task = { taskId: 'task', agent: 'fake', threadId: 'holdpoint-a2a-1', owner: 'local', contextId: 'c' };
  const entries = [1, 2, 3].map((n) => ({ kind: 'event' as const, event: { statusUpdate: { n } } }));
  await store.callers.put(task, entries, new Date(0).toISOString());
  const secrets: JsonObject = { token: '', authentication: null };
  const box = deps.sealer.seal(pushSealId(names), secrets);
  await store.callers.putPush({ ...names, url: sink.url, version: '1.0', box, deliveredSeq: 0 });
  const attempt = (forMs: number): Promise<boolean> =>
    new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(() => deliverPush(deps, names, forMs));
  expect(await attempt(0)).toBe(true);
  expect(await attempt(0)).toBe(true);
  expect(await attempt(0)).toBe(false);
  expect(await attempt(60_000)).toBe(false);
  expect(sink.got.map(({ body }) => body)).toEqual([1, 2, 3].map((n) => JSON.stringify({ statusUpdate: { n } })));
});
