import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { openStore } from '../../../src/store/open-store.ts';
import type { VerifiedEvidence } from '../../../src/store/ports/evidence.ts';
import { createDatabase, dropDatabase } from '../../rigs/process/postgres.ts';
import { isFull } from '../../rigs/properties.ts';
import { prepareDataDir } from '../../rigs/store/memory-store.ts';

const serverUrl = process.env['STANDFAST_TEST_PG'];
const rounds = isFull ? 10 : 2;

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a process that writes, and kills it as soon as it has reported so often that a round is done. */
async function writeUntilKilled(where: string, afterRounds: number): Promise<void> {
  const program = join(import.meta.dirname, '../../store/evidence/live-until-killed.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', program, where], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  const gone = once(child, 'exit');
  let lineCount = 0;
  child.stdout.on('data', (text: Buffer) => {
    lineCount += text.length;
    // The next round is on its way: it is cut off wherever it is.
    if (lineCount >= afterRounds) child.kill('SIGKILL');
  });
  expect(await gone).toEqual([null, 'SIGKILL']);
  running.delete(child);
}

async function verified(options: { databaseUrl: string } | { dataDir: string }): Promise<VerifiedEvidence> {
  const store = await openStore(options);
  try {
    return await store.evidence.verify({});
  } finally {
    await store.close();
  }
}

// Promise E3
describe('the evidence of processes that were killed', () => {
  test('the evidence of processes that were killed verifies when two of them wrote into one database at once', async () => {
    if (serverUrl === undefined) return;
    const databaseUrl = await createDatabase(serverUrl, process.env['STANDFAST_TEST_PG_TEMPLATE']);
    try {
      for (let round = 1; round <= rounds; round += 1)
        await Promise.all([writeUntilKilled(databaseUrl, round), writeUntilKilled(databaseUrl, 2 * round)]);
      const { faults, records } = await verified({ databaseUrl });
      expect(faults).toEqual([]);
      expect(records).toBeGreaterThan(rounds * 3 * 8);
    } finally {
      await dropDatabase(databaseUrl);
    }
  });

  test('the evidence of processes that were killed verifies on the embedded database', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'standfast-evidence-'));
    try {
      const dataDir = join(dir, 'pglite');
      await prepareDataDir(dataDir);
      for (let round = 1; round <= Math.min(rounds, 3); round += 1) await writeUntilKilled(dataDir, round);
      const { faults, records } = await verified({ dataDir });
      expect(faults).toEqual([]);
      expect(records).toBeGreaterThan(0);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
