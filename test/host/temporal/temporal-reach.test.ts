// A worker says that it does not reach Temporal only once its calls have failed for some time.
import { expect, test } from '@jest/globals';
import { createReach } from '../../../src/host/temporal/temporal-reach.ts';

test('a worker whose calls to Temporal fail for ten seconds does not reach it, until one succeeds', async () => {
  let [isThere, passedMs] = [true, 0];
  const reach = createReach(
    async () => (isThere ? undefined : Promise.reject(new Error('14 UNAVAILABLE'))),
    () => passedMs,
  );
  const after = async (ms: number): Promise<boolean> => {
    passedMs += ms;
    await reach.ask();
    return reach.now();
  };
  expect(reach.now()).toBe(true);
  expect(await after(60_000)).toBe(true);
  isThere = false;
  expect(await after(5_000)).toBe(true);
  expect(await after(9_000)).toBe(true);
  expect(await after(1_000)).toBe(false);
  isThere = true;
  expect(await after(1)).toBe(true);
  isThere = false;
  expect(await after(5_000)).toBe(true);
});
