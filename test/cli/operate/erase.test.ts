import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { aTask } from '../../api/rig.ts';
import { runInProcess, type CommandRun } from '../../rigs/product/command.ts';
import { prepareDataDir } from '../../rigs/store/memory-store.ts';

let dir = '';
let environment: NodeJS.ProcessEnv;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'standfast-erase-'));
  environment = process.env;
  process.env = { ...environment, DATABASE_URL: '' };
});
afterEach(async () => {
  process.env = environment;
  process.exitCode = undefined;
  await rm(dir, { recursive: true, force: true });
});

async function inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ dataDir: join(dir, 'pglite') });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function erase(...args: string[]): Promise<CommandRun> {
  let out = '';
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  try {
    const ran = await runInProcess(['erase', '--data-dir', dir, ...args]);
    return { ...ran, out: out + ran.out };
  } finally {
    write.mockRestore();
  }
}

// Promise R2
describe('standfast erase', () => {
  test('standfast erase removes a thread that is over, and ends with 1 for one that is not', async () => {
    await prepareDataDir(join(dir, 'pglite'));
    await inStore(async (store) => {
      await aTask(store, 'over', { status: 'DONE', owner: 'anna' });
      await aTask(store, 'open', { status: 'IN_PROGRESS', owner: 'anna' });
    });
    expect((await erase('--thread', 'over')).out).toContain('1 task removed');
    expect(process.exitCode).toBeUndefined();
    expect((await erase('--thread', 'open')).out).toContain('not over, and left as they are');
    expect(process.exitCode).toBe(1);
    await inStore(async (store) => {
      expect(await store.tasks.get('task-over-1')).toBeNull();
      expect(await store.tasks.get('task-open-1')).not.toBeNull();
    });
  });

  test('standfast erase takes either a user or a thread', async () => {
    const neither = { code: 1, err: expect.stringContaining('give either --user or --thread') };
    expect(await erase()).toMatchObject(neither);
    expect(await erase('--user', 'anna', '--thread', 't')).toMatchObject(neither);
  });
});
