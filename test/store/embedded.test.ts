import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openEmbedded } from '../../src/store/database/embedded.ts';
import { root } from '../source-tree.ts';

const empty = join(root, 'dist/empty-database');
let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'standfast-embedded-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function valueOf(dataDir: string, query: string, from = empty): Promise<unknown> {
  const pglite = await openEmbedded(dataDir, from);
  try {
    const { rows } = await pglite.query<{ value: unknown }>(query);
    return rows[0]?.value;
  } finally {
    await pglite.close();
  }
}

// Promise ST1
test('a first start of the embedded database copies the one that the build made, with all its tables', async () => {
  expect(await valueOf(join(dir, 'first'), 'select count(*)::int as value from holds')).toBe(0);
});

// Promise ST1
test('the empty database opens where a package manager unpacked its files and not its empty directories', async () => {
  const unpacked = join(dir, 'unpacked');
  for (const entry of await readdir(empty, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(unpacked, relative(empty, join(entry.parentPath, entry.name)));
    await mkdir(dirname(path), { recursive: true });
    await cp(join(entry.parentPath, entry.name), path);
  }
  const dataDir = join(dir, 'of a package');
  expect(await valueOf(dataDir, 'select count(*)::int as value from holds', unpacked)).toBe(0);
  expect(await readdir(dataDir)).not.toContain('empty-entries.json');
});

// Promise ST1
test('a copy of the empty database that was cut off is made again, and never opened', async () => {
  const dataDir = join(dir, 'cut-off');
  await mkdir(`${dataDir}.draft/base`, { recursive: true });
  await writeFile(`${dataDir}.draft/PG_VERSION`, '9');
  expect(await valueOf(dataDir, 'select count(*)::int as value from holds')).toBe(0);
  expect(existsSync(`${dataDir}.draft`)).toBe(false);
});

// Promise ST1
test('an embedded database that is there already is opened as it is', async () => {
  const dataDir = join(dir, 'again');
  await valueOf(dataDir, `create table kept as select 7 as value`);
  expect(await valueOf(dataDir, 'select value from kept')).toBe(7);
});

// Promise ST3
test('the embedded database keeps 16 MiB of buffers', async () => {
  expect(await valueOf(join(dir, 'buffers'), `select current_setting('shared_buffers') as value`)).toBe('16MB');
});
