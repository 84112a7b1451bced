// What is read before it is opened: there until it is shown, dropped when it changes.
import { describe, expect, test } from '@jest/globals';
import { createReadAhead } from '../../web/src/base/live/read-ahead.ts';

const setUp = () => {
  const asked: string[] = [];
  const ahead = createReadAhead(async (path) => {
    asked.push(path);
    if (path === '/broken') throw new Error(path);
    return path;
  });
  return { ...ahead, asked };
};

describe('what is read ahead', () => {
  test('what is read ahead is asked for once, and not read ahead again once it was shown', async () => {
    const { read, peek, shown, asked } = setUp();
    void read(['/a', '/b']);
    await read(['/b', '/a']);
    expect([asked, peek('/a'), peek('/a')]).toEqual([['/a', '/b'], '/a', '/a']);
    shown('/a');
    await read(['/a']);
    expect([asked, peek('/a')]).toEqual([['/a', '/b'], null]);
  });

  test('what is read ahead is there neither before it has come nor once it has changed or failed', async () => {
    const { read, peek, drop } = setUp();
    const come = read(['/a', '/b', '/broken']);
    expect(peek('/a')).toBe(null);
    drop('/b');
    await come;
    expect([peek('/a'), peek('/b'), peek('/broken')]).toEqual(['/a', null, null]);
  });

  test('what is read ahead is not asked for again at each change', async () => {
    const { read, peek, drop, asked } = setUp();
    for (let change = 0; change < 3; change += 1) {
      await read(['/a']);
      drop('/a');
    }
    expect([asked, peek('/a')]).toEqual([['/a'], null]);
  });

  test('what is read ahead is no more than what is likely now', async () => {
    const { read, peek } = setUp();
    await read(['/a']);
    await read(['/b']);
    expect(peek('/a')).toBe(null);
  });
});
