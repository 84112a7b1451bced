// An embedded database in memory, from a dump where `npm test` made one: setting one up from nothing takes seconds of CPU,
// and most test files want one.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { embeddedOptions } from '../../../src/store/database/embedded.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { ColumnKeys } from '../../../src/store/sealed-columns.ts';
import type { Store } from '../../../src/store/store.ts';

/** A fresh database in memory, with all tables where there is a dump. */
export async function openMemoryDatabase(): Promise<PGlite> {
  const dump = process.env['HOLDPOINT_TEST_PGLITE'];
  const start = dump === undefined ? {} : { loadDataDir: new Blob([await readFile(dump)]) };
  return PGlite.create({ ...embeddedOptions, ...start });
}

/** A fresh store in memory. */
export const openMemoryStore = async (keys?: ColumnKeys): Promise<Store> =>
  openStore({ pglite: await openMemoryDatabase(), ...(keys && { keys }) });

/** Writes the dump of a directory that holds an empty database. */
export async function dumpDatabase(emptyDir: string, file: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdpoint-dump-'));
  try {
    await cp(emptyDir, dataDir, { recursive: true });
    const pglite = await PGlite.create({ dataDir, ...embeddedOptions });
    const dump = await pglite.dumpDataDir('none');
    await writeFile(file, Buffer.from(await dump.arrayBuffer()));
    await pglite.close();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
