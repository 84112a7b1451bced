// Embedded databases that begin as a copy, in memory or in a directory: making one from nothing takes seconds of CPU.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { copyDatabase, embeddedOptions } from '../../../src/store/database/embedded.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { ColumnKeys } from '../../../src/store/sealed-columns.ts';
import type { Store } from '../../../src/store/store.ts';
import { root } from '../../source-tree.ts';

/** A fresh database in memory, with all tables where there is a dump. */
export async function openMemoryDatabase(): Promise<PGlite> {
  const dump = process.env['STANDFAST_TEST_PGLITE'];
  const start = dump === undefined ? {} : { loadDataDir: new Blob([await readFile(dump)]) };
  return PGlite.create({ ...embeddedOptions, ...start });
}

/** A fresh store in memory. */
export const openMemoryStore = async (keys?: ColumnKeys): Promise<Store> =>
  openStore({ pglite: await openMemoryDatabase(), ...(keys && { keys }) });

/** What a first start of the built program leaves in its directory; from source it would make a database. */
export const prepareDataDir = (dataDir: string): Promise<void> =>
  copyDatabase(join(root, 'dist/empty-database'), dataDir);

/** Writes the dump of a directory that holds an empty database. */
export async function dumpDatabase(emptyDir: string, file: string): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'standfast-dump-'));
  const dataDir = join(dir, 'pglite');
  try {
    await copyDatabase(emptyDir, dataDir);
    const pglite = await PGlite.create({ dataDir, ...embeddedOptions });
    const dump = await pglite.dumpDataDir('none');
    await writeFile(file, Buffer.from(await dump.arrayBuffer()));
    await pglite.close();
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
