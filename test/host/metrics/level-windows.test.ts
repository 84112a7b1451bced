// What a worker counts of service levels, over the last hour and the last day.
import { expect, test } from '@jest/globals';
import { levelFigures } from '../../../src/core/turn/levels.ts';
import { createLevelWindows } from '../../../src/host/metrics/level-windows.ts';

const hourMs = 3_600_000;

test('what a worker counts leaves the last hour after an hour, and the last day after a day', () => {
  let nowMs = 100 * 24 * hourMs;
  const windows = createLevelWindows(() => nowMs);
  const totals = (): (number | undefined)[] | null => {
    const levels = windows.changed();
    if (levels === null) return null;
    const answer = levelFigures([levels]).find(({ level }) => level === 'answer');
    return [answer?.hour.total, answer?.day.total, answer?.day.late, answer?.of.length];
  };
  windows.count('answer', ['slow'], 45);
  windows.count('answer', ['slow'], 1);
  expect(totals()).toEqual([2, 2, 1, 1]);
  // Nothing to write again.
  expect(totals()).toBeNull();
  nowMs += hourMs;
  windows.count('answer', ['slow'], 1);
  expect(totals()).toEqual([1, 3, 1, 1]);
  nowMs += 23 * hourMs;
  expect(totals()).toEqual([0, 1, 0, 1]);
  nowMs += hourMs;
  expect(totals()).toEqual([0, 0, 0, 0]);
});
