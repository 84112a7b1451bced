import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errnoCode } from './errno.ts';
import { processStart } from './process-identity.ts';
import { parseJson } from '../../core/base/json.ts';

export interface HeldLock {
  release(): void;
}

interface LockHolder {
  pid: number;
  /** ISO time at which the lock was taken. */
  startedAt: string;
}

const LockSchema = z.object({ pid: z.int(), processStart: z.string(), startedAt: z.string(), nonce: z.string() });

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoCode(error) === 'ENOENT') return null;
    throw error;
  }
};

const discard = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoCode(error) !== 'ENOENT') throw error;
  }
};

/** True when `to` was free and is now a name of `from` (one atomic step, content included). */
const tryLink = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errnoCode(error) === 'EEXIST') return false;
    throw error;
  }
};

async function liveHolder(text: string): Promise<LockHolder | null> {
  const lock = LockSchema.safeParse(parseJson(text)).data;
  // Torn by a power cut: no living process writes such a lock, since locks appear whole.
  if (lock === undefined) return null;
  return (await processStart(lock.pid)) === lock.processStart ? { pid: lock.pid, startedAt: lock.startedAt } : null;
}

/**
 * Takes the lock `name` in a directory (made if missing), or tells which live process holds it. A lock whose process
 * is gone, or whose pid belongs to another process by now, is taken over.
 */
export async function acquireLock(dir: string, name: string): Promise<HeldLock | { heldBy: LockHolder }> {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, name);
  const nonce = randomUUID();
  const own = `${path}.${nonce}`;
  const start = (await processStart(process.pid)) ?? '';
  const startedAt = new Date().toISOString();
  writeFileSync(own, JSON.stringify({ pid: process.pid, processStart: start, startedAt, nonce }));
  try {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      if (tryLink(own, path)) {
        const release = (): void => {
          if (read(path)?.includes(nonce)) discard(path);
        };
        return { release };
      }
      const found = read(path);
      if (found === null) continue;
      const holder = await liveHolder(found);
      if (holder !== null) return { heldBy: holder };
      // Moved aside, not deleted: if another process took the stale lock over just now, this is its live one.
      const aside = `${own}.stale`;
      try {
        renameSync(path, aside);
      } catch (error) {
        if (errnoCode(error) === 'ENOENT') continue;
        throw error;
      }
      if (read(aside) !== found) tryLink(aside, path);
      discard(aside);
    }
    throw new Error(`the lock ${path} changes hands without end`);
  } finally {
    discard(own);
  }
}
