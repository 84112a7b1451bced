import { describe, expect, test } from '@jest/globals';
import {
  afterOpenTime,
  mergeWindows,
  mostOpenTime,
  openTimeBetween,
  withoutWindows,
} from '../../../src/core/policy/calendar.ts';
import type { OpenWindow, WindowsFrom } from '../../../src/core/policy/calendar.ts';
import { fc } from '../../rigs/properties.ts';

const aWindow = (fromMs: number, toMs: number): OpenWindow => ({ fromMs, toMs });
const lend =
  (windows: OpenWindow[]): WindowsFrom =>
  (ms) =>
    windows.filter((window) => window.toMs > ms);

/** Two short days: open 10–20 and 110–120. */
const twoDays = lend([aWindow(10, 20), aWindow(110, 120)]);

/** Some windows, in order, apart from each other. */
const someWindows = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 50 }), length: fc.integer({ min: 1, max: 50 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => {
    let at = 0;
    return parts.map(({ gap, length }) => {
      const fromMs = at + gap;
      at = fromMs + length;
      return aWindow(fromMs, at);
    });
  });
const aMoment = fc.integer({ min: -20, max: 800 });
const aWhile = fc.integer({ min: 1, max: 400 });

describe('opening time', () => {
  test.each([
    ['within a window', 12, 5, 17],
    ['to the moment of closing', 12, 8, 20],
    ['past the moment of closing', 12, 9, 111],
    ['from before opening', 0, 1, 11],
    ['from the moment of opening', 10, 1, 11],
    ['from the moment of closing', 20, 1, 111],
    ['from between two windows', 50, 10, 120],
    ['of nothing', 50, 0, 50],
    ['that does not come any more', 50, 11, null],
  ])('opening time is counted %s', (_, from, length, expected) => {
    expect(afterOpenTime(twoDays, from, length)).toBe(expected);
  });

  test('opening time between two moments is what of the windows lies between them', () => {
    expect(openTimeBetween(twoDays, 15, 115)).toBe(10);
    expect(openTimeBetween(twoDays, 20, 110)).toBe(0);
  });

  test('opening time never ends outside the windows', () => {
    fc.assert(
      fc.property(someWindows, aMoment, aWhile, (windows, from, length) => {
        const at = afterOpenTime(lend(windows), from, length);
        return at === null || windows.some((window) => window.fromMs <= at && at <= window.toMs);
      }),
    );
  });

  // Promise PO2
  test('opening time has passed in full by then, and not a moment before', () => {
    fc.assert(
      fc.property(someWindows, aMoment, aWhile, (windows, from, length) => {
        const at = afterOpenTime(lend(windows), from, length);
        if (at === null) return openTimeBetween(lend(windows), from, 1_000_000) < length;
        return (
          openTimeBetween(lend(windows), from, at) === length && openTimeBetween(lend(windows), from, at - 1) < length
        );
      }),
    );
  });

  // Promise PO3
  test('opening time grows with its length, and with the moment it is counted from', () => {
    fc.assert(
      fc.property(someWindows, aMoment, aWhile, aWhile, (windows, from, length, more) => {
        const end = afterOpenTime(lend(windows), from, length) ?? Infinity;
        const longer = afterOpenTime(lend(windows), from, length + more) ?? Infinity;
        const later = afterOpenTime(lend(windows), from + more, length) ?? Infinity;
        return (end === Infinity || longer > end) && later >= end;
      }),
    );
  });

  // Promise PO3
  test('counted in two parts comes to the same', () => {
    fc.assert(
      fc.property(someWindows, aMoment, aWhile, aWhile, (windows, from, first, second) => {
        const middle = afterOpenTime(lend(windows), from, first);
        const parts = middle === null ? null : afterOpenTime(lend(windows), middle, second);
        return parts === afterOpenTime(lend(windows), from, first + second);
      }),
    );
  });

  test('opening time of one endless window is the time on the wall', () => {
    const always = lend([aWindow(-1_000_000, 1_000_000)]);
    fc.assert(fc.property(aMoment, aWhile, (from, length) => afterOpenTime(always, from, length) === from + length));
  });

  test('opening time of the fullest stretch is never exceeded by any other', () => {
    fc.assert(
      fc.property(someWindows, aMoment, aWhile, (windows, from, span) => {
        const most = mostOpenTime(windows, span);
        return most <= span && openTimeBetween(lend(windows), from, from + span) <= most;
      }),
    );
  });
});

describe('windows', () => {
  test('windows that touch or overlap are one', () => {
    expect(mergeWindows([aWindow(5, 9), aWindow(1, 3), aWindow(3, 4), aWindow(6, 7), aWindow(8, 8)])).toEqual([
      aWindow(1, 4),
      aWindow(5, 9),
    ]);
  });

  test('windows are cut by what is taken out of them', () => {
    expect(withoutWindows([aWindow(0, 10), aWindow(20, 30)], [aWindow(3, 5), aWindow(8, 25)])).toEqual([
      aWindow(0, 3),
      aWindow(5, 8),
      aWindow(25, 30),
    ]);
    expect(withoutWindows([aWindow(0, 10)], [aWindow(0, 10)])).toEqual([]);
  });
});
