import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { Watch } from '../../../src/store/ports/tasks.ts';
import { aTask, eventually, onEachDatabase, upTo } from '../stores.ts';

const aWatch = (over: Partial<Watch> = {}): Omit<Watch, 'probes'> => ({
  taskId: randomUUID(),
  agent: 'expenses',
  workflowId: 'w',
  firstExecutionRunId: randomUUID(),
  a2aTaskId: randomUUID(),
  kind: 'pause',
  watchVersion: 1,
  seen: '',
  ...over,
});

onEachDatabase(({ store }) => {
  const due = (againInMs = 60_000, limit = 100): Promise<Watch[]> => store().tasks.dueWatches(limit, againInMs);
  const put = async (over: Partial<Watch> = {}, inMs = 0): Promise<Watch> => {
    const watch = aWatch(over);
    const { taskId, agent, a2aTaskId } = watch;
    await store().tasks.put(aTask({ taskId, agent }), '2029-01-01T00:00:00.000Z');
    await store().tasks.update(taskId, { a2aTaskId });
    await store().tasks.watch(watch, inMs);
    return { ...watch, probes: 0 };
  };
  beforeEach(async () => {
    for (const watch of await due()) await store().tasks.unwatch(watch.taskId);
  });

  test('a watch is due after its time by the clock of the database, and not before', async () => {
    const [now, later] = [await put(), await put({}, 60_000)];
    expect(await due()).toEqual([now]);
    await store().tasks.watchNow(later.agent, later.a2aTaskId);
    expect(await due()).toEqual([later]);
    await eventually(async () => (await due()).length === 0);
  });

  test('a watch is due to the statement after the one that made it due, in whatever part of a millisecond', async () => {
    const watch = await put({}, 60_000);
    for (const _ of upTo(100)) {
      await store().tasks.watch(watch, 0);
      expect(await due()).toEqual([watch]);
    }
  });

  test('watches are counted by kind', async () => {
    await Promise.all([put({ kind: 'turn' }), put(), put({}, 60_000)]);
    const { pause, turn } = await store().tasks.countWatches();
    await put();
    // Tests before this one leave some behind.
    expect(turn).toBeGreaterThan(0);
    expect(await store().tasks.countWatches()).toEqual({ pause: pause + 1, turn });
  });

  test('two who claim at once never get the same watch, and together get all', async () => {
    const watches = await Promise.all(upTo(30).map(() => put()));
    const claims = await Promise.all(upTo(6).map(() => due(60_000, 7)));
    const taken = claims.flat().map((watch) => watch.taskId);
    expect(claims.every((claim) => claim.length <= 7)).toBe(true);
    expect(new Set(taken).size).toBe(taken.length);
    // Who found all others locked came away with less; nothing is left behind.
    taken.push(...(await due()).map((watch) => watch.taskId));
    expect(taken.toSorted()).toEqual(watches.map((watch) => watch.taskId).toSorted());
  });

  test('a watch that was claimed comes back when what was seen is not reported', async () => {
    const watch = await put();
    expect(await due(30)).toEqual([watch]);
    await eventually(async () => (await due()).some((one) => one.taskId === watch.taskId));
  });

  test('what was seen is kept, polls are counted, and the next poll is put off', async () => {
    const watch = await put();
    await due();
    await store().tasks.probed(watch, 'hash-1', 0);
    expect(await due()).toEqual([{ ...watch, seen: 'hash-1', probes: 1 }]);
    await store().tasks.probed(watch, 'hash-2', 60_000);
    expect(await due()).toEqual([]);
  });

  test('a pause and a turn of one task replace each other, and a late probe of the one before changes nothing', async () => {
    const watch = await put();
    await due();
    const turn = { ...watch, kind: 'turn' as const, watchVersion: 2 };
    await store().tasks.watch(turn, 0);
    await store().tasks.probed(watch, 'late', 60_000);
    await store().tasks.probed({ ...turn, watchVersion: 1 }, 'late', 60_000);
    await store().tasks.probed({ ...turn, firstExecutionRunId: 'another' }, 'late', 60_000);
    expect(await due()).toEqual([turn]);
    await store().tasks.unwatch(turn.taskId);
    await store().tasks.probed(turn, 'late', 0);
    expect(await due()).toEqual([]);
  });

  test('a push during a poll makes the task be polled once more', async () => {
    const watch = await put();
    await due();
    await store().tasks.watchNow(watch.agent, watch.a2aTaskId);
    await store().tasks.probed(watch, 'seen before the push', 60_000);
    expect(await due()).toEqual([{ ...watch, seen: 'seen before the push', probes: 1 }]);
    await store().tasks.probed(watch, 'seen', 60_000);
    expect(await due()).toEqual([]);
  });

  test('a push for a task that is not watched, or whose id no row can have, does nothing', async () => {
    const watch = await put({}, 60_000);
    await store().tasks.watchNow('another', watch.a2aTaskId);
    await store().tasks.watchNow(watch.agent, 'unknown');
    await store().tasks.watchNow(watch.agent, '\0');
    expect(await due()).toEqual([]);
  });

  test('a watch of a transaction that fails is not there', async () => {
    const watch = aWatch();
    const failed = store().tx(async (tables) => {
      await tables.tasks.watch(watch, 0);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await due()).toEqual([]);
  });
});
