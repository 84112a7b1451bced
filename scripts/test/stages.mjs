// Which test files run, and in which stages: the quick ones, and after them those with real servers and processes.
import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { readMarks, readPromises } from '../spec.mjs';
import { readDurations } from './durations.mjs';
import { isWithoutPython, needsOthers } from './others.mjs';
import { needsServers, partsOf, playsSamples } from './parts.mjs';
import { withPython } from './python-files.mjs';
import { isCi, root } from './servers.mjs';

const withChromium = /^test\/journeys\/(deciding\/|hold-page\/|inbox\/|pages\/|callers\/(copilotkit|front-ends))/;
const { findChromium } = await tsImport('../../test/rigs/pages/chromium.ts', import.meta.url);
/** In CI its absence fails the journeys. */
export const isWithoutChromium = !isCi && findChromium() === undefined;
const cores = availableParallelism();

export const testFiles = (dir = 'test') =>
  readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = `${dir}/${entry.name}`;
    return entry.isDirectory() ? testFiles(path) : path.endsWith('.test.ts') ? [path] : [];
  });

const canRun = (file) =>
  !(isWithoutPython && new RegExp(withPython).test(file)) && !(isWithoutChromium && withChromium.test(file));

// Both kinds wait for some two thirds of their time: more files at a time than there are cores. A worker loads all modules for
// itself, so many cores get few more for quick files.
const quick = (files) => ({ name: 'quick', files, workers: cores + 2 });
const withServers = (name, files) => ({ name, files, workers: 2 * cores + 1 });

const parts = {
  /** `npm test`: what a contributor runs. */
  first: (all) => [quick(all.quick), withServers('first journeys', all.first)],
  /** `npm run test:ci`: what must pass before a change is taken. */
  ci: (all) => [quick(all.quick), withServers('journeys', [...all.first, ...all.rest])],
  /** `npm run test:nightly`: the journeys that are left, and whole those that play a part of theirs before a change. */
  night: (all) => [withServers('journeys of the night', [...all.night, ...all.again])],
  /** `npm run test:full`. */
  full: (all) => [quick(all.quick), withServers('journeys', [...all.first, ...all.rest, ...all.night])],
};

/** All test files by where they run. */
export const readParts = () =>
  partsOf({
    files: testFiles(),
    durations: readDurations(),
    promises: readPromises(),
    marks: readMarks(),
    needsOthers,
    isSampled: (file) => playsSamples(readFileSync(join(root, file), 'utf8')),
  });

/** The files that `part` (first, ci, night, full) or the patterns in `paths` choose, in their stages. */
export function stagesOf(part, paths) {
  if (!(part in parts)) throw new Error(`--part is one of ${Object.keys(parts).join(', ')}; not ${part}`);
  const patterns = paths.map((path) => new RegExp(path));
  const named = () => testFiles().filter((file) => patterns.some((one) => one.test(file)));
  const stages =
    patterns.length === 0
      ? parts[part](readParts())
      : [
          quick(named().filter((file) => !needsServers(file))),
          withServers('with real servers', named().filter(needsServers)),
        ];
  return stages
    .map((stage) => ({ ...stage, files: stage.files.filter(canRun) }))
    .filter((stage) => stage.files.length > 0);
}
