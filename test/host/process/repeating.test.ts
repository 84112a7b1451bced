import { describe, expect, test } from '@jest/globals';
import { inParallel, repeating } from '../../../src/host/process/repeating.ts';

/** A promise, and what resolves it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('repeated work', () => {
  test('repeated work is repeated once it is started, and after a stop no more', async () => {
    let passes = 0;
    const third = gate();
    const work = repeating(1, async () => {
      if (++passes === 3) third.open();
    });
    work.start();
    await third.opened;
    await work.stop();
    const before = passes;
    work.start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(passes).toBe(before);
  });

  test('repeated work has one pass at a time, which callers meanwhile join', async () => {
    const { opened, open } = gate();
    let passes = 0;
    const work = repeating(600_000, async () => {
      await opened;
      return ++passes;
    });
    const both = [work.now(), work.now()];
    open();
    expect(await Promise.all(both)).toEqual([1, 1]);
    expect(await work.now()).toBe(2);
  });

  test('repeated work is notified of a stop, which waits for the pass under way', async () => {
    const order: string[] = [];
    const work = repeating(600_000, async (stopping) => {
      await new Promise((resolve) => stopping.addEventListener('abort', resolve));
      order.push('pass');
    });
    void work.now();
    await work.stop();
    order.push('stopped');
    expect(order).toEqual(['pass', 'stopped']);
  });
});

describe('work in parallel', () => {
  test('work in parallel keeps the order of the items, and to its limit', async () => {
    let underWay = 0;
    let most = 0;
    const doubled = await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return item * 2;
    });
    expect([doubled, most]).toEqual([[2, 4, 6, 8, 10], 2]);
  });
});
