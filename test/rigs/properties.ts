// Properties hold for all runs; a usual test run plays a quarter of them, from a seed that `npm test` prints
// (STANDFAST_TEST_SEED plays it again). STANDFAST_FULL=1 and the night play all.
import { default as fc } from 'fast-check';

const { STANDFAST_TEST_FULL, STANDFAST_TEST_SEED } = process.env;
export const isFull = STANDFAST_TEST_FULL === '1';

/** How many of these to play now. */
export const runs = (whole: number): number => (isFull ? whole : Math.ceil(whole / 4));

/**
 * One of each four in a row: the turn says which, and each four takes the next place in it, so that a list that counts
 * through other lists (pages × widths × schemes) has something of each of those. Four turns have all. No turn: all at once.
 */
export function sampleAt<T>(list: readonly T[], turn: number | null): T[] {
  if (turn === null) return [...list];
  return list.filter((_, at) => {
    const four = Math.floor(at / 4);
    const size = Math.min(4, list.length - 4 * four);
    return at % 4 === (turn + four) % size;
  });
}

/** The turn that a run with this seed has. */
export const turnOf = (seed: string | undefined): number => (Number(seed ?? 0) >>> 0) % 4;

/** The quarter of a list of combinations that this run plays; all of it in a full run. */
export const sample = <T>(list: readonly T[]): T[] => sampleAt(list, isFull ? null : turnOf(STANDFAST_TEST_SEED));

fc.configureGlobal({
  numRuns: runs(100),
  ...(STANDFAST_TEST_SEED !== undefined && { seed: Number(STANDFAST_TEST_SEED) }),
});

export { default as fc } from 'fast-check';
