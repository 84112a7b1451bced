// Doing one thing many times, so many at once, for no longer than so long.

/**
 * @typedef {{ done: string[], seconds: number, latenciesMs: number[] }} Block
 *
 * @param {string[]} names one for each time
 * @param {{ atOnce: number, limitMs: number }} bounds no new one is begun after the limit
 * @param {(name: string) => Promise<number>} act returns the latency that counts, in milliseconds
 * @returns {Promise<Block>}
 */
export async function repeat(names, { atOnce, limitMs }, act) {
  const startedAt = performance.now();
  const left = [...names];
  const done = [];
  const latenciesMs = [];
  const lane = async () => {
    for (;;) {
      const name = performance.now() - startedAt > limitMs ? undefined : left.shift();
      if (name === undefined) return;
      latenciesMs.push(await act(name));
      done.push(name);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { done, seconds: (performance.now() - startedAt) / 1000, latenciesMs };
}
