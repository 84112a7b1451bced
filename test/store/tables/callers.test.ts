import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CallerEntry } from '../../../src/contract/tasks/caller.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';

let store: Store;
beforeAll(async () => {
  store = await openStore({ pglite: await openMemoryDatabase() });
});
afterAll(() => store.close());

const at = '2026-01-01T00:00:00.000Z';

async function logOf(texts: string[]): Promise<string> {
  const taskId = randomUUID();
  const entries = texts.map((text): CallerEntry => ({ kind: 'message', message: { text } }));
  await store.callers.put({ taskId, agent: 'expenses', threadId: taskId, owner: 'anna', contextId: 'c' }, entries, at);
  return taskId;
}

async function pagesOf(taskId: string): Promise<number[][]> {
  const pages: number[][] = [];
  for (let after = 0; ; after = pages.at(-1)?.at(-1) ?? 0) {
    const page = await store.callers.read(taskId, after);
    if (page.length === 0) return pages;
    pages.push(page.map(({ seq }) => seq));
  }
}

describe('what a caller receives of a task', () => {
  test('what a caller receives of a task is read in pages of bounded number and size, each entry once and in its order', async () => {
    const many = await pagesOf(await logOf(Array.from({ length: 1_200 }, (_one, n) => `${n}`)));
    expect(many.map((page) => page.length)).toEqual([500, 500, 200]);
    expect(many.flat()).toEqual(Array.from({ length: 1_200 }, (_one, n) => n + 1));
    const large = await pagesOf(await logOf(Array.from({ length: 5 }, () => 'x'.repeat(700_000))));
    expect(large).toEqual([[1, 2], [3, 4], [5]]);
  });

  test('what a caller receives of a task has the size that its entries have together', async () => {
    expect(await store.callers.sizeOf(randomUUID())).toBe(0);
    const size = await store.callers.sizeOf(await logOf(['x'.repeat(1_000), 'y'.repeat(2_000)]));
    expect(size).toBeGreaterThan(3_000);
    expect(size).toBeLessThan(3_200);
  });
});
