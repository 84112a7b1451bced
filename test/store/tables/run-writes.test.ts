import { expect, test } from '@jest/globals';
import type { Tables } from '../../../src/store/store.ts';
import { aPrincipal, messagePlan } from '../../rigs/factories.ts';
import { endRun } from '../../rigs/store/store-writes.ts';
import { aHold } from '../rows.ts';
import { aClaim, aKey, aRun, aTask, onEachDatabase, tokens } from '../stores.ts';

const at = '2020-01-01T00:00:00.000Z';
const principal = aPrincipal('anna');

onEachDatabase(({ store }) => {
  async function aTaskOnRun(): Promise<{ task: ReturnType<typeof aTask>; key: ReturnType<typeof aKey> }> {
    const task = aTask();
    await store().tasks.put(task, at);
    return { task, key: aKey({ agent: task.agent, threadId: task.threadId }) };
  }
  const watch = (task: ReturnType<typeof aTask>): Promise<void> =>
    store().tasks.watch({ ...task, a2aTaskId: 'a-1', kind: 'pause', watchVersion: 1, seen: '' }, 60_000);

  test('a claim writes the first events of a run once, also with later claims', async () => {
    const { task, key } = await aTaskOnRun();
    const claim = { ...aClaim, taskId: task.taskId, first: tokens(2) };
    const first = await store().runs.claim(key, claim);
    expect(first).toMatchObject({ result: 'claimed', isNew: true, run: { lastSeq: 2, ...key } });
    expect(first).toMatchObject({ run: (await store().runs.get(key)) ?? {} });
    const again = await store().runs.claim(key, { ...claim, fence: claim.fence + 1, first: tokens(5) });
    expect(again).toMatchObject({ result: 'claimed', isNew: false, run: { lastSeq: 2 } });
    const logId = (await store().runs.get(key))?.logId ?? 0;
    expect((await store().log.read(logId, 0)).map(({ event }) => event)).toEqual(tokens(2));
  });

  test('a claim sets the status of the task and ends its watch; one that is refused changes nothing', async () => {
    const { task, key } = await aTaskOnRun();
    await watch(task);
    const claim = { ...aClaim, taskId: task.taskId, status: 'USER_INPUT_RECEIVED' as const, unwatch: true };
    await store().runs.claim(key, { ...aClaim, taskId: 'another' });
    expect(await store().runs.claim(key, claim)).toEqual({ result: 'other-task' });
    expect(await store().tasks.get(task.taskId)).toMatchObject({ status: 'NEW' });
    expect(await store().tasks.watched([task.taskId])).toEqual([task.taskId]);
    await store().runs.claim({ ...key, runId: 'own' }, claim);
    expect(await store().tasks.get(task.taskId)).toMatchObject({
      status: 'USER_INPUT_RECEIVED',
      timeline: [{ status: 'NEW' }, { status: 'USER_INPUT_RECEIVED' }],
    });
    expect(await store().tasks.watched([task.taskId])).toEqual([]);
  });

  test('an ended task keeps how it ended, also with later claims of a run', async () => {
    const { task, key } = await aTaskOnRun();
    await store().tasks.update(task.taskId, { status: 'CANCELED' });
    await store().runs.claim(key, { ...aClaim, taskId: task.taskId, status: 'IN_PROGRESS' });
    expect(await store().tasks.get(task.taskId)).toMatchObject({ status: 'CANCELED' });
  });

  test('a run is locked for its writer alone, who learns of the other open runs of its task', async () => {
    const key = aKey();
    const task = aTask({ threadId: key.threadId });
    const run = await aRun(store(), key, task.taskId);
    const { logId } = run;
    const lock = (fence: number): Promise<unknown> => store().tx((tables) => tables.runs.lock(logId, fence));
    expect(await lock(aClaim.fence)).toEqual({ lastSeq: 0, others: 0 });
    await store().runs.claim({ ...key, runId: 'beside' }, { ...aClaim, taskId: task.taskId, isControl: true });
    await store().runs.claim({ ...key, runId: 'anothers' }, { ...aClaim, taskId: 'another' });
    expect(await lock(aClaim.fence)).toEqual({ lastSeq: 0, others: 1 });
    expect(await lock(aClaim.fence + 1)).toBeNull();
    await endRun(store(), logId, aClaim.fence, 'success');
    expect(await lock(aClaim.fence)).toBeNull();
  });

  test('a writer finds all that its run begins with', async () => {
    const { task, key } = await aTaskOnRun();
    const nothing = { task: null, thread: null, intake: null, opening: null, sendsWithout: null };
    expect(await store().runs.start(aKey(), 'nobodys')).toEqual({ ...nothing, hasRun: false, hasAttachments: false });
    const intakeOf = (runId: string) => ({
      ...key,
      runId,
      fingerprint: 'p',
      principal,
      receivedAt: at,
      body: { runId },
      mac: '',
    });
    await store().intake.putFirst({ ...intakeOf(key.runId), plan: messagePlan() }, 'anna');
    await store().intake.put({ ...intakeOf('next'), plan: messagePlan() });
    await store().runs.claim(key, { ...aClaim, taskId: task.taskId });
    await store().runs.claim({ ...key, runId: 'beside' }, { ...aClaim, taskId: task.taskId, isControl: true });
    const part = { id: 'p1', source: 'question' as const, name: 'n', mediaType: 't', size: null, uri: null };
    await store().attachments.put(
      task.taskId,
      'm',
      [{ ...part, digest: null, omitted: 'unavailable', bytes: null }],
      true,
    );
    const next = { ...key, runId: 'next' };
    expect(await store().runs.start(next, task.taskId)).toEqual({
      hasRun: false,
      task: await store().tasks.get(task.taskId),
      thread: await store().threads.get(key.agent, key.threadId),
      intake: { ...(await store().intake.get(next)), heldUntil: null },
      opening: { ...(await store().intake.get(key)), heldUntil: null },
      sendsWithout: null,
      hasAttachments: true,
    });
    expect(await store().runs.start(key, task.taskId)).toMatchObject({ hasRun: true, intake: { runId: key.runId } });
  });

  test('a run ends together with the status of its task and the cards as they are shown then', async () => {
    const { task, key } = await aTaskOnRun();
    const run = await aRun(store(), key, task.taskId);
    const { taskId, agent, threadId } = task;
    const [one, two] = [aHold({ taskId, agent, threadId, n: 1 }), aHold({ taskId, agent, threadId, n: 2 })];
    const holds = await store().holds.putOnce([one, two]);
    const end = (tables: Tables, fence: number): Promise<void> =>
      tables.log.end(run.logId, fence, [{ type: 'RUN_ERROR' }], {
        status: 'error',
        outcome: null,
        snapshot: null,
        task: { taskId: task.taskId, status: 'FAILED', error: { code: 'internal', message: 'no' } },
        cards: [{ holdId: two.holdId, card: { stage: 'over' } }],
      });
    await expect(store().tx((tables) => end(tables, aClaim.fence - 1))).rejects.toThrow('a later writer');
    expect(await store().tasks.get(task.taskId)).toMatchObject({ status: 'NEW', error: null });
    expect(await store().holds.ofTask(task.taskId)).toEqual(holds);
    await store().tx((tables) => end(tables, aClaim.fence));
    expect(await store().tasks.get(task.taskId)).toMatchObject({ status: 'FAILED', error: { code: 'internal' } });
    const [first, second] = await store().holds.ofTask(task.taskId);
    expect(first).toEqual(holds[0]);
    expect(second).toMatchObject({ card: { stage: 'over' }, version: (holds[1]?.version ?? 0) + 1 });
  });

  test('an answer that names the task is delivered by that; one that names another task’s is not', async () => {
    const { task } = await aTaskOnRun();
    const { task: other } = await aTaskOnRun();
    for (const one of [task, other])
      await store().intents.put({ messageId: `m-${one.taskId}`, taskId: one.taskId, attempt: 1, sendForMs: 1_000 });
    const ids = { a2aTaskId: `a-${task.taskId}`, contextId: 'c' };
    expect(await store().tasks.bind(task, ids, `m-${task.taskId}`)).toBe('ok');
    expect(await store().tasks.get(task.taskId)).toMatchObject({ ...ids, status: 'IN_PROGRESS' });
    expect((await store().intents.get(`m-${task.taskId}`))?.deliveredAt).not.toBeNull();
    expect(await store().tasks.bind(other, ids, `m-${other.taskId}`)).toBe('other-task');
    expect(await store().tasks.get(other.taskId)).toMatchObject({ a2aTaskId: null, status: 'NEW' });
    expect((await store().intents.get(`m-${other.taskId}`))?.deliveredAt).toBeNull();
  });
});
