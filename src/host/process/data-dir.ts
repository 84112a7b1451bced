import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from './errno.ts';

/** Enough to notice a full disk. */
const probeBytes = 64 * 1024;
const ofOthers = 0o077;
const writableByOthers = 0o022;

/** Makes a data directory and writes to it once: better refused here than by whichever part happens to write first. */
export function prepareDataDir(dir: string): void {
  // Whatever is made from here on, by Temporal and the database too, is for this user alone.
  process.umask(0o077);
  const probe = join(dir, `.probe-${process.pid}`);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    closeToOthers(dir);
    try {
      writeFileSync(probe, Buffer.alloc(probeBytes));
    } finally {
      rmSync(probe, { force: true });
    }
  } catch (error) {
    if (error instanceof ForeignDirectory) throw error;
    throw new Error(`the data directory ${dir} cannot be written (${errorText(error)}); --data-dir names another one`, {
      cause: error,
    });
  }
}

class ForeignDirectory extends Error {}

/** It holds conversations, the database, and keys to secrets and links: only its own user may read or write them. */
function closeToOthers(dir: string): void {
  const own = process.geteuid?.();
  // A system without users and modes.
  if (own === undefined) return;
  const { uid, mode } = statSync(dir);
  if (uid !== own) {
    throw new ForeignDirectory(
      `the data directory ${dir} belongs to user ${uid}, who can read and change all that is kept there; run as that user, or name another directory by --data-dir`,
    );
  }
  if ((mode & ofOthers) === 0) return;
  chmodSync(dir, mode & ~ofOthers & 0o777);
  // Others could have put a file there that is believed later.
  const strange =
    (mode & writableByOthers) === 0 ? undefined : readdirSync(dir).find((name) => ownerOf(dir, name) !== own);
  if (strange === undefined) return;
  throw new ForeignDirectory(
    `${join(dir, strange)} belongs to another user, and the data directory was open to others; check and remove it, or name another directory by --data-dir`,
  );
}

const ownerOf = (dir: string, name: string): number => statSync(join(dir, name), { throwIfNoEntry: false })?.uid ?? -1;
