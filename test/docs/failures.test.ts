// The page of failures: each names a test that makes the failure happen.
import { expect, test } from '@jest/globals';
import { read } from '../source-tree.ts';
import { isTested } from './named-tests.ts';

const [, ...failures] = read('docs/operate/failures.md').split(/^## /m);
const items = ['People see', 'Operators see', 'Lost', 'To do', 'Test'];

test('each failure has what people see, what operators see, what is lost and what to do, and a test that there is', () => {
  expect(failures.length).toBeGreaterThan(15);
  for (const text of failures) {
    const [name] = text.split('\n');
    expect([name, [...text.matchAll(/^- \*\*([A-Z][a-z ]+)\*\*:/gm)].map(([, item]) => item)]).toEqual([name, items]);
    const title = / {2}- `(.+)`$/m.exec(text)?.[1] ?? '';
    expect([name, isTested(title)]).toEqual([name, true]);
  }
});

test.each([
  'agent is dead',
  'hanging or slow',
  'agent lies',
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
])('the page of failures has one about: %s', (words) => {
  expect(failures.some((text) => text.split('\n')[0]?.includes(words))).toBe(true);
});
