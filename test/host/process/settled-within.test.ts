import { expect, test } from '@jest/globals';
import { settledWithin } from '../../../src/host/process/retry.ts';

test('work that ends in time is over, however it ends', async () => {
  expect(await settledWithin(45_000, Promise.resolve('done'))).toBe(true);
  expect(await settledWithin(45_000, Promise.reject(new Error('failed')))).toBe(true);
});

test('work that goes on is not waited for any longer', async () => {
  expect(await settledWithin(1, new Promise(() => undefined))).toBe(false);
});
