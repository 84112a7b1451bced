// One run of jest over the files of a stage, and what it says of them at its end.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { cpuFileOf, printSlowest } from '../slowest-files.mjs';
import { isCi, root } from './servers.mjs';

export const secondsSince = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

function runJest(stage, args, env, reportFile) {
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
  const filesFile = `${reportFile}.files`;
  writeFileSync(filesFile, JSON.stringify(stage.files.map((file) => join(root, file))));
  const own = ['--filter', join(root, 'test/jest/chosen-files.cjs'), '--maxWorkers', String(stage.workers)];
  // A worker of Temporal that a test has cut off keeps its native runtime, and that keeps the process: a file alone,
  // which jest runs in its own process, would never end.
  const report = ['--json', '--outputFile', reportFile, '--passWithNoTests', '--forceExit'];
  const child = spawn(process.execPath, [jest, ...own, ...args, ...report], {
    cwd: root,
    env: { ...env, STANDFAST_TEST_CPU: cpuFileOf(reportFile), STANDFAST_TEST_FILES: filesFile },
    // With --json jest prints its report twice, for people on stderr; stdout is the JSON.
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done(code ?? 1));
  });
}

function reportIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** The files that did not pass, each with its failed tests and the first line of why; the file itself where it did not load. */
function failuresOf({ testResults }) {
  const firstLine = (text) =>
    text
      .replace(/\u001b\[[\d;]*m/g, '')
      .trim()
      .split('\n', 1)[0];
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      return {
        file: relative(root, name),
        passed: assertionResults.filter(({ status }) => status === 'passed').length,
        failed: tests.length,
        reasons:
          tests.length === 0
            ? [firstLine(message)]
            : tests.map((test) => `${test.fullName}: ${firstLine(test.failureMessages.join('\n'))}`),
      };
    });
}

/** Runs one stage; says why all is not well where jest itself does not. `onReport` gets jest's report. */
export async function runStage(stage, args, env, dir, onReport = () => {}) {
  const since = performance.now();
  console.log(`\n— ${stage.name} (${stage.files.length} files, ${stage.workers} at a time)`);
  const file = join(dir, `${stage.name.replaceAll(' ', '-')}.json`);
  const code = await runJest(stage, args, env, file);
  const report = reportIn(file);
  if (report === null) {
    console.log(`jest ended with ${code} and left no report`);
    return { isGood: false, passed: 0, failed: 0, skipped: 0, failures: [] };
  }
  printSlowest(report, file);
  onReport(report);
  // With -t every test of another name counts as pending: then a skip cannot be distinguished from a choice.
  const isChosen = args.some((arg) => /^(-t|--testNamePattern)/.test(arg));
  const skipped = isChosen ? 0 : report.numPendingTests + report.numTodoTests;
  const { numPassedTests: passed, numFailedTests: failed } = report;
  console.log(`${stage.name}: ${passed} passed, ${failed} failed, ${skipped} skipped, in ${secondsSince(since)}`);
  if (skipped > 0 && isCi) {
    for (const { assertionResults } of report.testResults) {
      const names = assertionResults.filter(({ status }) => status === 'pending' || status === 'todo');
      for (const { fullName } of names) console.log(`  skipped: ${fullName}`);
    }
    console.log('a skipped test fails CI');
  }
  return { isGood: code === 0 && !(skipped > 0 && isCi), passed, failed, skipped, failures: failuresOf(report) };
}
