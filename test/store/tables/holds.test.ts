import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { HoldRow } from '../../../src/store/store.ts';
import { aHold, aTask, decidedBy, onEachDatabase, upTo } from '../stores.ts';

onEachDatabase(({ store }) => {
  const put = async (over: Partial<HoldRow> = {}): Promise<HoldRow> => {
    const [row] = await store().holds.putOnce([aHold(over)]);
    if (!row) throw new Error('nothing was put');
    return row;
  };

  test('a hold comes back as it was put', async () => {
    const row = aHold({
      audience: ['role:finance', 'user:"a,b"\\{}', 'owner'],
      question: { ...aHold().question, message: 'NUL \0 and \ud800', form: ['x', null, { y: 1.5 }] },
      expiresAt: null,
      nextStep: null,
    });
    expect(await store().holds.putOnce([row])).toEqual([row]);
    expect(await store().holds.get(row.holdId)).toEqual(row);
    expect(await store().holds.get(randomUUID())).toBeNull();
  });

  // Promise S41
  test('many holds come at once, without those that are not there', async () => {
    const rows = [await put(), await put(), await put()];
    const found = await store().holds.many([...rows.slice(1).map(({ holdId }) => holdId), randomUUID(), 'no \0 id']);
    expect(found.map(({ holdId }) => holdId).toSorted()).toEqual(
      rows
        .slice(1)
        .map(({ holdId }) => holdId)
        .toSorted(),
    );
    expect(await store().holds.many([])).toEqual([]);
  });

  // Promise Q4
  test('holds put twice are kept as first put, and come in order of n', async () => {
    const taskId = randomUUID();
    const rows = [3, 1, 2].map((n) => aHold({ taskId, n }));
    await store().holds.putOnce(rows.slice(0, 2));
    const again = rows.map((row) => ({ ...row, digest: 'other' }));
    const stored = await store().holds.putOnce(again);
    expect(stored.map((row) => [row.n, row.digest])).toEqual([
      [1, rows.find(({ n }) => n === 1)?.digest],
      [2, 'other'],
      [3, rows.find(({ n }) => n === 3)?.digest],
    ]);
    expect(await store().holds.ofTask(taskId)).toEqual(stored);
    expect(await store().holds.putOnce([])).toEqual([]);
  });

  test('a hold is closed once; a second close changes nothing and returns what is stored', async () => {
    const { holdId } = await put();
    const closed = await store().holds.close(holdId, decidedBy('ana'));
    expect(closed).toMatchObject({ ...decidedBy('ana'), nextStep: null });
    expect(await store().holds.close(holdId, decidedBy('cem'))).toEqual(closed);
    expect(await store().holds.close(holdId, { ...decidedBy('x'), status: 'expired' })).toEqual(closed);
    expect(await store().holds.close(randomUUID(), decidedBy('ana'))).toBeNull();
  });

  // Promise O7
  test('of many who close a hold at once one wins, and all see their decision', async () => {
    const { holdId } = await put();
    const rows = await Promise.all(upTo(10).map((n) => store().holds.close(holdId, decidedBy(`user-${n}`))));
    expect(new Set(rows.map((row) => row?.decision?.by)).size).toBe(1);
  });

  test('a step is taken while the hold is open, and not afterwards', async () => {
    const { holdId } = await put();
    const step = { stepsTaken: 1, audience: ['role:lead'], nextStep: null };
    await store().holds.step(holdId, step);
    expect(await store().holds.get(holdId)).toMatchObject(step);
    await store().holds.close(holdId, decidedBy('ana'));
    await store().holds.step(holdId, { ...step, stepsTaken: 2 });
    expect(await store().holds.get(holdId)).toMatchObject({ ...step, status: 'decided' });
  });

  test('card and carrying run are kept', async () => {
    const { holdId } = await put();
    await store().holds.setCard(holdId, { stage: 'working' });
    await store().holds.setCarrier(holdId, 'r2');
    expect(await store().holds.get(holdId)).toMatchObject({ card: { stage: 'working' }, carriedByRun: 'r2' });
  });

  test('holds are found by their interrupts or their own ids within their thread', async () => {
    const { threadId } = aHold();
    const [first, second] = [await put({ threadId }), await put({ threadId, interruptId: 'hitl-a-2', n: 2 })];
    await put({ interruptId: 'hitl-a-2' });
    const find = store().holds.byInterrupt('expenses', threadId, ['hitl-a-2', 'hitl-a-1', 'hitl-a-9']);
    expect(await find).toEqual([first, second]);
    expect(await store().holds.byInterrupt('expenses', threadId, [])).toEqual([]);
    const byEither = store().holds.byInterrupt('expenses', threadId, [second.holdId, first.interruptId]);
    expect(await byEither).toEqual([first, second]);
  });

  test('of a thread the newest 50 holds are shown, newest last', async () => {
    const { threadId, taskId } = aHold();
    await store().holds.putOnce(upTo(55).map((n) => aHold({ threadId, taskId, n })));
    const shown = await store().holds.ofThread('expenses', threadId);
    expect(shown.map((row) => row.n)).toEqual(upTo(55).slice(5));
  });

  test('a caller sees their own threads and what is addressed to them', async () => {
    const agent = 'seen';
    const own = await put({ agent, owner: 'user:ana', audience: ['owner'], openedAt: '2029-01-03T00:00:00.000Z' });
    const asked = await put({ agent, audience: ['role:x', 'role:lead'], openedAt: '2029-01-02T00:00:00.000Z' });
    const foreign = await put({ agent, audience: ['owner'], openedAt: '2029-01-01T00:00:00.000Z' });
    const sees = async (owner: string, entries: string[]): Promise<string[]> =>
      (await store().holds.list({ agent, visibleTo: { owner, entries } })).items.map((row) => row.holdId);
    expect(await sees('user:ana', ['role:lead', 'user:ana'])).toEqual([own.holdId, asked.holdId]);
    expect(await sees('user:ana', [])).toEqual([own.holdId]);
    expect(await sees('user:eve', ['owner', 'role:le', "role:'lead"])).toEqual([]);
    const all = await store().holds.list({ agent, visibleTo: null });
    expect(all.items.map((row) => row.holdId)).toEqual([own.holdId, asked.holdId, foreign.holdId]);
  });

  test('holds are listed newest opened first, page by page, narrowed by status, task and thread', async () => {
    const agent = 'pages';
    const rows = await store().holds.putOnce(
      upTo(7).map((n) => aHold({ agent, n, openedAt: `2029-02-0${Math.ceil(n / 3)}T00:00:00.000Z` })),
    );
    const last = rows[6] ?? aHold();
    await store().holds.close(last.holdId, decidedBy('ana'));
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await store().holds.list({ agent, limit: 3, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.items.map((row) => row.n));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual([7, 4, 5, 6, 1, 2, 3]);
    const count = async (filter: object): Promise<number> =>
      (await store().holds.list({ agent, ...filter })).items.length;
    expect(await count({ statuses: ['open'] })).toBe(6);
    expect(await count({ statuses: ['decided', 'expired'] })).toBe(1);
    expect(await count({ taskId: last.taskId })).toBe(1);
    expect(await count({ threadId: last.threadId, statuses: ['open'] })).toBe(0);
  });

  test('the holds of many tasks are found at once, each task’s in their order', async () => {
    const [one, two] = [aTask(), aTask()];
    const rows = [
      aHold({ taskId: one.taskId, n: 2 }),
      aHold({ taskId: two.taskId, n: 1 }),
      aHold({ taskId: one.taskId, n: 1 }),
      aHold(),
    ];
    await store().holds.putOnce(rows);
    const found = await store().holds.ofTasks([one.taskId, two.taskId, 'nobody']);
    const of = (taskId: string) => found.filter((row) => row.taskId === taskId).map((row) => row.holdId);
    expect(of(one.taskId)).toEqual([rows[2]?.holdId, rows[0]?.holdId]);
    expect(of(two.taskId)).toEqual([rows[1]?.holdId]);
    expect(found).toHaveLength(3);
    expect(await store().holds.ofTasks([])).toEqual([]);
  });

  test('holds about an agent task are counted over all tasks that have had it', async () => {
    const [one, two] = [aTask(), aTask()];
    const a2aTaskId = `counted-${one.taskId}`;
    for (const task of [one, two]) await store().tasks.put(task, '2029-01-01T00:00:00.000Z');
    expect(await store().holds.lastN('expenses', a2aTaskId)).toBe(0);
    await store().tasks.adopt(one.taskId, a2aTaskId);
    await store().holds.putOnce([aHold({ taskId: one.taskId, n: 3 })]);
    await store().tasks.update(one.taskId, { status: 'FAILED' });
    await store().tasks.adopt(two.taskId, a2aTaskId);
    expect(await store().holds.lastN('expenses', a2aTaskId)).toBe(3);
    await store().holds.putOnce([aHold({ taskId: two.taskId, n: 4 })]);
    expect(await store().holds.lastN('expenses', a2aTaskId)).toBe(4);
    expect(await store().holds.lastN('another', a2aTaskId)).toBe(0);
    expect(await store().holds.lastN('expenses', '\0')).toBe(0);
  });
});
