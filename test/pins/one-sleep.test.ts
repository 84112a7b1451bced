import { expect, test } from '@jest/globals';
import { filesBelow, importsOf, read, withoutComments } from '../source-tree.ts';

const sources = filesBelow('src', (path) => path.endsWith('.ts'));
const pages = filesBelow('web/src', (path) => /\.tsx?$/.test(path));

test('the server waits by one sleep, and for longer each time by one backoff', () => {
  const sleeping = sources.flatMap(importsOf).filter(({ specifier }) => specifier === 'node:timers/promises');
  // The store is next to the room of the machine, not above it.
  expect(sleeping.map(({ from }) => from)).toEqual(['src/host/process/sleep.ts', 'src/store/feeds/notify.ts']);
  const handMade = /new Promise(?:<\w+>)?\(\((\w+)\) => (?:void )?setTimeout\(\1,/;
  expect(sources.filter((path) => handMade.test(withoutComments(read(path))))).toEqual([]);
});

test('the server and the pages have one formula of a pause that grows', () => {
  const formula = /\*\s*(?:2|1\.5|growth) \*\* |Math\.min\([\w.]+ \* 2, /;
  const found = [...sources, ...pages].filter((path) => formula.test(withoutComments(read(path))));
  expect(found).toEqual(['src/core/base/backoff.ts']);
});
