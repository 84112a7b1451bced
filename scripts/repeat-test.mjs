// `npm run test:repeat -- FILE --times 20 --load 2`: runs one test file again and again, with `load` processes that keep a core
// busy each. It is how a test that fails now and then is found, and how its cure is shown: prints each run, and ends with 1
// where one of them failed.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { runStage } from './test/jest-run.mjs';
import { startOthers } from './test/others.mjs';
import { withServers } from './test/servers.mjs';
import { stagesOf } from './test/stages.mjs';

function read(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      times: { type: 'string', default: '20' },
      load: { type: 'string', default: '0' },
      t: { type: 'string', short: 't' },
    },
  });
  const times = Number(values.times);
  const load = Number(values.load);
  if (positionals.length !== 1 || !Number.isInteger(times) || times < 1 || !Number.isInteger(load) || load < 0)
    throw new Error('usage: npm run test:repeat -- FILE [-t NAME] [--times 20] [--load 2]');
  return { path: positionals[0], times, load, forJest: values.t === undefined ? [] : ['-t', values.t] };
}

/** Processes that keep a core busy each, until they are ended. */
function startLoad(count) {
  const busy = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  return () => busy.forEach((child) => child.kill('SIGKILL'));
}

async function main(args) {
  const { path, times, load, forJest } = read(args);
  await build();
  const stages = stagesOf('full', [path]);
  const files = stages.flatMap((stage) => stage.files);
  if (files.length !== 1)
    throw new Error(`${path} names ${files.length} test files, not one: ${files.slice(0, 5).join(' ')}`);
  const others = await startOthers(files);
  const failures = [];
  await withServers(async (env, dir) => {
    const stopLoad = startLoad(load);
    try {
      for (let run = 1; run <= times; run++) {
        console.log(`\nrun ${run} of ${times}`);
        const result = await runStage(stages[0], forJest, { ...env, ...others }, dir);
        if (!result.isGood) failures.push(run);
      }
    } finally {
      stopLoad();
    }
  });
  console.log(
    failures.length === 0
      ? `\n${files[0]}: ${times} of ${times} runs passed, with ${load} cores kept busy`
      : `\n${files[0]}: ${failures.length} of ${times} runs failed (${failures.join(', ')}), with ${load} cores kept busy`,
  );
  return failures.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(String(error.message ?? error));
  process.exitCode = 1;
}
