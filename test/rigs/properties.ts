// Properties hold for all runs; a usual test run plays a quarter of them, from a seed that `npm test` prints
// (STANDFAST_TEST_SEED plays it again). STANDFAST_FULL=1 plays all.
import { default as fc } from 'fast-check';

const { STANDFAST_TEST_FULL, STANDFAST_TEST_SEED } = process.env;
export const isFull = STANDFAST_TEST_FULL === '1';

/** How many of these to play now. */
export const runs = (whole: number): number => (isFull ? whole : Math.ceil(whole / 4));

fc.configureGlobal({
  numRuns: runs(100),
  ...(STANDFAST_TEST_SEED !== undefined && { seed: Number(STANDFAST_TEST_SEED) }),
});

export { default as fc } from 'fast-check';
