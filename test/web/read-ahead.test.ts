// What is read before it is opened: shown once, dropped when it changes.
import { describe, expect, test } from '@jest/globals';
import { createReadAhead } from '../../web/src/base/live/read-ahead.ts';

const setUp = () => {
  const asked: string[] = [];
  const ahead = createReadAhead(async (path) => {
    asked.push(path);
    if (path === '/broken') throw new Error(path);
    return path;
  });
  return { ...ahead, asked, come: () => Promise.resolve() };
};

describe('what is read ahead', () => {
  test('what is read ahead is asked for once, shown once, and not read ahead again', async () => {
    const { read, take, asked, come } = setUp();
    read(['/a', '/b']);
    read(['/b', '/a']);
    await come();
    expect(asked).toEqual(['/a', '/b']);
    expect([take('/a'), take('/a')]).toEqual(['/a', null]);
    read(['/a']);
    expect(asked).toEqual(['/a', '/b']);
  });

  test('what is read ahead is shown neither before it has come nor once it has changed or failed', async () => {
    const { read, take, drop, come } = setUp();
    read(['/a', '/b', '/broken']);
    expect(take('/a')).toBe(null);
    drop('/b');
    await come();
    expect([take('/a'), take('/b'), take('/broken')]).toEqual([null, null, null]);
  });

  test('what is read ahead is not asked for again at each change', async () => {
    const { read, take, drop, asked, come } = setUp();
    for (let change = 0; change < 3; change += 1) {
      read(['/a']);
      await come();
      drop('/a');
    }
    expect([asked, take('/a')]).toEqual([['/a'], null]);
  });

  test('what is read ahead is no more than what is likely now', async () => {
    const { read, take, come } = setUp();
    read(['/a']);
    await come();
    read(['/b']);
    expect(take('/a')).toBe(null);
  });
});
