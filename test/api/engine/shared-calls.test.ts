import { describe, expect, test } from '@jest/globals';
import { createSharedCalls } from '../../../src/api/engine/task-client.ts';

const late = (): Error => new Error('late');

/** Calls that end on command. */
function calls() {
  const begun: { resolve(value: string): void; reject(error: Error): void }[] = [];
  const begin = (): Promise<string> =>
    new Promise((resolve, reject) => {
      begun.push({ resolve, reject });
    });
  return { begun, begin };
}

describe('a call that several make', () => {
  // Promise O14
  test('a call that several make goes on when it is given up, and who makes it again gets its result', async () => {
    const share = createSharedCalls();
    const { begun, begin } = calls();
    await expect(share('a', begin, 1, late)).rejects.toThrow('late');
    await expect(share('a', begin, 1, late)).rejects.toThrow('late');
    const last = share('a', begin, 60_000, late);
    expect(begun).toHaveLength(1);
    begun[0]?.resolve('taken');
    expect(await last).toBe('taken');
  });

  test('a call that several make begins again once it has come to something, whether good or bad', async () => {
    const share = createSharedCalls();
    const { begun, begin } = calls();
    const first = share('a', begin, 60_000, late);
    begun[0]?.reject(new Error('refused'));
    await expect(first).rejects.toThrow('refused');
    const second = share('a', begin, 60_000, late);
    begun[1]?.resolve('taken');
    expect(await second).toBe('taken');
    void share('a', begin, 60_000, late);
    expect(begun).toHaveLength(3);
    begun[2]?.resolve('taken again');
  });

  test('a call that several make is not shared with another one', async () => {
    const share = createSharedCalls();
    const { begun, begin } = calls();
    const both = Promise.all([share('a', begin, 60_000, late), share('b', begin, 60_000, late)]);
    for (const [index, { resolve }] of begun.entries()) resolve(`${index}`);
    expect(await both).toEqual(['0', '1']);
  });

  test('a call that several make raises no error outside when it fails after it was given up', async () => {
    const share = createSharedCalls();
    const { begun, begin } = calls();
    await expect(share('a', begin, 1, late)).rejects.toThrow('late');
    begun[0]?.reject(new Error('the connection was closed'));
    await expect(share('b', begin, 1, late)).rejects.toThrow('late');
  });
});
