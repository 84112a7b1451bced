// Opens PGlite with smaller buffers than PostgreSQL's default of 128 MiB, all of which it touches at start, and from a
// prepared empty database, since initdb takes two more engines and seconds of CPU.
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';

const settings = { shared_buffers: '16MB', wal_buffers: '1MB' };

const bytea = 17;

/** PGlite writes and reads bytes one by one, 0.2 to 0.7 s for one megabyte, on the event loop. */
const bytes = {
  serializers: {
    [bytea]: (value: unknown): string => {
      if (!(value instanceof Uint8Array)) throw new TypeError('expected bytes');
      return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
    },
  },
  parsers: { [bytea]: (text: string): Uint8Array => Buffer.from(text.slice(2), 'hex') },
};

export const embeddedOptions = {
  ...bytes,
  startParams: [
    ...PGlite.defaultStartParams,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ],
  // The default segment would make the first start write a WAL of 16 MiB.
  initDbStartParams: ['--wal-segsize=1'],
} satisfies PGliteOptions;

/** Created by the build (scripts/build.mjs); absent when running from source. */
const prepared = fileURLToPath(new URL('../../empty-database', import.meta.url));

/** File that lists what is empty: directories, which an npm package cannot contain, and files, a quarter of all. */
export const emptyEntriesFile = 'empty-entries.json';

/** Paths below the database's directory. */
export interface EmptyEntries {
  directories: string[];
  files: string[];
}

/**
 * V8's threshold for optimising a WebAssembly function; the default would optimise what a start runs only once, for
 * 0.2 s of CPU and 25 MiB.
 */
const tieringBudget = 60_000_000;

/** Opens PGlite in a directory, created from the prepared database if missing or empty, or in memory. */
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

/** Copies a prepared database and renames it when complete, so that a partial copy is never opened. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const draft = `${to}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(dirname(to), { recursive: true });
  await cp(from, draft, { recursive: true });
  const list = join(draft, emptyEntriesFile);
  const { directories, files } = JSON.parse(await readFile(list, 'utf8')) as EmptyEntries;
  for (const name of directories) await mkdir(join(draft, name), { recursive: true });
  for (const name of files) await writeFile(join(draft, name), '');
  await rm(list);
  await rename(draft, to);
}
