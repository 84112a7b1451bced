import { expect, test } from '@jest/globals';
import { patiently } from '../../src/host/patience.ts';

const away = new Error('away');

function aDoor(failures: unknown[]) {
  const told: unknown[] = [];
  let tries = 0;
  const open = (withinMs: number): Promise<string> =>
    patiently(
      { withinMs, pauseMs: 1, isWorthAnother: (error) => error === away, onWait: (error) => void told.push(error) },
      () => {
        tries += 1;
        return failures.length === 0 ? Promise.resolve('open') : Promise.reject(failures.shift());
      },
    );
  return { open, told, tries: () => tries };
}

test('what is away for a moment is tried again, and said to be away once', async () => {
  const door = aDoor([away, away, away]);
  expect(await door.open(60_000)).toBe('open');
  expect([door.tries(), door.told]).toEqual([4, [away]]);
});

test('what will not get better is thrown at once', async () => {
  const door = aDoor([new Error('wrong password')]);
  await expect(door.open(60_000)).rejects.toThrow('wrong password');
  expect([door.tries(), door.told]).toEqual([1, []]);
});

test('patience ends with the last failure', async () => {
  const door = aDoor(Array.from({ length: 10_000 }, () => away));
  await expect(door.open(20)).rejects.toBe(away);
  expect(door.tries()).toBeGreaterThan(1);
});
