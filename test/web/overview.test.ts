import { describe, expect, test } from '@jest/globals';
import { sumOf } from '../../web/src/history/day-ends.ts';
import { shadeOf, shareOf, stackOf, topOf, trendOf } from '../../web/src/overview/chart-math.ts';

const day = { day: '2026-11-22', approved: 6, answered: 0, refused: 3, expired: 0, other: 1 };

describe('a picture of the overview', () => {
  test('a picture of the overview ends its scale at a round number that no bar is higher than', () => {
    expect([1, 3, 5, 6, 11, 20, 21, 199, 201].map(topOf)).toEqual([1, 5, 5, 10, 20, 20, 50, 200, 500]);
  });

  // Promise S54
  test('a picture of the overview stacks how the questions of a day ended without gaps, and leaves out what did not happen', () => {
    expect(sumOf(day)).toBe(10);
    expect(stackOf(day, 20)).toEqual([
      { end: 'approved', from: 0, to: 0.3 },
      { end: 'refused', from: 0.3, to: 0.45 },
      { end: 'other', from: 0.45, to: 0.5 },
    ]);
  });

  test('a picture of the overview shades an hour by its share of the busiest, and only nothing is blank', () => {
    expect([0, 1, 25, 26, 50, 100].map((count) => shadeOf(count, 100))).toEqual([0, 1, 1, 2, 2, 4]);
  });

  test('a picture of the overview shows the smallest part there is, and none that is not', () => {
    expect(shareOf(0, 100)).toBe(0);
    expect(shareOf(1, 10_000)).toBeGreaterThan(0.01);
    expect([shareOf(50, 100), shareOf(300, 100), shareOf(1, 0)]).toEqual([0.5, 1, 0]);
  });

  test('a picture of the overview compares with the time before only where there was something', () => {
    expect(trendOf(5, 7)).toEqual({ trend: 'less', by: 2 });
    expect(trendOf(7, 7)).toEqual({ trend: 'same', by: 0 });
    expect(trendOf(7, null)).toBeNull();
  });
});
