// What runs before a change is taken, what at night, and how files are shared out: by durations and promises, not by hand.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readMarks, readPromises } from '../scripts/spec.mjs';
import { mergeDurations, readDurations } from '../scripts/test/durations.mjs';
import { needsServers, partsOf, playsSamples, secondsOf, unseenByQuick, type Parts } from '../scripts/test/parts.mjs';
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
      promises: Array.from({ length: 15 }, (_, at) => ({
        id: `P${at}`,
        sentence: at % 5 === 0 ? 'kill -9 loses nothing' : 'all is well',
        page: `page${at % 4}.md`,
      })),
      marks: named.flatMap(({ path, ids }) => ids.map((id) => ({ id: `P${id}`, file: path, name: null }))),
    };
  });
type Suite = typeof ofThisTree;

const beforeAChange = ({ quick, first, rest }: Parts): Set<string> => new Set([...quick, ...first, ...rest]);
const allOf = (parts: Parts): string[] => [...beforeAChange(parts), ...parts.night].toSorted();
const partsIn = (suite: Suite, isSampled = (file: string): boolean => file.includes('3')): Parts =>
  partsOf({ ...suite, needsOthers: (file) => file.includes('7'), isSampled });

type Promises = Suite['promises'];
const isUnseen = ({ sentence }: Promises[number]): boolean => unseenByQuick.some(({ words }) => words.test(sentence));

/** What must be held before a change, each with the files that hold it. */
function needsIn({ promises, marks }: Suite): { need: string; files: string[] }[] {
  const holders = (ids: readonly string[]): string[] => [
    ...new Set(marks.filter(({ id }) => ids.includes(id)).map(({ file }) => file)),
  ];
  const pages = [...new Set(promises.map(({ page }) => page))];
  return [
    ...promises.map(({ id }) => ({ need: id, files: holders([id]) })),
    ...promises
      .filter(isUnseen)
      .map(({ id }) => ({ need: `${id} with real servers`, files: holders([id]).filter(needsServers) })),
    ...pages.map((page) => {
      const ids = promises.filter((promise) => promise.page === page).map(({ id }) => id);
      return { need: `a journey of ${page}`, files: holders(ids).filter(needsServers) };
    }),
  ].filter(({ files: all }) => all.length > 0);
}

const unmet = (suite: Suite, parts: Parts): string[] => {
  const early = beforeAChange(parts);
  return needsIn(suite)
    .filter(({ files: all }) => !all.some((file) => early.has(file)))
    .map(({ need }) => need);
};

test('every promise of docs/spec is held by a test that runs before a change is taken', () => {
  const parts = partsIn(ofThisTree);
  const ids = new Set(needsIn(ofThisTree).map(({ need }) => need));
  expect(ofThisTree.promises.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([]);
  expect(unmet(ofThisTree, parts)).toEqual([]);
  expect(allOf(parts)).toEqual(files.toSorted());
});

test('each reason to keep a journey that quick files seem to replace is one of a promise with such a journey and such a file', () => {
  const isHeldBy = (id: string, isOne: (file: string) => boolean): boolean =>
    ofThisTree.marks.some((mark) => mark.id === id && isOne(mark.file));
  const twice = ofThisTree.promises.filter(
    ({ id }) => isHeldBy(id, needsServers) && isHeldBy(id, (file) => !needsServers(file)),
  );
  const inVain = unseenByQuick.filter(({ words }) => !twice.some(({ sentence }) => words.test(sentence)));
  expect(inVain).toEqual([]);
});

test('whatever files there are, no promise, and no page with journeys, is left to the night, and each file is in one part', () => {
  fc.assert(
    fc.property(suites, (suite) => {
      const parts = partsIn(suite);
      expect(unmet(suite, parts)).toEqual([]);
      expect(allOf(parts)).toEqual(suite.files.toSorted());
    }),
  );
});

test('whatever files there are, those that play a sample before a change, and no others of them, run at night, too', () => {
  fc.assert(
    fc.property(suites, (suite) => {
      const parts = partsIn(suite, (file) => /[135]/.test(file));
      const early = [...parts.first, ...parts.rest];
      expect(parts.again.toSorted()).toEqual(early.filter((file) => /[135]/.test(file)).toSorted());
    }),
  );
});

test('each journey with a sweep is one of those that play samples', () => {
  const sampled = files.filter((file) => needsServers(file) && playsSamples(readFileSync(join(root, file), 'utf8')));
  const calling = files.filter(
    (file) => needsServers(file) && /\b(sample|screensOf)\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(sampled).toEqual(calling);
  expect(sampled).toContain('test/journeys/pages/pages-open.test.ts');
});

test('whatever files there are, each file with real servers before a change meets a need that nothing else there does', () => {
  fc.assert(
    fc.property(suites, (suite) => {
      const parts = partsIn(suite);
      const early = beforeAChange(parts);
      const needs = needsIn(suite).map(({ files: all }) => all.filter((file) => early.has(file)));
      for (const file of [...parts.first, ...parts.rest])
        expect(needs.filter((all) => all.length === 1).flat()).toContain(file);
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
