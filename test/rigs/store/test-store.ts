// A fresh store of a test's own: a database on the server of `npm test`, copied from a template in a tenth of a second, or PGlite
// where there is no server. PGlite costs seconds of CPU to start; what must hold on it says so by `onEachDatabase`.
import { openStore } from '../../../src/store/open-store.ts';
import type { ColumnKeys } from '../../../src/store/sealed-columns.ts';
import type { Store } from '../../../src/store/store.ts';
import { openMemoryStore } from './memory-store.ts';
import { createDatabase, dropDatabase } from '../process/postgres.ts';

/** Goes away when it is closed. */
export async function openTestStore(keys?: ColumnKeys): Promise<Store & { databaseUrl?: string }> {
  const server = process.env['STANDFAST_TEST_PG'];
  if (server === undefined) return openMemoryStore(keys);
  const databaseUrl = await createDatabase(server, process.env['STANDFAST_TEST_PG_TEMPLATE']);
  const store = await openStore({ databaseUrl, ...(keys && { keys }) });
  const close = async (): Promise<void> => {
    await store.close();
    await dropDatabase(databaseUrl);
  };
  return { ...store, close, databaseUrl };
}
