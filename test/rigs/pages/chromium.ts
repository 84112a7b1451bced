import { existsSync } from 'node:fs';

/** Debian's shell without windows first: a page in it takes a third to two thirds of the CPU. */
const usual = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser of the journeys, as STANDFAST_TEST_CHROMIUM names it, or an installed one. */
export const findChromium = (): string | undefined =>
  process.env['STANDFAST_TEST_CHROMIUM'] ?? usual.find((path) => existsSync(path));
