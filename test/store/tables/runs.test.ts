import { expect, test } from '@jest/globals';
import { openStore } from '../../../src/store/open-store.ts';
import { FencedError } from '../../../src/store/store.ts';
import { aClaim, aKey, aRun, onEachDatabase, upTo } from '../stores.ts';
import { endRun } from '../../rigs/store/store-writes.ts';

onEachDatabase(({ store, kind, url }) => {
  test('a claim inserts the run and gives its log', async () => {
    const key = aKey();
    const claim = await store().runs.claim(key, { ...aClaim, isControl: true });
    const run = {
      ...key,
      taskId: 'task-1',
      fingerprint: 'p',
      opener: 'client',
      isControl: true,
      status: 'open',
      lastSeq: 0,
    };
    expect(claim).toMatchObject({ result: 'claimed', run });
    expect(claim.result === 'claimed' && claim.run).toEqual(await store().runs.get(key));
  });

  test('the same task claims its run again with the same or a higher fence', async () => {
    const key = aKey();
    const { logId } = await aRun(store(), key);
    for (const fence of [aClaim.fence, aClaim.fence + 5]) {
      expect(await store().runs.claim(key, { ...aClaim, fence })).toMatchObject({ result: 'claimed', run: { logId } });
    }
  });

  test('a lower fence never wins over a higher one', async () => {
    const key = aKey();
    const { logId } = await aRun(store(), key);
    expect(await store().runs.claim(key, { ...aClaim, fence: aClaim.fence - 1 })).toEqual({ result: 'fenced' });
    expect(await store().log.append(logId, aClaim.fence, [])).toBe(0);
  });

  test('a claim by another task is refused, whether the run is open or ended', async () => {
    const key = aKey();
    const { logId } = await aRun(store(), key);
    const other = { ...aClaim, taskId: 'task-2', fence: aClaim.fence + 9 };
    expect(await store().runs.claim(key, other)).toEqual({ result: 'other-task' });
    await endRun(store(), logId, aClaim.fence, 'success');
    expect(await store().runs.claim(key, other)).toEqual({ result: 'other-task' });
  });

  test('an ended run is given back as ended and stays as it ended', async () => {
    const key = aKey();
    const { logId } = await aRun(store(), key);
    await endRun(store(), logId, aClaim.fence, 'interrupt');
    await expect(endRun(store(), logId, aClaim.fence + 1, 'error')).rejects.toThrow(FencedError);
    const again = await store().runs.claim(key, { ...aClaim, fence: aClaim.fence + 1 });
    expect(again).toMatchObject({ result: 'ended', run: { logId, status: 'interrupt' } });
    expect((await store().runs.get(key))?.endedAt).not.toBeNull();
  });

  test('a fenced writer cannot end a run', async () => {
    const { logId } = await aRun(store());
    await expect(endRun(store(), logId, aClaim.fence - 1, 'success')).rejects.toThrow(FencedError);
  });

  // Promise O2
  test('of many tasks that claim a run at once exactly one gets it', async () => {
    const second = kind === 'postgres' ? await openStore({ databaseUrl: url() }) : null;
    try {
      for (const round of upTo(5)) {
        const key = aKey({ runId: `round-${round}` });
        const claims = await Promise.all(
          upTo(12).map((n) =>
            (n % 2 === 0 && second ? second : store()).runs.claim(key, { ...aClaim, taskId: `task-${n}` }),
          ),
        );
        const results = claims.map((claim) => claim.result).toSorted();
        expect(results).toEqual(['claimed', ...Array.from({ length: 11 }, () => 'other-task')]);
      }
    } finally {
      await second?.close();
    }
  });

  test('of many attempts that claim a run at once the highest fence has it in the end', async () => {
    const key = aKey();
    const claims = await Promise.all(upTo(12).map((n) => store().runs.claim(key, { ...aClaim, fence: (n * 5) % 13 })));
    expect(claims.every((claim) => claim.result === 'claimed' || claim.result === 'fenced')).toBe(true);
    const { logId } = (await store().runs.get(key)) ?? { logId: 0 };
    await expect(store().log.append(logId, 11, [])).rejects.toThrow(FencedError);
    expect(await store().log.append(logId, 12, [])).toBe(0);
  });

  test('the newest run of a thread is the one claimed last, control runs aside', async () => {
    const { threadId } = aKey();
    await aRun(store(), aKey({ threadId, runId: 'z' }));
    const second = await aRun(store(), aKey({ threadId, runId: 'a' }));
    await store().runs.claim(aKey({ threadId }), { ...aClaim, isControl: true });
    expect(await store().runs.newest('expenses', threadId)).toEqual(second);
    expect(await store().runs.newest('expenses', 'nowhere')).toBeNull();
  });

  test('the run that opened a task is its first, control runs aside', async () => {
    const { threadId } = aKey();
    const task = { taskId: 'task-opened', agent: 'expenses', threadId };
    expect(await store().runs.opening(task)).toBeNull();
    await aRun(store(), aKey({ threadId }), 'task-before');
    await store().runs.claim(aKey({ threadId }), { ...aClaim, taskId: task.taskId, isControl: true });
    const first = await aRun(store(), aKey({ threadId, runId: 'z' }), task.taskId);
    await aRun(store(), aKey({ threadId, runId: 'a' }), task.taskId);
    expect(await store().runs.opening(task)).toEqual(first);
  });

  test('open runs of a task are listed until they end', async () => {
    const first = await aRun(store(), aKey(), 'task-open');
    const second = await aRun(store(), aKey(), 'task-open');
    expect(await store().runs.openOf('task-open')).toEqual([first, second]);
    await endRun(store(), first.logId, aClaim.fence, 'cancelled');
    expect(await store().runs.openOf('task-open')).toEqual([second]);
  });
});
