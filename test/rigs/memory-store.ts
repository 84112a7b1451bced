// An embedded database in memory, from a dump where `npm test` made one: setting one up from nothing takes seconds of CPU,
// and most test files want one.
import { readFile, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';

/** A fresh store in memory. */
export async function openMemoryStore(): Promise<Store> {
  const dump = process.env['HOLDPOINT_TEST_PGLITE'];
  if (dump === undefined) return openStore({});
  const pglite = await PGlite.create({ loadDataDir: new Blob([await readFile(dump)]) });
  return openStore({ pglite });
}

/** Makes what stores begin with, all tables and nothing in them: a directory, and a dump of it. */
export async function makeEmptyStore(dataDir: string, file: string): Promise<void> {
  const pglite = await PGlite.create({ dataDir });
  const store = await openStore({ pglite });
  const dump = await pglite.dumpDataDir('none');
  await writeFile(file, Buffer.from(await dump.arrayBuffer()));
  await store.close();
}
