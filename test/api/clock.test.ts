// The api has one clock: what it says of a question's time and what it refuses by it would differ otherwise.
import { expect, test } from '@jest/globals';
import { filesBelow, read, withoutComments } from '../source-tree.ts';

/** The first signs by the clock of the process, which the workflow compares; the second says when the process began. */
const own = ['src/api/engine/task-client.ts', 'src/api/a2a/agent-card.ts'];

test('every part of the api asks its own clock for this moment', () => {
  const others = filesBelow('src/api', (path) => path.endsWith('.ts') && !own.includes(path));
  expect(others.length).toBeGreaterThan(100);
  expect(others.filter((path) => withoutComments(read(path)).includes('new Date()'))).toEqual([]);
});
