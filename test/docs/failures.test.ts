// The page of failures: each names a test that makes the failure happen.
import { expect, test } from '@jest/globals';
import { read } from '../source-tree.ts';
import { isTested, namedTests, titles } from './named-tests.ts';

const [, ...failures] = read('docs/operate/failures.md').split(/^## /m);
const items = ['People see', 'Operators see', 'Lost', 'To do', 'Test'];

/** The tests below a failure, the one that plays it with real processes first. */
const titlesIn = (text: string): string[] =>
  [...text.matchAll(/^ {2}- (`+)(.+)\1$/gm)].map(([, , title = '']) => title);
const isJourney = (title: string): boolean =>
  [...titles].some(([path, inFile]) => path.startsWith('test/journeys/') && inFile.has(title));

test('each failure has what people see, what operators see, what is lost and what to do, and a journey that makes it happen', () => {
  expect(failures.length).toBeGreaterThan(15);
  for (const text of failures) {
    const [name] = text.split('\n');
    expect([name, [...text.matchAll(/^- \*\*([A-Z][a-z ]+)\*\*:/gm)].map(([, item]) => item)]).toEqual([name, items]);
    const [journey = ''] = titlesIn(text);
    expect([name, isJourney(journey)]).toEqual([name, true]);
  }
});

test('each test that the page of failures names is there', () => {
  const names = namedTests('docs/operate/failures.md');
  expect(names.length).toBeGreaterThanOrEqual(failures.length);
  expect(names.filter((name) => !isTested(name))).toEqual([]);
});

test.each([
  'agent is dead',
  'hang or are slow',
  'task of another thread',
  'database is slow',
  'read-only',
  'database is away',
  'database is restored',
  'Temporal is away',
  'restored to an earlier',
  'Temporal is later',
  'clock',
  'disk is full',
  'key is lost',
  'network',
  'network of one role alone',
])('the page of failures has one about: %s', (words) => {
  expect(failures.some((text) => text.split('\n')[0]?.includes(words))).toBe(true);
});
