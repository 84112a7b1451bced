// The database that a first start of `up` copies: what making it takes, the build has spent.
import { rm } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migratePglite } from './migrate.ts';
import { embeddedOptions } from './embedded.ts';

/** Makes a directory with all tables and nothing in them. */
export async function makeEmptyDatabase(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  const pglite = await PGlite.create({ dataDir: dir, ...embeddedOptions });
  await migratePglite(drizzle(pglite), () => undefined);
  // Each is another copy of the catalog; nothing here ever makes a second database.
  for (const name of ['template0', 'template1']) {
    await pglite.query('update pg_database set datistemplate = false where datname = $1', [name]);
    await pglite.exec(`drop database ${name}`);
  }
  await pglite.close();
}
