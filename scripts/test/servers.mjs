// What the tests run against, started once for all files of a run: Temporal, PostgreSQL, and an empty embedded database.
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const isCi = /^(1|true)$/i.test(process.env.CI ?? '');

/** The environment of the tests: nothing of the user's own Temporal, database or settings reaches them. */
function ownEnvironment(isNight) {
  const foreign = /^(TEMPORAL_(?!CLI$)|STANDFAST_(?!TEST_)|DATABASE_URL$)/;
  const seed = process.env.STANDFAST_TEST_SEED ?? String(randomInt(2 ** 31));
  const isFull = isNight || process.env.STANDFAST_FULL === '1';
  console.log(`properties: ${isFull ? 'all runs' : 'a quarter of their runs'}, STANDFAST_TEST_SEED=${seed}`);
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
    STANDFAST_TEST_SEED: seed,
    ...(isFull && { STANDFAST_TEST_FULL: '1' }),
  };
}

async function findTemporal(env) {
  const { resolveTemporal } = await import('../../dist/host/temporal/temporal-cli.js');
  const found = await resolveTemporal({ env, onProgress: (message) => console.log(`  ${message}`) });
  if (found.use !== 'cli') throw new Error('the tests need the Temporal CLI itself');
  console.log(`Temporal CLI: ${found.path} (${found.from})`);
  return found.path;
}

/** An address that was given, else a throwaway server; null where none is installed, which CI does not accept. */
async function startDatabase(env) {
  const given = env.STANDFAST_TEST_PG;
  if (given) return { url: given, stop: async () => {} };
  const { startPostgres } = await tsImport('../../test/rigs/process/postgres.ts', import.meta.url);
  try {
    const server = await startPostgres();
    console.log('PostgreSQL: a throwaway server');
    return server;
  } catch (error) {
    if (isCi) throw error;
    console.log(`PostgreSQL: none (${error.message}); the tests that need it are skipped`);
    return null;
  }
}

/** What the tests' embedded databases begin with; made once, as each would take seconds of CPU. */
async function dumpEmptyDatabase(dir) {
  const { dumpDatabase } = await tsImport('../../test/rigs/store/memory-store.ts', import.meta.url);
  const file = join(dir, 'empty-database.tar');
  await dumpDatabase(join(root, 'dist/empty-database'), file);
  return { STANDFAST_TEST_PGLITE: file };
}

/** A database with all tables on the server, that the tests' own are copied from. */
async function prepareTemplate(serverUrl) {
  const { createDatabase } = await tsImport('../../test/rigs/process/postgres.ts', import.meta.url);
  const { openStore } = await import('../../dist/store/open-store.js');
  const databaseUrl = await createDatabase(serverUrl);
  const store = await openStore({ databaseUrl });
  await store.close();
  return { STANDFAST_TEST_PG: serverUrl, STANDFAST_TEST_PG_TEMPLATE: new URL(databaseUrl).pathname.slice(1) };
}

/** One server for all files that bring no settings of their own; each takes a namespace of it. */
async function startTemporal() {
  const { createSupervisor } = await tsImport('../../test/rigs/process/supervisor.ts', import.meta.url);
  const { startTemporalServer } = await tsImport('../../test/rigs/process/temporal-server.ts', import.meta.url);
  const supervisor = createSupervisor();
  const port = await startTemporalServer(supervisor);
  return { variables: { STANDFAST_TEST_TEMPORAL: String(port) }, stop: () => supervisor.end() };
}

/**
 * Starts the servers, calls `use` with the environment of the tests and a directory for reports, and stops the servers. At night
 * all runs of properties are played, and all combinations that other runs take a sample of.
 */
export async function withServers(use, isNight = false) {
  const env = ownEnvironment(isNight);
  const [temporal, database] = await Promise.all([findTemporal(env), startDatabase(env)]);
  const dir = mkdtempSync(join(tmpdir(), 'standfast-test-'));
  // Ctrl-C reaches jest too; we stay until it has ended, so that the database is stopped after it.
  const stay = () => {};
  process.on('SIGINT', stay);
  process.on('SIGTERM', stay);
  let server;
  try {
    server = await startTemporal();
    const given = database === null ? {} : await prepareTemplate(database.url);
    // After it: starting the embedded database stops this process for longer than a connection may take.
    const dump = await dumpEmptyDatabase(dir);
    const prepared = { STANDFAST_TEST_BUNDLE: join(root, 'dist/workflow-bundle.js'), ...dump };
    // Rigs and the program itself find the CLI by this name.
    return await use({ ...env, ...given, ...prepared, ...server.variables, TEMPORAL_CLI: temporal }, dir);
  } finally {
    await server?.stop();
    await database?.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
