import { readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migratePglite } from './migrate.ts';
import { embeddedOptions, emptyDirectories } from './embedded.ts';

/** Creates a migrated database without rows in a directory, which the first start of `up` copies; run by the build. */
export async function makeEmptyDatabase(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  const pglite = await PGlite.create({ dataDir: dir, ...embeddedOptions });
  await migratePglite(drizzle(pglite), () => undefined);
  // Each template is a copy of the catalog, needed only to create further databases.
  for (const name of ['template0', 'template1']) {
    await pglite.query('update pg_database set datistemplate = false where datname = $1', [name]);
    await pglite.exec(`drop database ${name}`);
  }
  await pglite.close();
  await writeFile(join(dir, emptyDirectories), JSON.stringify(await directoriesWithoutFiles(dir)));
}

async function directoriesWithoutFiles(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const filled = new Set(entries.map(({ parentPath }) => parentPath));
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !filled.has(path))
    .map((path) => relative(dir, path).split(sep).join('/'))
    .toSorted();
}
