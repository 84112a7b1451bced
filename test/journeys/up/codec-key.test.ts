import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDatabase, readSettings } from '../../../src/cli/run/settings.ts';
import { createLogger } from '../../../src/host/process/log.ts';
import { useColumnKeys } from '../../../src/store/sealed-columns.ts';
import type { Store } from '../../../src/store/store.ts';
import { aTask } from '../../store/stores.ts';
import { prepareDataDir } from '../../rigs/store/memory-store.ts';
import { PGlite } from '@electric-sql/pglite';
import { embeddedOptions } from '../../../src/store/database/embedded.ts';

const [one, two] = ['ab'.repeat(32), 'cd'.repeat(32)];

let dir = '';
let before: NodeJS.ProcessEnv;
beforeEach(async () => {
  before = { ...process.env };
  dir = join(mkdtempSync(join(tmpdir(), 'standfast-codec-')), 'pglite');
  await prepareDataDir(dir);
});
afterEach(() => {
  process.env = before;
  useColumnKeys(null);
  rmSync(join(dir, '..'), { recursive: true, force: true });
});

/** Opens and closes the database as an api, a worker or a command does; returns the error's message, or null. */
async function started(key?: string, old?: string, work = async (_store: Store) => {}): Promise<string | null> {
  delete process.env['STANDFAST_CODEC_KEY'];
  delete process.env['STANDFAST_CODEC_KEY_OLD'];
  if (key !== undefined) process.env['STANDFAST_CODEC_KEY'] = key;
  if (old !== undefined) process.env['STANDFAST_CODEC_KEY_OLD'] = old;
  const log = createLogger({ level: 'error', name: 'test', isPretty: false });
  try {
    const store = await openDatabase(readSettings({}).environment, { dataDir: dir }, log);
    try {
      await work(store);
    } finally {
      await store.close();
    }
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a database encrypted with a key', () => {
  test('a database encrypted with a key refuses a process without that key at its start, and says what to do without naming a key', async () => {
    expect(await started()).toBeNull();
    expect(await started(one)).toBeNull();
    for (const refused of [await started(), await started(two)]) {
      expect(refused).toContain('this database is encrypted with the key');
      expect(refused).toContain('Give the same STANDFAST_CODEC_KEY to every api, worker and command');
      expect(refused).not.toContain(one);
      expect(refused).not.toContain(two);
    }
    expect(await started()).toContain('STANDFAST_CODEC_KEY is missing');
  });

  test('a database encrypted with a key takes the three steps of a rotation, and lets the earlier key go by the statement it names', async () => {
    expect(await started(one)).toBeNull();
    expect(await started(one, two)).toBeNull();
    expect(await started(two, one)).toBeNull();
    // A process that is still in the second step goes on.
    expect(await started(one, two)).toBeNull();
    const refused = (await started(two)) ?? '';
    const statement = /`(delete from [^`]+)`/.exec(refused)?.[1] ?? '';
    const guide = new URL('../../../docs/operate/encryption.md', import.meta.url);
    const generic = statement.replace(/:[0-9a-f]{8}/, ':ID');
    expect(readFileSync(guide, 'utf8').replaceAll(/\s+/g, ' ')).toContain(generic);
    const pglite = await PGlite.create({ dataDir: dir, ...embeddedOptions });
    await pglite.exec(statement);
    await pglite.close();
    expect(await started(two)).toBeNull();
  });
});

describe('a database that was written without a key', () => {
  test('a database that was written without a key is opened with one only by who says that it has text in clear', async () => {
    const task = aTask();
    const titles = async ({ tasks }: Store): Promise<void> => {
      expect((await tasks.list({})).items.map(({ title }) => title)).toEqual(['Book a trip']);
    };
    await started(undefined, undefined, async ({ tasks }) => {
      await tasks.put(task, '2029-01-01T00:00:00.000Z', { title: 'Book a trip', restartOf: null });
    });
    expect(await started(one)).toContain('STANDFAST_CODEC_CLEAR=true');
    process.env['STANDFAST_CODEC_CLEAR'] = 'true';
    expect(await started(one, undefined, titles)).toBeNull();
    delete process.env['STANDFAST_CODEC_CLEAR'];
    expect(await started(one, undefined, titles)).toContain('(cannot be read)');
  });
});
