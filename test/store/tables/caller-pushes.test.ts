import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PGlite } from '@electric-sql/pglite';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';

let pglite: PGlite;
let store: Store;
beforeAll(async () => {
  pglite = await openMemoryDatabase();
  store = await openStore({ pglite });
});
afterAll(() => store.close());

const longAgo = '2020-01-01T00:00:00.000Z';

const entry = (messageId: string) => ({ kind: 'message' as const, message: { messageId } });

/** A receiver that has not got all of a task. */
async function receiver(at = longAgo): Promise<{ taskId: string; configId: string }> {
  const names = { taskId: randomUUID(), configId: 'one' };
  const task = { taskId: names.taskId, agent: 'expenses', threadId: randomUUID(), owner: 'anna', contextId: 'c' };
  await store.callers.put(task, [entry('m'), entry('n')], at);
  await store.callers.putPush({ ...names, url: 'https://receiver.example/', version: '1.0', box: '', deliveredSeq: 0 });
  return names;
}

const wait = { olderThanMs: 1_000, most: 3, limit: 2 };
const taken = async (limit = wait.limit) => store.callers.takePushesBehind({ ...wait, limit });
/** Lets the time go by after which a receiver is tried again. */
const later = () => pglite.exec(`update caller_pushes set restart_at = restart_at - interval '1 day'`);

describe('push notifications that are behind', () => {
  // Promise V9a
  test('push notifications that are behind are begun again in the order in which they waited, each ever more rarely, and at last not any more', async () => {
    const first = await receiver('2020-01-01T00:00:00.000Z');
    const second = await receiver('2020-01-02T00:00:00.000Z');
    const third = await receiver('2020-01-03T00:00:00.000Z');
    const ids = async (): Promise<string[]> => (await taken()).map(({ taskId }) => taskId).toSorted();
    // So many dead ones as one pass takes keep no other from its turn.
    expect(await ids()).toEqual([first.taskId, second.taskId].toSorted());
    expect(await ids()).toEqual([third.taskId]);
    expect(await ids()).toEqual([]);
    const due = await pglite.query<{ ms: number }>(
      `select round(extract(epoch from restart_at - now()) / 2) * 2 as ms from caller_pushes where task_id = '${first.taskId}'`,
    );
    expect(Number(due.rows[0]?.ms)).toBeLessThanOrEqual(2);
    await later();
    expect((await taken(10)).map(({ isLast }) => isLast)).toEqual([false, false, false]);
    await later();
    expect((await taken(10)).map(({ isLast }) => isLast)).toEqual([true, true, true]);
    await later();
    expect(await taken(10)).toEqual([]);
    // A receiver that takes something is back for good.
    await store.callers.pushed(first.taskId, 'one', 1);
    expect(await taken(10)).toEqual([{ ...first, isLast: false }]);
  });

  // Promise V9a
  test('push notifications that are behind begin again with another address, and not once they have got all', async () => {
    const names = await receiver();
    for (let n = 0; n < wait.most; n += 1) {
      await taken(10);
      await later();
    }
    const push = { ...names, url: 'https://other.example/', version: '1.0' as const, box: '', deliveredSeq: 0 };
    await store.callers.putPush(push);
    expect(await taken(10)).toEqual([{ ...names, isLast: false }]);
    await store.callers.pushed(names.taskId, 'one', 2);
    await later();
    expect((await taken(10)).map(({ taskId }) => taskId)).not.toContain(names.taskId);
  });

  // Promise V9c
  test('push notifications that are behind still owe a receiver that is configured once more what it has not got', async () => {
    const names = await receiver();
    const push = { ...names, url: 'https://other.example/', version: '1.0' as const, box: 'new' };
    await store.callers.putPush({ ...push, deliveredSeq: 1 });
    expect(await store.callers.pushesOf(names.taskId)).toEqual([
      expect.objectContaining({ url: push.url, box: 'new', deliveredSeq: 0 }),
    ]);
  });
});
