import { expect, test } from '@jest/globals';
import { retry } from '../../../src/host/process/retry.ts';

const away = new Error('away');

function failing(failures: unknown[]) {
  const logged: unknown[] = [];
  let tries = 0;
  const open = (withinMs: number): Promise<string> =>
    retry(
      { withinMs, pauseMs: 1, isRetryable: (error) => error === away, onWait: (error) => void logged.push(error) },
      () => {
        tries += 1;
        return failures.length === 0 ? Promise.resolve('open') : Promise.reject(failures.shift());
      },
    );
  return { open, logged: logged, tries: () => tries };
}

test('what is away for a moment is tried again, and reported as away once', async () => {
  const source = failing([away, away, away]);
  expect(await source.open(60_000)).toBe('open');
  expect([source.tries(), source.logged]).toEqual([4, [away]]);
});

test('what will not get better is thrown at once', async () => {
  const source = failing([new Error('wrong password')]);
  await expect(source.open(60_000)).rejects.toThrow('wrong password');
  expect([source.tries(), source.logged]).toEqual([1, []]);
});

test('retries end with the last failure', async () => {
  const source = failing(Array.from({ length: 10_000 }, () => away));
  await expect(source.open(2_000)).rejects.toBe(away);
  expect(source.tries()).toBeGreaterThan(1);
});
