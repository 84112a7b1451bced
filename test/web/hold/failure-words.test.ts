import { expect, test } from '@jest/globals';
import { failureWords } from '../../../web/src/hold/words/problem-words.ts';

test('a task whose time ran out says so in words, without a code and a time of machines', () => {
  const message = 'no answer to "Go?" by 2026-03-02T13:00:00.000Z (policy finance)';
  expect(failureWords({ code: 'hold_expired', message }, 'expenses')).toBe('No answer came in time.');
});

test('a task that failed by a cause which only operators know keeps its code and its message', () => {
  expect(failureWords({ code: 'gave_up', message: 'an operator\ngave it up' }, 'expenses')).toBe(
    'gave_up: an operator gave it up',
  );
});
