// Which test files run, and in which of two stages: the quick ones, and after them those with real servers and processes.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { firstJourneys } from './first-journeys.mjs';
import { isWithoutPython, withPython } from './others.mjs';
import { isCi, root } from './servers.mjs';

const slow = /^test\/(workflows|journeys)\//;
const withChromium = /^test\/journeys\/(hold-page\/|inbox\/|pages\/|callers\/(copilotkit|front-ends))/;
const { findChromium } = await tsImport('../../test/rigs/pages/chromium.ts', import.meta.url);
/** In CI its absence fails the journeys. */
export const isWithoutChromium = !isCi && findChromium() === undefined;
const cores = availableParallelism();

const testFiles = (dir = 'test') =>
  readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = `${dir}/${entry.name}`;
    return entry.isDirectory() ? testFiles(path) : path.endsWith('.test.ts') ? [path] : [];
  });

const canRun = (file) =>
  !(isWithoutPython && new RegExp(withPython).test(file)) && !(isWithoutChromium && withChromium.test(file));

const parts = {
  /** `npm test`: what a contributor runs. */
  first: (file) => !slow.test(file) || firstJourneys.includes(file),
  /** `npm run test:rest`: what `npm test` leaves. */
  rest: (file) => slow.test(file) && !firstJourneys.includes(file),
  /** `npm run test:full`, and whatever names files. */
  full: () => true,
};

/** The files that `part` (first, rest, full) or the patterns in `paths` choose, in their stages. */
export function stagesOf(part, paths) {
  if (!(part in parts)) throw new Error(`--part is one of ${Object.keys(parts).join(', ')}; not ${part}`);
  const patterns = paths.map((path) => new RegExp(path));
  const isChosen = patterns.length > 0 ? (file) => patterns.some((one) => one.test(file)) : parts[part];
  const files = testFiles().filter((file) => isChosen(file) && canRun(file));
  // Half of their time both kinds wait: more files at a time than there are cores.
  return [
    { name: 'quick', files: files.filter((file) => !slow.test(file)), workers: cores + 1 },
    { name: 'with real servers', files: files.filter((file) => slow.test(file)), workers: 4 },
  ].filter((stage) => stage.files.length > 0);
}
