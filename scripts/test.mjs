// `npm test` (--part first), `npm run test:ci`, `test:nightly` and `test:full`: builds what is stale, starts Temporal and
// PostgreSQL, installs what other people made, then runs jest once a stage: the quick tests, then those with real servers and
// processes. Paths choose files of any part; `--list` prints what would run, `--durations` writes test/durations.json again; what
// else begins with a dash goes to jest (`--shard 1/3`). STANDFAST_FULL=1 plays all runs of properties, and the night does;
// STANDFAST_TEST_SEED=… those of an earlier run again. In CI files that failed run once more (test/second-run.mjs).
import { appendFileSync } from 'node:fs';
import { build } from './build.mjs';
import { cpuSeconds } from '../test/jest/cpu-time.js';
import { writeDurations } from './test/durations.mjs';
import { runStage, secondsSince } from './test/jest-run.mjs';
import { isWithoutPython, startOthers } from './test/others.mjs';
import { filesToRepeat, joinRuns } from './test/second-run.mjs';
import { isCi, withServers } from './test/servers.mjs';
import { isWithoutChromium, stagesOf } from './test/stages.mjs';

const startedAt = performance.now();

/** Options of jest that are followed by a value. */
const withValue = ['-t', '--testNamePattern', '--shard'];

/** Whether `option` is in `args`; takes it out of them. */
function take(args, option) {
  const at = args.indexOf(option);
  if (at !== -1) args.splice(at, 1);
  return at !== -1;
}

/** `--part <part>`, the patterns of paths, and what is jest's own: options. */
function read(argv) {
  const args = [...argv];
  const at = args.indexOf('--part');
  const part = at === -1 ? 'first' : args.splice(at, 2)[1];
  const own = { isListed: take(args, '--list'), isTimed: take(args, '--durations') };
  const paths = args.filter((arg, index) => !arg.startsWith('-') && !withValue.includes(args[index - 1]));
  return { part, paths, ...own, forJest: args.filter((arg) => !paths.includes(arg)) };
}

async function runTwice(stage, forJest, env, dir, onReport) {
  const first = await runStage(stage, forJest, env, dir, onReport);
  const files = isCi ? filesToRepeat(first) : [];
  if (files.length === 0) return { ...first, unsteady: [] };
  return joinRuns(first, await runStage({ name: `${stage.name}, once more`, files, workers: 1 }, forJest, env, dir));
}

/** At the end, where people look first; in CI also into a file, to be printed at the very end. */
function list(title, failures) {
  const lines = failures.flatMap(({ file, reasons }) => reasons.map((reason) => `  ${file}: ${reason}`));
  if (lines.length === 0) return;
  const text = [title, ...lines].join('\n');
  console.log(text);
  const file = process.env.STANDFAST_TEST_FAILURES;
  if (file !== undefined) appendFileSync(file, `${text}\n`);
}

async function main(argv) {
  const { part, paths, isListed, isTimed, forJest } = read(argv);
  const stages = stagesOf(part, paths);
  if (isListed) {
    for (const { name, files } of stages) console.log([`${name}:`, ...files].join('\n  '));
    return 0;
  }
  await build();
  if (isWithoutPython) console.log('Python agents: left out, as STANDFAST_SKIP_PY=1 says');
  if (isWithoutChromium) console.log('Chromium: none; the journeys of the pages are left out');
  // On a fresh machine it takes minutes to install what others made; only the stage with real servers needs it.
  const others = startOthers(stages.flatMap(({ files }) => files));
  const sum = { isGood: true, passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [] };
  await withServers(async (env, dir) => {
    // One after the other: what waits with a bound must not wait for a core as well.
    for (const stage of stages) {
      const more = stage.name === 'quick' ? {} : await others;
      const result = await runTwice(stage, forJest, { ...env, ...more }, dir, isTimed ? writeDurations : undefined);
      sum.isGood &&= result.isGood;
      for (const key of ['failures', 'unsteady']) sum[key].push(...result[key]);
      for (const key of ['passed', 'failed', 'skipped']) sum[key] += result[key];
    }
  }, part === 'night');
  // A pattern that fits nothing is a mistake, not a success.
  const isEmpty = sum.passed + sum.failed === 0;
  const verdict = isEmpty ? 'no test was run' : sum.isGood ? 'all tests passed' : 'NOT all tests passed';
  console.log(`\n${verdict} in ${secondsSince(startedAt)}, with ${cpuSeconds().toFixed(0)} s of CPU`);
  console.log(`tests: ${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
  list('unsteady: failed, and passed when run once more, alone', sum.unsteady);
  list('failed:', sum.failures);
  return sum.isGood && !isEmpty ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(String(error.message ?? error));
  process.exitCode = 1;
}
