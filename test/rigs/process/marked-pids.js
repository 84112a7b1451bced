import { readdirSync, readFileSync } from 'node:fs';

/** Name of the environment variable that every process of a rig inherits. */
export const markName = 'STANDFAST_TEST_RIG';

/**
 * Process ids that carry a rig's mark: what it started, and what those started in turn, detached or not.
 * Reads /proc, so elsewhere than on Linux it finds nothing.
 * @param {string} mark
 * @returns {number[]}
 */
export function markedPids(mark) {
  const entry = `${markName}=${mark}`;
  return processIds().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(entry);
    } catch {
      return false;
    }
  });
}

function processIds() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}
