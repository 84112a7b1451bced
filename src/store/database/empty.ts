import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migratePglite } from './migrate.ts';
import { type EmptyEntries, embeddedOptions, emptyEntriesFile } from './embedded.ts';

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
  const files = await takeOutEmptyFiles(dir);
  const entries: EmptyEntries = { directories: await directoriesWithoutFiles(dir), files };
  await writeFile(join(dir, emptyEntriesFile), JSON.stringify(entries));
}

/** Returns their paths; a copy makes them again. */
async function takeOutEmptyFiles(dir: string): Promise<string[]> {
  const taken: string[] = [];
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || (await stat(path)).size > 0) continue;
    await rm(path);
    taken.push(path);
  }
  return named(dir, taken);
}

const named = (dir: string, paths: readonly string[]): string[] =>
  paths.map((path) => relative(dir, path).split(sep).join('/')).toSorted();

async function directoriesWithoutFiles(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const filled = new Set(entries.map(({ parentPath }) => parentPath));
  const directories = entries
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  return named(
    dir,
    directories.filter((path) => !filled.has(path)),
  );
}
