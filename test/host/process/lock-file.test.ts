import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { acquireLock, type HeldLock } from '../../../src/host/process/lock-file.ts';
import { processStart } from '../../../src/host/process/process-identity.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'standfast-lock-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function held(): Promise<HeldLock> {
  const lock = await acquireLock(dir, 'data.lock');
  if ('heldBy' in lock) throw new Error(`held by ${lock.heldBy.pid}`);
  return lock;
}
const aLock = (pid: number, start: string | null): string =>
  JSON.stringify({ pid, processStart: start, startedAt: '2026-01-01T00:00:00.000Z', nonce: 'n' });

describe('a lock', () => {
  test('a lock is held by one at a time, and the other learns by whom', async () => {
    await held();
    expect(await acquireLock(dir, 'data.lock')).toEqual({
      heldBy: { pid: process.pid, startedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
  });

  test('a lock is free again after release, and nothing is left behind', async () => {
    (await held()).release();
    expect(readdirSync(dir)).toEqual([]);
    await held();
  });

  test('a lock is respected while another process holds it, and taken over when that process is killed', async () => {
    const other = spawn('sleep', ['60']);
    await once(other, 'spawn');
    writeFileSync(join(dir, 'data.lock'), aLock(other.pid!, await processStart(other.pid!)));
    expect(await acquireLock(dir, 'data.lock')).toMatchObject({ heldBy: { pid: other.pid } });
    other.kill('SIGKILL');
    await once(other, 'exit');
    await held();
  });

  test('a lock of a pid that is another process by now is taken over', async () => {
    writeFileSync(join(dir, 'data.lock'), aLock(process.pid, 'started long ago'));
    await held();
  });

  test.each(['', '{"pid":', 'null'])('a lock that was torn (%j) is taken over', async (text) => {
    writeFileSync(join(dir, 'data.lock'), text);
    await held();
  });

  test('a lock wanted by many at once is had by one', async () => {
    writeFileSync(join(dir, 'data.lock'), aLock(2_147_483_000, 'gone'));
    const all = await Promise.all(Array.from({ length: 20 }, () => acquireLock(dir, 'data.lock')));
    expect(all.filter((lock) => 'release' in lock)).toHaveLength(1);
  });

  test('a lock is not taken from its next holder by a late release', async () => {
    const first = await held();
    rmSync(join(dir, 'data.lock'));
    await held();
    first.release();
    expect(await acquireLock(dir, 'data.lock')).toHaveProperty('heldBy');
  });
});
