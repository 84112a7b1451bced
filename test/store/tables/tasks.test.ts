import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { aHold, aTask, decidedBy, onEachDatabase, upTo } from '../stores.ts';

const at = '2029-01-01T00:00:00.000Z';

onEachDatabase(({ store, kind }) => {
  test('a task is put once', async () => {
    const task = aTask();
    const stored = await store().tasks.put(task, at);
    const blank = { status: 'NEW', a2aTaskId: null, contextId: null, error: null, createdAt: at, updatedAt: at };
    const people = { stuck: null, title: '', restartOf: null, restartedAs: null, undecided: [] };
    expect(stored).toEqual({ ...task, ...blank, ...people, timeline: [{ at, status: 'NEW' }] });
    await store().tasks.update(task.taskId, { status: 'IN_PROGRESS' });
    expect(await store().tasks.put({ ...task, owner: 'user:eve' }, '2031-01-01T00:00:00.000Z')).toMatchObject({
      owner: 'user:bob',
      status: 'IN_PROGRESS',
      createdAt: at,
    });
  });

  test('a task keeps how it began, with a title any text may be', async () => {
    const row = await store().tasks.put(aTask(), at, { title: 'Buy \0 it', restartOf: 'before' });
    expect(row).toMatchObject({ title: 'Buy  it', restartOf: 'before', restartedAs: null });
    expect((await store().tasks.put(row, at, { title: 'Other', restartOf: null })).title).toBe('Buy  it');
  });

  test('a status is written down with its time when it is reached, once, and none after the end', async () => {
    const { taskId } = await store().tasks.put(aTask(), at);
    const startedAt = new Date(Date.now() - 60_000).toISOString();
    for (const status of ['IN_PROGRESS', 'IN_PROGRESS', 'NEEDS_REVIEW', 'DONE', 'FAILED'] as const)
      await store().tasks.update(taskId, { status });
    await store().tasks.update(taskId, { contextId: 'c' });
    const row = await store().tasks.get(taskId);
    expect(row?.timeline.map((entry) => entry.status)).toEqual(['NEW', 'IN_PROGRESS', 'NEEDS_REVIEW', 'DONE']);
    const times = row?.timeline.map((entry) => new Date(entry.at).toISOString()) ?? [];
    expect(times).toEqual(row?.timeline.map((entry) => entry.at));
    expect(times[0]).toBe(at);
    expect(times.slice(1).every((time) => time > startedAt)).toBe(true);
  });

  test('of a long timeline the last 200 are kept', async () => {
    const { taskId } = await store().tasks.put(aTask(), at);
    for (const n of upTo(205)) {
      await store().tasks.update(taskId, { status: n % 2 === 0 ? 'NEEDS_REVIEW' : 'IN_PROGRESS' });
    }
    const timeline = (await store().tasks.get(taskId))?.timeline ?? [];
    expect(timeline).toHaveLength(200);
    expect([timeline[0]?.status, timeline[199]?.status]).toEqual(['NEEDS_REVIEW', 'IN_PROGRESS']);
  });

  test('a failed task and the one that tries it again know each other, whichever is there first', async () => {
    const [failed, next, other] = await Promise.all(upTo(3).map(() => store().tasks.put(aTask(), at)));
    const [one = '', two = '', three = ''] = [failed, next, other].map((row) => row?.taskId);
    const { tasks } = store();
    await tasks.linkRestart(one, two);
    await tasks.linkRestart(one, two);
    await tasks.linkRestart(one, three);
    expect(await tasks.get(one)).toMatchObject({ restartedAs: two, restartOf: null });
    expect(await tasks.get(two)).toMatchObject({ restartedAs: null, restartOf: one });
    expect(await tasks.get(three)).toMatchObject({ restartedAs: null, restartOf: null });
    const coming = aTask();
    await tasks.linkRestart(three, coming.taskId);
    await tasks.put(coming, at);
    await tasks.linkRestart(three, coming.taskId);
    expect(await tasks.get(coming.taskId)).toMatchObject({ restartOf: three });
  });

  test('missing fields of a change are kept, null ones are set', async () => {
    const { taskId } = await store().tasks.put(aTask(), at);
    const error = { code: 'agent_failed', message: 'no \0 good' };
    await store().tasks.update(taskId, { status: 'IN_PROGRESS', a2aTaskId: `a-${taskId}`, contextId: 'c', error });
    await store().tasks.update(taskId, {});
    expect(await store().tasks.get(taskId)).toMatchObject({
      status: 'IN_PROGRESS',
      a2aTaskId: `a-${taskId}`,
      contextId: 'c',
      error,
    });
    await store().tasks.update(taskId, { error: null });
    expect(await store().tasks.get(taskId)).toMatchObject({ status: 'IN_PROGRESS', error: null });
  });

  test.each(['DONE', 'FAILED', 'CANCELED'] as const)('a task never leaves %s', async (status) => {
    const { taskId } = await store().tasks.put(aTask(), at);
    await store().tasks.update(taskId, { status, error: null });
    const late = status === 'DONE' ? 'FAILED' : 'DONE';
    for (const next of ['IN_PROGRESS', late] as const) {
      expect(await store().tasks.update(taskId, { status: next, error: { code: 'x', message: 'y' } })).toBe('ok');
    }
    expect(await store().tasks.update(taskId, { status: 'NEW', a2aTaskId: `late-${taskId}` })).toBe('ok');
    expect(await store().tasks.get(taskId)).toMatchObject({ status, error: null, a2aTaskId: `late-${taskId}` });
  });

  test('an agent task belongs to one task, and a refusal leaves the transaction usable', async () => {
    const [first, second] = [await store().tasks.put(aTask(), at), await store().tasks.put(aTask(), at)];
    expect(await store().tasks.update(first.taskId, { a2aTaskId: 'shared' })).toBe('ok');
    expect(await store().tasks.update(first.taskId, { a2aTaskId: 'shared' })).toBe('ok');
    expect(await store().tasks.update(second.taskId, { a2aTaskId: 'shared', status: 'DONE' })).toBe('other-task');
    const inside = await store().tx(async (tables) => {
      const result = await tables.tasks.update(second.taskId, { a2aTaskId: 'shared' });
      await tables.tasks.update(second.taskId, { contextId: 'after' });
      return result;
    });
    expect(inside).toBe('other-task');
    expect(await store().tasks.get(second.taskId)).toMatchObject({
      status: 'NEW',
      a2aTaskId: null,
      contextId: 'after',
    });
    expect((await store().tasks.byA2aId('expenses', 'shared'))?.taskId).toBe(first.taskId);
  });

  // Promise O8
  test('an agent task adopted by two tasks at once goes to one of them', async () => {
    for (const round of upTo(kind === 'postgres' ? 10 : 2)) {
      const rows = await Promise.all(upTo(4).map(() => store().tasks.put(aTask(), at)));
      const results = await Promise.all(
        rows.map(({ taskId }, index) =>
          index % 2 === 0
            ? store().tasks.update(taskId, { a2aTaskId: `race-${round}` })
            : store().tx(async (tables) => {
                const result = await tables.tasks.update(taskId, { a2aTaskId: `race-${round}` });
                await tables.tasks.update(taskId, { contextId: 'went on' });
                return result;
              }),
        ),
      );
      expect(results.toSorted()).toEqual(['ok', 'other-task', 'other-task', 'other-task']);
      expect((await store().tasks.get(rows[1]?.taskId ?? ''))?.contextId).toBe('went on');
    }
  });

  test('an agent task is adopted while no open task has it, and the task that had it keeps it', async () => {
    const [first, second, third] = await Promise.all(upTo(3).map(() => store().tasks.put(aTask(), at)));
    const ids = [first, second, third].map((row) => row?.taskId ?? '');
    const [one = '', two = '', three = ''] = ids;
    const a2aTaskId = `adopted-${one}`;
    expect(await store().tasks.adopt(one, a2aTaskId)).toBe('ok');
    expect(await store().tasks.adopt(one, a2aTaskId)).toBe('ok');
    expect(await store().tasks.adopt(two, a2aTaskId)).toBe('other-task');
    await store().tasks.update(one, { status: 'FAILED' });
    // Without being adopted it is still another's.
    expect(await store().tasks.update(two, { a2aTaskId })).toBe('other-task');
    expect(await store().tasks.adopt(two, a2aTaskId)).toBe('ok');
    expect(await store().tasks.update(two, { a2aTaskId, contextId: 'c' })).toBe('ok');
    expect(await store().tasks.adopt(three, a2aTaskId)).toBe('other-task');
    const known = await store().tasks.ofA2aId('expenses', a2aTaskId);
    expect(known.map((row) => row.taskId)).toEqual([two, one]);
    expect((await store().tasks.byA2aId('expenses', a2aTaskId))?.taskId).toBe(two);
    await expect(store().tasks.adopt('nobody', a2aTaskId)).rejects.toThrow('not in the store');
  });

  // Promise Q48
  test('the owners of a context are those with tasks in it, each once, at this agent alone', async () => {
    for (const [owner, agent] of [
      ['user:bob', 'expenses'],
      ['user:bob', 'expenses'],
      ['user:eve', 'expenses'],
      ['user:zoe', 'travel'],
    ] as const) {
      const { taskId } = await store().tasks.put({ ...aTask(), owner, agent }, at);
      await store().tasks.update(taskId, { status: 'DONE', contextId: 'shared-context' });
    }
    const owners = (agent: string, contextId: string): Promise<string[]> =>
      store().tasks.ownersOfContext(agent, contextId);
    expect((await owners('expenses', 'shared-context')).toSorted()).toEqual(['user:bob', 'user:eve']);
    expect(await owners('travel', 'shared-context')).toEqual(['user:zoe']);
    expect(await owners('expenses', 'another')).toEqual([]);
    expect(await owners('expenses', 'no\0body')).toEqual([]);
  });

  test('of tasks that adopt an agent task at once, one does', async () => {
    for (const round of upTo(kind === 'postgres' ? 10 : 2)) {
      const rows = await Promise.all(upTo(4).map(() => store().tasks.put(aTask(), at)));
      const results = await Promise.all(rows.map(({ taskId }) => store().tasks.adopt(taskId, `both-${round}`)));
      expect(results.toSorted()).toEqual(['ok', 'other-task', 'other-task', 'other-task']);
    }
  });

  test('a change of a task that is not stored is an error', async () => {
    await expect(store().tasks.update('nobody', { status: 'DONE' })).rejects.toThrow('not in the store');
    await expect(store().tasks.update('nobody', { a2aTaskId: 'x' })).rejects.toThrow('not in the store');
  });

  test('the newest task of a thread is the one created last', async () => {
    const { threadId } = aTask();
    const later = await store().tasks.put(aTask({ threadId }), '2029-01-02T00:00:00.000Z');
    await store().tasks.put(aTask({ threadId }), at);
    expect(await store().tasks.newest('expenses', threadId)).toEqual(later);
  });

  test('tasks are listed newest first, page by page, each once, also those created at one moment', async () => {
    for (const n of upTo(7))
      await store().tasks.put(aTask({ agent: 'lister' }), `2029-02-0${Math.ceil(n / 3)}T00:00:00.000Z`);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store().tasks.list({ agent: 'lister', limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map((task) => `${task.createdAt} ${task.taskId}`));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual([...new Set(seen)].toSorted().toReversed());
    expect(seen).toHaveLength(7);
  });

  test('a list by deadline has what is due first on top, page by page, and then the rest, the newest first', async () => {
    const agent = 'due';
    const day = (n: number): string => `2029-03-0${n}T00:00:00.000Z`;
    const put = async (taskId: string, createdAt: string, ...dueAt: (string | null)[]): Promise<void> => {
      await store().tasks.put(aTask({ agent, taskId }), createdAt);
      const asked = dueAt.map((expiresAt) => aHold({ agent, taskId, expiresAt }));
      await store().holds.putOnce(asked);
    };
    await put('due-later', day(4), day(9));
    await put('due-first', day(1), day(9), day(7));
    await put('due-then', day(3), day(8), null);
    await put('due-never', day(2), null);
    await put('due-none-old', day(1));
    await put('due-none-new', day(5));
    await put('due-over', day(6), day(6));
    const over = (await store().holds.list({ agent })).items.find(({ taskId }) => taskId === 'due-over');
    await store().holds.close(over?.holdId ?? '', decidedBy('user:ana'));
    for (const limit of [1, 2, 3, 4, 10]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const filter = { agent, limit, sort: 'deadline' as const, ...(cursor === undefined ? {} : { cursor }) };
        const page = await store().tasks.list(filter);
        seen.push(...page.items.map(({ taskId }) => taskId));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual([
        'due-first',
        'due-then',
        'due-later',
        'due-over',
        'due-none-new',
        'due-never',
        'due-none-old',
      ]);
    }
    const found = await store().tasks.list({ agent, sort: 'deadline', statuses: ['DONE'] });
    expect(found.items).toEqual([]);
    const { nextCursor } = await store().tasks.list({ agent, limit: 1 });
    await expect(store().tasks.list({ agent, sort: 'deadline', cursor: nextCursor ?? '' })).rejects.toMatchObject({
      name: 'BadCursorError',
    });
  });

  test('a list is narrowed by status and owner', async () => {
    const agent = 'narrow';
    const mine = await store().tasks.put(aTask({ agent, owner: 'user:ana' }), at);
    const theirs = await store().tasks.put(aTask({ agent }), at);
    await store().tasks.update(theirs.taskId, { status: 'DONE' });
    const ids = async (filter: object): Promise<string[]> =>
      (await store().tasks.list({ agent, ...filter })).items.map((task) => task.taskId);
    expect(await ids({ owner: 'user:ana' })).toEqual([mine.taskId]);
    expect(await ids({ statuses: ['DONE', 'FAILED'] })).toEqual([theirs.taskId]);
    expect(await ids({ owner: null, statuses: [] })).toHaveLength(2);
  });

  test.each([
    ['empty', ''],
    ['noise', 'x'],
    ['other JSON', Buffer.from('{"at":1}').toString('base64url')],
    ['a time of another form', Buffer.from('["2029-01-01","x"]').toString('base64url')],
    ['an id no row can have', Buffer.from('["2029-01-01T00:00:00.000Z","\\u0000"]').toString('base64url')],
    ['not encoded', '["2029-01-01T00:00:00.000Z","x"]'],
    ['long', 'A'.repeat(5_000)],
  ])('a cursor that we did not give out is refused: %s', async (_what, cursor) => {
    await expect(store().tasks.list({ cursor })).rejects.toMatchObject({ name: 'BadCursorError' });
    await expect(store().holds.list({ cursor })).rejects.toMatchObject({ name: 'BadCursorError' });
  });

  test('open tasks are walked in the order of their ids', async () => {
    const rows = await Promise.all(upTo(5).map(() => store().tasks.put(aTask(), at)));
    await store().tasks.update(rows[0]?.taskId ?? '', { status: 'FAILED' });
    const walked: string[] = [];
    for (let after: string | null = null; ; after = walked.at(-1) ?? null) {
      const page = await store().tasks.listOpen(after, 3);
      if (page.length === 0) break;
      walked.push(...page.map((task) => task.taskId));
    }
    expect(walked).toEqual([...new Set(walked)].toSorted());
    expect(rows.map((row) => walked.includes(row.taskId))).toEqual([false, true, true, true, true]);
  });

  test('the tasks of workflows are found that have not ended', async () => {
    const [open, ended, other] = await Promise.all(
      upTo(3).map(() => store().tasks.put(aTask({ workflowId: `w-${randomUUID()}` }), at)),
    );
    await store().tasks.update(ended?.taskId ?? '', { status: 'DONE' });
    const asked = [open, ended].flatMap((row) => row?.workflowId ?? []);
    const found = await store().tasks.openOf([...asked, 'a2a/nobody/knows', 'a\0b']);
    expect(found.map(({ taskId }) => taskId)).toEqual([open?.taskId]);
    expect(await store().tasks.openOf([])).toEqual([]);
    expect((await store().tasks.openOf([other?.workflowId ?? ''])).map(({ taskId }) => taskId)).toEqual([
      other?.taskId,
    ]);
  });

  test('open tasks that do not go on are found by their cause, so many at a time', async () => {
    const rows = await Promise.all(upTo(4).map(() => store().tasks.put(aTask(), at)));
    const ids = rows.map(({ taskId }) => taskId).toSorted();
    const [first = '', second = '', third = '', ended = ''] = ids;
    for (const taskId of [first, second, ended])
      await store().tasks.stuck(taskId, { cause: 'workflow_failing', since: at, why: 'it failed' });
    await store().tasks.stuck(third, { cause: 'agent_away', since: at, why: 'no answer' });
    await store().tasks.update(ended, { status: 'FAILED' });
    const found = async (limit: number): Promise<string[]> =>
      (await store().tasks.listStuck('workflow_failing', limit)).map(({ taskId }) => taskId);
    expect(await found(10)).toEqual([first, second]);
    expect(await found(1)).toEqual([first]);
  });

  test('an id no row can have finds nothing', async () => {
    expect(await store().tasks.get('a\0b')).toBeNull();
    expect(await store().holds.get('a\0b')).toBeNull();
    expect((await store().tasks.list({ agent: '\0' })).items).toEqual([]);
    expect((await store().holds.list({ taskId: '\0' })).items).toEqual([]);
    expect(await store().holds.byInterrupt('expenses', 't', ['\0', '\ud800'])).toEqual([]);
  });
});
