// The product shows itself to newcomers on their own machine alone: people's agents are sent nothing for show.
import { describe, expect, test } from '@jest/globals';
import { noFilters } from '../../../web/src/base/router/routes.ts';
import { isFirstRun, isTrickTime } from '../../../web/src/first/first-minute.ts';

const trial = { via: 'none', temporalUrl: 'http://127.0.0.1:8233' } as const;
const none = { forMe: 0, mine: 0, team: 0, all: 0, decided: 0 };

describe('how to begin', () => {
  test('how to begin is shown where nothing was asked yet, on a machine without keys', () => {
    expect(isFirstRun(trial, none, noFilters)).toBe(true);
    for (const via of ['key', 'session'] as const) expect(isFirstRun({ ...trial, via }, none, noFilters)).toBe(false);
    expect(isFirstRun(null, none, noFilters)).toBe(false);
    expect(isFirstRun(trial, null, noFilters)).toBe(false);
  });

  test('how to begin is not shown once anything was asked or answered, nor in a search', () => {
    expect(isFirstRun(trial, { ...none, all: 1 }, noFilters)).toBe(false);
    expect(isFirstRun(trial, { ...none, decided: 1 }, noFilters)).toBe(false);
    expect(isFirstRun(trial, none, { ...noFilters, q: 'refund' })).toBe(false);
  });
});

describe('the way to kill Standfast', () => {
  const after = (decided: number, isSeen = false): boolean => isTrickTime(trial, { ...none, decided }, isSeen);

  test('the way to kill Standfast comes after the first answer and stays for a few, until it was seen', () => {
    expect([0, 1, 2, 5, 6].map((decided) => after(decided))).toEqual([false, true, true, true, false]);
    expect(after(1, true)).toBe(false);
  });

  test('the way to kill Standfast is shown to no one with a key, nor without a Temporal that came along', () => {
    expect(isTrickTime({ ...trial, via: 'session' }, { ...none, decided: 1 }, false)).toBe(false);
    expect(isTrickTime({ ...trial, temporalUrl: null }, { ...none, decided: 1 }, false)).toBe(false);
  });
});
