import { expect, test } from '@jest/globals';
import { retry } from '../../../src/host/process/retry.ts';

const away = new Error('away');

function aDoor(failures: unknown[]) {
  const told: unknown[] = [];
  let tries = 0;
  const open = (withinMs: number): Promise<string> =>
    retry(
      { withinMs, pauseMs: 1, isRetryable: (error) => error === away, onWait: (error) => void told.push(error) },
      () => {
        tries += 1;
        return failures.length === 0 ? Promise.resolve('open') : Promise.reject(failures.shift());
      },
    );
  return { open, told, tries: () => tries };
}

test('what is away for a moment is tried again, and said to be away once', async () => {
  const source = aDoor([away, away, away]);
  expect(await source.open(60_000)).toBe('open');
  expect([source.tries(), source.told]).toEqual([4, [away]]);
});

test('what will not get better is thrown at once', async () => {
  const source = aDoor([new Error('wrong password')]);
  await expect(source.open(60_000)).rejects.toThrow('wrong password');
  expect([source.tries(), source.told]).toEqual([1, []]);
});

test('patience ends with the last failure', async () => {
  const source = aDoor(Array.from({ length: 10_000 }, () => away));
  await expect(source.open(2_000)).rejects.toBe(away);
  expect(source.tries()).toBeGreaterThan(1);
});
