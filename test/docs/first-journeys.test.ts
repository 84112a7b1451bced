// `npm test` runs the quick tests and a first set of those with real servers: the set reaches every subject of docs/spec.
import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readMarks, readPromises } from '../../scripts/spec.mjs';
import { firstJourneys } from '../../scripts/test/first-journeys.mjs';

const needsServers = (file: string): boolean => /^test\/(workflows|journeys)\//.test(file);

/** Pages of docs/spec with a promise that no quick test holds, each with the files that hold one. */
function pagesOfServers(): Map<string, string[]> {
  const marks = readMarks();
  const pages = new Map<string, string[]>();
  for (const { id, page } of readPromises()) {
    const files = marks.filter((mark) => mark.id === id).map(({ file }) => file);
    if (files.every(needsServers)) pages.set(page, [...(pages.get(page) ?? []), ...files]);
  }
  return pages;
}

test('the first journeys of npm test hold a promise of every page of docs/spec that needs real servers', () => {
  const missed = [...pagesOfServers()].filter(([, files]) => !files.some((file) => firstJourneys.includes(file)));
  expect(missed.map(([page]) => page)).toEqual([]);
});

test('each first journey of npm test is a test with real servers, named once', () => {
  expect(firstJourneys.filter((file) => !existsSync(file) || !needsServers(file))).toEqual([]);
  expect(new Set(firstJourneys).size).toBe(firstJourneys.length);
});
