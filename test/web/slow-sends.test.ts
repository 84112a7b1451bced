// What the dot of the connection says while something that was sent has no answer.
import { expect, test } from '@jest/globals';
import { isSlowNow, watchSend } from '../../web/src/base/live/slow-sends.ts';

/** A request whose time is up when the test says so. */
function aRequest(): { answer: () => void; isLate: () => void; afterMs: number } {
  let due: (() => void) | null = null;
  let afterMs = 0;
  const answer = watchSend((run, ms) => {
    due = run;
    afterMs = ms;
    return () => {
      due = null;
    };
  });
  return { answer, isLate: () => due?.(), afterMs };
}

test('a request that has no answer after 8 s makes the connection slow, until its answer is here', () => {
  const [first, second] = [aRequest(), aRequest()];
  expect([first.afterMs, isSlowNow()]).toEqual([8_000, false]);
  first.isLate();
  second.isLate();
  expect(isSlowNow()).toBe(true);
  first.answer();
  first.answer();
  expect(isSlowNow()).toBe(true);
  second.answer();
  expect(isSlowNow()).toBe(false);
});

test('a request that is answered in time never makes the connection slow', () => {
  const { answer, isLate } = aRequest();
  answer();
  isLate();
  expect(isSlowNow()).toBe(false);
});
