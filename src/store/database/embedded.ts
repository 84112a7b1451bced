// PGlite as Holdpoint runs it. Two of its defaults cost more memory than the rest of the program: PostgreSQL's 128 MiB of
// buffers, all touched at the start, and the making of a new database, which takes two more engines and seconds of CPU.
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';

const settings = { shared_buffers: '16MB', wal_buffers: '1MB' };

export const embeddedOptions = {
  startParams: [
    ...PGlite.defaultStartParams,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ],
  // Else the log of an empty database takes 16 MiB, and must be written at every first start.
  initDbStartParams: ['--wal-segsize=1'],
} satisfies PGliteOptions;

/** Made by the build (scripts/build.mjs); not there when the program runs from source. */
const prepared = fileURLToPath(new URL('../../empty-database', import.meta.url));

/** Lists the directories that hold nothing: PostgreSQL does not start without them, and a package on npm holds files alone. */
export const emptyDirectories = 'empty-directories.json';

/**
 * How much of it a function of PostgreSQL must run before V8 compiles it anew at its best: by default nearly all that a start
 * runs once, for 0.2 s of CPU and 25 MiB; what every statement runs is compiled soon all the same.
 */
const tieringBudget = 60_000_000;

/** Opens PGlite in a directory (created when missing), or in memory. */
export async function openEmbedded(dataDir: string | undefined, empty = prepared): Promise<PGlite> {
  setFlagsFromString(`--wasm-tiering-budget=${tieringBudget}`);
  if (dataDir === undefined) return PGlite.create(embeddedOptions);
  const dir = resolve(dataDir);
  if ((await entriesOf(dir)).length === 0 && (await entriesOf(empty)).length > 0) await copyDatabase(empty, dir);
  await mkdir(dir, { recursive: true });
  return PGlite.create({ dataDir: dir, ...embeddedOptions });
}

async function entriesOf(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Under its name only when whole: a copy that was cut off is never taken for a database. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const draft = `${to}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(dirname(to), { recursive: true });
  await cp(from, draft, { recursive: true });
  const list = join(draft, emptyDirectories);
  const names = JSON.parse(await readFile(list, 'utf8')) as string[];
  for (const name of names) await mkdir(join(draft, name), { recursive: true });
  await rm(list);
  await rename(draft, to);
}
