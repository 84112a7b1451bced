import { describe, expect, test } from '@jest/globals';
import { DurationSchema } from '../../../src/contract/configuration/policy.ts';
import { durationMs } from '../../../src/core/policy/duration.ts';

const hour = 3_600_000;

describe('a duration', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1.5s', 1500],
    ['15m', 15 * 60_000],
    ['4h', 4 * hour],
    ['3d', 72 * hour],
    ['2w', 14 * 24 * hour],
    ['PT4H', 4 * hour],
    ['P1DT2H', 26 * hour],
    ['PT1M30.5S', 90_500],
    ['P2W', 14 * 24 * hour],
    ['P3D', 72 * hour],
  ])('a duration of %s is %d milliseconds', (text, ms) => {
    expect(DurationSchema.safeParse(text).success).toBe(true);
    expect(durationMs(text)).toBe(ms);
  });

  test.each(['', '4', '4 h', '-4h', '4H', 'P', 'PT', 'P1DT', 'P1M', '1h30m', '1e3s'])(
    'a duration of %j is refused by the configuration and by the arithmetic',
    (text) => {
      expect(DurationSchema.safeParse(text).success).toBe(false);
      expect(() => durationMs(text)).toThrow(RangeError);
    },
  );
});
