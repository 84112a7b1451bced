// Chance in property tests: what goes wrong is decided as it is met, and one seed decides it all again.

export interface Luck {
  /** The next number below this. */
  below(limit: number): number;
}

/** Numbers that a seed makes (mulberry32). */
export function luckOf(seed: number): Luck {
  let state = seed;
  return {
    below(limit) {
      state = (state + 0x6d_2b_79_f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return limit <= 0 ? 0 : ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}
