// test/durations.json: what each test file takes, in seconds. It decides what begins first, what runs where (parts.mjs) and how the
// files are shared out among machines. `node scripts/test.mjs --part full --durations` writes it again.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const path = join(root, 'test/durations.json');

/** Shorter ones need no line: they fit in anywhere. */
const shortest = 5;

export const readDurations = () => JSON.parse(readFileSync(path, 'utf8'));

/** Takes over what the files of a run took; those that did not run keep their line, those that are no more lose it. */
export function mergeDurations(before, { testResults }, exists) {
  const measured = testResults.map(({ name, startTime, endTime }) => [
    relative(root, name),
    Math.round((endTime - startTime) / 1000),
  ]);
  const all = { ...before, ...Object.fromEntries(measured) };
  return Object.fromEntries(
    Object.entries(all)
      .filter(([file, seconds]) => seconds >= shortest && exists(file))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

export function writeDurations(report) {
  const merged = mergeDurations(readDurations(), report, (file) => existsSync(join(root, file)));
  writeFileSync(path, `${JSON.stringify(merged, null, 2)}\n`);
}
