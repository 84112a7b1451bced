import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from './errno.ts';

/** Enough to notice a full disk. */
const probeBytes = 64 * 1024;

/** Makes a data directory and writes to it once: better refused here than by whichever part happens to write first. */
export function prepareDataDir(dir: string): void {
  const probe = join(dir, `.probe-${process.pid}`);
  try {
    // It holds conversations, and keys to secrets and links; a directory made by hand keeps its access.
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(probe, Buffer.alloc(probeBytes));
    } finally {
      rmSync(probe, { force: true });
    }
  } catch (error) {
    throw new Error(`the data directory ${dir} cannot be written (${errorText(error)}); --data-dir names another one`, {
      cause: error,
    });
  }
}
