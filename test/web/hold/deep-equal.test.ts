import { expect, test } from '@jest/globals';
import { createCustomEqual } from '../../../web/src/hold/values/deep-equal.ts';

const isEqual = createCustomEqual();
const day = new Date(0);

test.each([
  [{ a: [1, { b: null }], f: () => 1 }, { f: () => 2, a: [1, { b: null }] }, true],
  [{ a: undefined }, {}, false],
  [{ a: 1 }, { b: 1 }, false],
  [[1, 2], [1], false],
  [[], {}, false],
  [Number.NaN, Number.NaN, true],
  [{ day }, { day }, true],
  [new Set([1]), new Set([2]), false],
])('the form library compares %j with %j: %s', (a, b, isSame) => {
  expect(isEqual(a, b)).toBe(isSame);
  expect(isEqual(b, a)).toBe(isSame);
});
