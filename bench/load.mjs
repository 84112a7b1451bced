// Doing one thing many times, so many at once, for no longer than so long.
import { percentile } from './numbers.mjs';

/**
 * @typedef {{ done: string[], seconds: number, latenciesMs: number[] }} Block
 *
 * @param {string[]} names one for each time
 * @param {{ atOnce: number, limitMs?: number }} bounds no new one is begun after the limit
 * @param {(name: string) => Promise<number>} act returns the latency that counts, in milliseconds
 * @returns {Promise<Block>}
 */
export async function repeat(names, { atOnce, limitMs = Number.POSITIVE_INFINITY }, act) {
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

/** @param {{ latenciesMs: number[] }} block */
export const times = ({ latenciesMs }) => ({ p50: percentile(latenciesMs, 0.5), p99: percentile(latenciesMs, 0.99) });
