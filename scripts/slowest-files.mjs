// What the test files of a stage took, printed at its end, so that making the tests faster needs no measuring first.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const shown = 25;

/** Where the environment of the tests (test/jest) writes each file's CPU time, next to jest’s report. */
export const cpuFileOf = (reportFile) => `${reportFile}.cpu`;

const inSeconds = (value) => `${value.toFixed(1).padStart(7)} s`;

/** The files that took most CPU time, their own processes included, and the sums of all; shared servers are not in it. */
export function printSlowest({ testResults }, reportFile) {
  const cpuFile = cpuFileOf(reportFile);
  const lines = existsSync(cpuFile) ? readFileSync(cpuFile, 'utf8').trim().split('\n') : [];
  const cpu = new Map(lines.map((line) => JSON.parse(line)));
  const files = testResults.map(({ name, startTime, endTime }) => ({
    name: relative('.', name),
    wall: (endTime - startTime) / 1000,
    cpu: cpu.get(name) ?? 0,
  }));
  const sumOf = (key) => files.reduce((sum, file) => sum + file[key], 0);
  console.log(`    CPU       wall    of ${files.length} files, those that took most`);
  for (const file of files.toSorted((a, b) => b.cpu - a.cpu).slice(0, shown)) {
    console.log(`${inSeconds(file.cpu)} ${inSeconds(file.wall)}  ${file.name}`);
  }
  console.log(`${inSeconds(sumOf('cpu'))} ${inSeconds(sumOf('wall'))}  all`);
}
