// Service levels, as several workers counted them.
import { expect, test } from '@jest/globals';
import { boundOf, levelFigures, noCounts, type WorkerLevels } from '../../../src/core/turn/levels.ts';

/** So many of so many seconds. */
const counts = (...given: [seconds: number, times: number][]): number[] => {
  const all = noCounts();
  for (const [seconds, times] of given) all[boundOf(seconds)] = (all[boundOf(seconds)] ?? 0) + times;
  return all;
};
const answers = (agent: string, day: number[]): WorkerLevels => ({
  answer: { [JSON.stringify([agent])]: { hour: noCounts(), day } },
});

test('service levels of several workers are added up, by agent and in all, those with most that is late first', () => {
  const figures = levelFigures([
    answers('good', counts([1, 90])),
    answers('slow', counts([1, 5], [11, 3])),
    answers('good', counts([10, 10])),
  ]);
  const answer = figures.find(({ level }) => level === 'answer');
  expect(answer).toMatchObject({
    withinSeconds: 10,
    hour: { total: 0, late: 0, p99: null },
    day: { total: 108, late: 3, p99: 30 },
    of: [
      { names: ['slow'], day: { total: 8, late: 3, p99: 30 } },
      { names: ['good'], day: { total: 100, late: 0, p99: 10 } },
    ],
  });
  expect(figures.map(({ level }) => level)).toEqual(['first-notice', 'deadline', 'answer']);
});

test('a service level whose hundredth took longer than all bounds says no number of seconds', () => {
  const [, , answer] = levelFigures([answers('gone', counts([1_000_000, 2]))]);
  expect(answer?.day).toEqual({ total: 2, late: 2, p99: null });
});
