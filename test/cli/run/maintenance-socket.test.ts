import { mkdtemp, rm, stat, writeFile, mkdir } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askRunning, serveMaintenance } from '../../../src/cli/run/maintenance-socket.ts';
import type { Store } from '../../../src/store/store.ts';
import { liveThrough } from '../../store/evidence/lives.ts';
import { openMemoryStore } from '../../rigs/store/memory-store.ts';

let dir = '';
let store: Store;
let end: () => Promise<void>;
const socket = (): string => join(dir, 'maintenance.sock');

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'standfast-socket-'));
  store = await openMemoryStore();
  // As a process that was killed leaves it.
  await writeFile(socket(), '');
  end = await serveMaintenance(dir, store, null);
});
afterAll(async () => {
  await end();
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

/** What comes back for a line. */
async function replyTo(line: string): Promise<unknown> {
  const connection = createConnection(socket());
  connection.write(`${line}\n`);
  return JSON.parse(await text(connection));
}

// Promise E8
describe('the socket of a running up', () => {
  test('the socket of a running up is its owner’s alone, and takes the place of one that a killed process left', async () => {
    const { mode } = await stat(socket());
    expect((mode & 0o777).toString(8)).toBe('600');
    expect(process.umask()).not.toBe(0o177);
  });

  test('the socket of a running up gives the lines of an export as they are, and then its end', async () => {
    const holdId = await liveThrough(store);
    const lines: unknown[] = [];
    const ask = { kind: 'export', of: { holdId } } as const;
    expect(await askRunning(dir, 1, ask, (line) => lines.push(line))).toBeNull();
    const here: unknown[] = [];
    await store.evidence.export({ holdId }, (line) => here.push(line));
    expect(lines).toEqual(here);
    expect(lines.length).toBeGreaterThan(3);
  });

  test.each([
    ['no JSON', 'verify'],
    ['a command there is none of', '{"kind":"drop"}'],
    ['one with a field too many', '{"kind":"erase-user","user":"anna","and":"bea"}'],
  ])('the socket of a running up refuses %s, and answers the next', async (_what, line) => {
    expect(await replyTo(line)).toEqual({ error: expect.any(String) });
    expect(await replyTo('{"kind":"verify","range":{},"heads":[]}')).toMatchObject({ result: { faults: [] } });
  });

  test('the socket of a running up is refused where its path is longer than a socket’s may be, instead of lying somewhere else', async () => {
    const long = join(dir, 'a'.repeat(100));
    await mkdir(long);
    await expect(serveMaintenance(long, store, null)).rejects.toThrow('too long for a socket');
    const ask = { kind: 'erase-user', user: 'anna' } as const;
    await expect(askRunning(long, 1, ask, () => undefined)).rejects.toThrow('too long for a socket');
  });
});
