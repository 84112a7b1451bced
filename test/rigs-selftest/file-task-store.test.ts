import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ListTasksRequest, Task } from '@a2a-js/sdk';
import { ServerCallContext, type TaskStore } from '@a2a-js/sdk/server';
import { createSupervisor } from '../rigs/process/supervisor.ts';

type FileTaskStore = TaskStore & { all(): Task[]; close(): Promise<void> };
const path = '../../examples/agents/file-task-store.js';
const { createFileTaskStore }: { createFileTaskStore: (dir: string) => Promise<FileTaskStore> } = await import(path);

const supervisor = createSupervisor();
const context = new ServerCallContext();
let dir: string;
beforeEach(async () => {
  dir = await supervisor.tempDir('tasks');
});
afterAll(() => supervisor.end());

const aTask = (id: string, second = 0, more: object = {}): Task =>
  Task.fromJSON({
    id,
    contextId: `c-${id}`,
    status: { state: 'TASK_STATE_WORKING', timestamp: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z` },
    ...more,
  });

describe('the file task store', () => {
  test('the file task store has a changed state on disk when save returns', async () => {
    const store = await createFileTaskStore(dir);
    await store.save(aTask('one'), context);
    const stored: unknown = JSON.parse(await readFile(join(dir, 'one.json'), 'utf8'));
    expect(stored).toMatchObject({ id: 'one', status: { state: 'TASK_STATE_WORKING' } });
    expect(await readdir(dir)).toEqual(['one.json']);
  });

  test('the file task store finds its tasks again, bytes included, and drops half-written files', async () => {
    const store = await createFileTaskStore(dir);
    const parts = [{ raw: 'AQID', mediaType: 'image/png' }, { data: { a: [1] } }];
    await store.save(aTask('one', 0, { artifacts: [{ artifactId: 'a', parts }] }), context);
    await writeFile(join(dir, 'one.json.tmp'), '{"id":');
    const again = await createFileTaskStore(dir);
    const task = await again.load('one', context);
    expect(task && Task.toJSON(task)).toMatchObject({ artifacts: [{ artifactId: 'a', parts }] });
    expect(await readdir(dir)).toEqual(['one.json']);
    expect(await again.load('other', context)).toBeUndefined();
  });

  test('the file task store writes artifact chunks together, the last one for sure', async () => {
    const store = await createFileTaskStore(dir);
    await store.save(aTask('one'), context);
    for (let n = 1; n <= 100; n += 1) {
      const parts = Array.from({ length: n }, (_, i) => ({ text: `t${i}` }));
      await store.save(aTask('one', 0, { artifacts: [{ artifactId: 'a', parts }] }), context);
    }
    await store.close();
    const again = await createFileTaskStore(dir);
    expect((await again.load('one', context))?.artifacts[0]?.parts.length).toBe(100);
  });

  test('the file task store hands out copies', async () => {
    const store = await createFileTaskStore(dir);
    await store.save(aTask('one'), context);
    const mine = await store.load('one', context);
    mine?.history.push(...aTask('x', 0, { history: [{ messageId: 'm', role: 'ROLE_USER', parts: [] }] }).history);
    expect((await store.load('one', context))?.history).toEqual([]);
  });

  test('the file task store lists newest first, by context, page by page', async () => {
    const store = await createFileTaskStore(dir);
    for (const [index, id] of ['a', 'b', 'c'].entries()) await store.save(aTask(id, index), context);
    const list = (params: object): ReturnType<TaskStore['list']> =>
      store.list({ ...ListTasksRequest.fromJSON({}), ...params }, context);
    const first = await list({ pageSize: 2 });
    expect(first.tasks.map((task) => task.id)).toEqual(['c', 'b']);
    const second = await list({ pageSize: 2, pageToken: first.nextPageToken });
    expect([second.tasks.map((task) => task.id), second.nextPageToken, second.totalSize]).toEqual([['a'], '', 3]);
    expect((await list({ contextId: 'c-b' })).tasks.map((task) => task.id)).toEqual(['b']);
    expect((await list({ pageToken: 'gone' })).tasks).toEqual([]);
  });

  test('the file task store refuses an id that is not a file name', async () => {
    const store = await createFileTaskStore(dir);
    await expect(store.save(aTask('../evil'), context)).rejects.toThrow('file name');
  });
});
