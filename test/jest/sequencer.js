// The order in which jest takes the files, and how they are shared out among machines (`--shard 1/3`): by what each took before
// (test/durations.json). A file that takes a minute must not be the last to begin.
import { readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
const durations = JSON.parse(readFileSync(new URL('../durations.json', import.meta.url), 'utf8'));

/** Seconds; for files too short to be in the list, less than the shortest of it, by their size. */
const weightOf = ({ path }) => durations[relative(root, path)] ?? Math.min(statSync(path).size / 10_000, 4);

export function longestFirst(tests) {
  const weights = new Map(tests.map((test) => [test, weightOf(test)]));
  return tests.toSorted((a, b) => weights.get(b) - weights.get(a) || a.path.localeCompare(b.path));
}

/** Each file goes to the shard that has least to do so far; every machine reckons the same. */
export function shareOut(tests, count) {
  const shards = Array.from({ length: count }, () => ({ seconds: 0, tests: [] }));
  for (const test of longestFirst(tests)) {
    const least = shards.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    least.seconds += weightOf(test);
    least.tests.push(test);
  }
  return shards.map((shard) => shard.tests);
}

export default class Sequencer {
  sort(tests) {
    return longestFirst(tests);
  }

  shard(tests, { shardIndex, shardCount }) {
    return shareOut(tests, shardCount)[shardIndex - 1];
  }

  /** For --onlyFailures, which needs what jest's own order keeps of earlier runs. */
  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
