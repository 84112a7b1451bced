// What CI makes of files that failed once.
import { expect, test } from '@jest/globals';
import { filesToRepeat, joinRuns, type Failure, type StageResult } from '../scripts/test/second-run.mjs';

const failure = (file: string, passed = 4, failed = 1): Failure => ({ file, passed, failed, reasons: ['why'] });
const result = (over: Partial<StageResult>): StageResult => ({
  isGood: false,
  passed: 99,
  failed: 1,
  skipped: 0,
  failures: [failure('a')],
  ...over,
});

test('up to three files that failed run once more', () => {
  expect(filesToRepeat(result({ failures: ['a', 'b', 'c'].map((file) => failure(file)) }))).toEqual(['a', 'b', 'c']);
});

test('four files that failed are no chance, and do not run again', () => {
  expect(filesToRepeat(result({ failures: ['a', 'b', 'c', 'd'].map((file) => failure(file)) }))).toEqual([]);
});

test('a stage without failures does not run again, also where jest ended badly', () => {
  expect(filesToRepeat(result({ isGood: true, failures: [] }))).toEqual([]);
  expect(filesToRepeat(result({ failures: [] }))).toEqual([]);
});

test('a file that passes when run again is counted once and named as unsteady', () => {
  const second = result({ isGood: true, passed: 5, failed: 0, failures: [] });
  expect(joinRuns(result({}), second)).toEqual({
    isGood: true,
    passed: 100,
    failed: 0,
    skipped: 0,
    failures: [],
    unsteady: [failure('a')],
  });
});

test('a file that fails again fails the stage', () => {
  const second = result({ passed: 4, failed: 1 });
  expect(joinRuns(result({}), second)).toMatchObject({
    isGood: false,
    passed: 99,
    failed: 1,
    failures: [failure('a')],
    unsteady: [],
  });
});

test('a skipped test of the first run fails the stage, whatever the second comes to', () => {
  const second = result({ isGood: true, passed: 5, failed: 0, failures: [] });
  expect(joinRuns(result({ skipped: 1 }), second)).toMatchObject({ isGood: false, skipped: 1 });
});
