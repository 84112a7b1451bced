// What runs before a change is taken, what at night, and how files are shared out: by durations and promises, not by hand.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readMarks, readPromises } from '../scripts/spec.mjs';
import { mergeDurations, readDurations } from '../scripts/test/durations.mjs';
import { needsServers, partsOf, secondsOf, type Parts } from '../scripts/test/parts.mjs';
import { withAgentsPython } from '../scripts/test/python-files.mjs';
import { longestFirst, shareOut } from './jest/sequencer.js';
import { fc } from './rigs/properties.ts';
import { filesBelow, root } from './source-tree.ts';

const files = filesBelow('test', (path) => path.endsWith('.test.ts'));
const ofThisTree = { files, durations: readDurations(), promises: readPromises(), marks: readMarks() };

/** Promises p0 … on pages, and files that name some of them and take some time. */
const suites = fc
  .array(
    fc.record({
      isSlow: fc.boolean(),
      seconds: fc.integer({ min: 1, max: 300 }),
      ids: fc.uniqueArray(fc.integer({ min: 0, max: 14 }), { maxLength: 5 }),
    }),
    { maxLength: 40 },
  )
  .map((made) => {
    const named = made.map((file, at) => ({
      ...file,
      path: file.isSlow ? `test/journeys/f${at}.test.ts` : `test/core/f${at}.test.ts`,
    }));
    return {
      files: named.map(({ path }) => path),
      durations: Object.fromEntries(named.map(({ path, seconds }) => [path, seconds])),
      promises: Array.from({ length: 15 }, (_, at) => ({ id: `P${at}`, sentence: '', page: `page${at % 4}.md` })),
      marks: named.flatMap(({ path, ids }) => ids.map((id) => ({ id: `P${id}`, file: path, name: null }))),
    };
  });
type Suite = typeof ofThisTree;

const beforeAChange = ({ quick, first, rest }: Parts): Set<string> => new Set([...quick, ...first, ...rest]);
const allOf = (parts: Parts): string[] => [...beforeAChange(parts), ...parts.night].toSorted();
const partsIn = (suite: Suite): Parts => partsOf({ ...suite, needsOthers: (file) => file.includes('7') });

/** Promises that nothing holds before a change, or nothing with real servers although a file of the night does. */
function lostPromises({ marks }: Suite, parts: Parts): string[] {
  const early = beforeAChange(parts);
  const heldBy = (isOne: (file: string) => boolean): Set<string> =>
    new Set(marks.filter(({ file }) => early.has(file) && isOne(file)).map(({ id }) => id));
  const [held, heldByServers] = [heldBy(() => true), heldBy(needsServers)];
  return marks.filter(({ id, file }) => !(needsServers(file) ? heldByServers : held).has(id)).map(({ id }) => id);
}

test('every promise of docs/spec is held by a test that runs before a change is taken', () => {
  const parts = partsIn(ofThisTree);
  expect(lostPromises(ofThisTree, parts)).toEqual([]);
  expect(allOf(parts)).toEqual(files.toSorted());
});

test('whatever files there are, no promise is left to the night, and each file is in one part', () => {
  fc.assert(
    fc.property(suites, (suite) => {
      const parts = partsIn(suite);
      expect(lostPromises(suite, parts)).toEqual([]);
      expect(allOf(parts)).toEqual(suite.files.toSorted());
    }),
  );
});

test('whatever files there are, each file with real servers before a change holds a promise that no other of them does', () => {
  fc.assert(
    fc.property(suites, (suite) => {
      const parts = partsIn(suite);
      const holders = (id: string): string[] => [
        ...new Set(suite.marks.filter(({ id: one, file }) => one === id && needsServers(file)).map(({ file }) => file)),
      ];
      const early = beforeAChange(parts);
      for (const file of [...parts.first, ...parts.rest]) {
        const own = suite.marks.filter((mark) => mark.file === file);
        expect(own.some(({ id }) => holders(id).filter((one) => early.has(one)).length === 1)).toBe(true);
      }
    }),
  );
});

test('whatever files there are, the first journeys hold a promise of each page that needs real servers', () => {
  fc.assert(
    fc.property(suites, (suite) => {
      const { first } = partsIn(suite);
      for (const page of new Set(suite.promises.map((promise) => promise.page))) {
        const holders = suite.promises
          .filter((promise) => promise.page === page)
          .map(({ id }) => suite.marks.filter((mark) => mark.id === id).map(({ file }) => file))
          .filter((found) => found.length > 0 && found.every(needsServers));
        expect(holders.length === 0 || holders.some((found) => found.some((file) => first.includes(file)))).toBe(true);
      }
    }),
  );
});

const asTests = (paths: readonly string[]): { path: string }[] => paths.map((path) => ({ path: `${root}${path}` }));

test('the shards of all files share them out, no two of them further apart than the longest file', () => {
  const all = asTests(files);
  const shards = shareOut(all, 3);
  expect(
    shards
      .flat()
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(all.map(({ path }) => path).toSorted());
  const sums = shards.map((shard) =>
    shard.reduce((sum, { path }) => sum + secondsOf(ofThisTree.durations, path.slice(root.length)), 0),
  );
  expect(Math.max(...sums) - Math.min(...sums)).toBeLessThan(Math.max(...Object.values(ofThisTree.durations)));
});

test('the file that took longest begins first', () => {
  const longest = Object.entries(ofThisTree.durations).toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? '';
  expect(longestFirst(asTests(files.filter((file) => file !== longest).concat(longest)))[0]?.path).toContain(longest);
});

test('a run writes what its files took, keeps what did not run, and drops what is gone or too short to count', () => {
  const report = {
    testResults: [
      { name: `${root}test/b.test.ts`, startTime: 0, endTime: 12_400 },
      { name: `${root}test/c.test.ts`, startTime: 0, endTime: 900 },
    ],
  };
  const before = { 'test/a.test.ts': 9, 'test/b.test.ts': 7, 'test/c.test.ts': 30, 'test/d.test.ts': 8 };
  const merged = mergeDurations(before, report, (file) => file !== 'test/d.test.ts');
  expect(merged).toEqual({ 'test/a.test.ts': 9, 'test/b.test.ts': 12 });
});

test('the Python of the agents is installed for the files that run it, and for no others', () => {
  const rigs = /rigs\/agents\/(python-agent|binding-agent|sdk-callers)\.ts'|STANDFAST_TEST_PYTHON'/;
  const journeys = files.filter((file) => file.startsWith('test/journeys/'));
  const running = journeys.filter((file) => rigs.test(readFileSync(join(root, file), 'utf8')));
  const missing = running.filter((file) => !withAgentsPython.test(file));
  const inVain = files.filter((file) => withAgentsPython.test(file) && !running.includes(file));
  expect({ missing, inVain }).toEqual({ missing: [], inVain: [] });
});
