import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkAnswers } from '../../../src/activities/holds/check-answers.ts';
import type { Store } from '../../../src/store/store.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { depsOf } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

test('an answer whose schema the compiler refuses is refused with the reason, and a refusal of the question is not', async () => {
  const deps = depsOf(store, () => {
    throw new Error('no agent is asked here');
  });
  deps.checkSchema = () => Promise.resolve({ ok: false, unusable: 'the form’s schema cannot be used: no such type' });
  const given = { holdId: 'h', schema: { type: 'nonsense' }, values: { amount: 1 }, reason: null };
  const { errors } = await checkAnswers(deps, { answers: [{ ...given, status: 'resolved' }] });
  expect(errors).toEqual([{ path: '', message: expect.stringContaining('cannot be used: no such type') }]);
  expect(await checkAnswers(deps, { answers: [{ ...given, status: 'cancelled' }] })).toMatchObject({ errors: [] });
});
