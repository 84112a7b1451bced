// Ids that the page makes.
import { expect, test } from '@jest/globals';
import { newId } from '../../web/src/base/page/new-id.ts';

test('each id of the page is a random UUID of version 4', () => {
  const ids = Array.from({ length: 500 }, newId);
  const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
  expect(ids.filter((id) => !uuid.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
