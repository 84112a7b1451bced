// `npm test`: builds what is stale, finds the Temporal CLI, PostgreSQL, Python and CopilotKit, then runs jest twice: the quick
// tests, and after them those with real servers and processes, few at a time. Further arguments go to jest. HOLDPOINT_FULL=1 plays all runs of properties; HOLDPOINT_TEST_SEED=… those of an earlier run again.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import { build } from './build.mjs';
import { prepareCopilotKit } from './copilotkit-packages.mjs';
import { preparePython } from './python-agents.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const isCi = /^(1|true)$/i.test(process.env.CI ?? '');
const startedAt = performance.now();
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const slow = '(workflows|journeys)/';
const tests = `^${escaped(join(root, 'test/'))}`;
const withPython = `${tests}journeys/(adk|python|langgraph|example-python)-agent`;
/** Said on purpose, so that nothing counts as skipped. */
const isWithoutPython = process.env.HOLDPOINT_SKIP_PY === '1';
const cores = availableParallelism();
const stages = [
  { name: 'quick', ignore: `${tests}${slow}`, workers: Math.max(2, cores - 1) },
  {
    name: 'with real servers',
    ignore: `${tests}(?!${slow})`,
    workers: Math.min(4, Math.max(3, Math.floor(cores / 2))),
    needsTemporal: true,
  },
];

/** The environment of the tests: nothing of the user's own Temporal, database or settings reaches them. */
function ownEnvironment() {
  const foreign = /^(TEMPORAL_(?!CLI$)|HOLDPOINT_(?!TEST_)|DATABASE_URL$)/;
  const seed = process.env.HOLDPOINT_TEST_SEED ?? String(randomInt(2 ** 31));
  const isFull = process.env.HOLDPOINT_FULL === '1';
  console.log(`properties: ${isFull ? 'all runs' : 'a quarter of their runs'}, HOLDPOINT_TEST_SEED=${seed}`);
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
    HOLDPOINT_TEST_SEED: seed,
    ...(isFull && { HOLDPOINT_TEST_FULL: '1' }),
  };
}

async function findTemporal(env) {
  const { resolveTemporal } = await import('../dist/host/temporal/temporal-cli.js');
  const found = await resolveTemporal({ env, onProgress: (message) => console.log(`  ${message}`) });
  if (found.use !== 'cli') throw new Error('the tests need the Temporal CLI itself');
  console.log(`Temporal CLI: ${found.path} (${found.from})`);
  return found.path;
}

/** An address that was given, else a throwaway server; null where none is installed, which CI does not accept. */
async function startDatabase(env) {
  const given = env.HOLDPOINT_TEST_PG;
  if (given) return { url: given, stop: async () => {} };
  const { startPostgres } = await tsImport('../test/rigs/postgres.ts', import.meta.url);
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
  const { dumpDatabase } = await tsImport('../test/rigs/memory-store.ts', import.meta.url);
  const file = join(dir, 'empty-database.tar');
  await dumpDatabase(join(root, 'dist/empty-database'), file);
  return { HOLDPOINT_TEST_PGLITE: file };
}

/** A database with all tables on the server, that the tests' own are copied from. */
async function prepareTemplate(serverUrl) {
  const { createDatabase } = await tsImport('../test/rigs/postgres.ts', import.meta.url);
  const { openStore } = await import('../dist/store/open-store.js');
  const databaseUrl = await createDatabase(serverUrl);
  const store = await openStore({ databaseUrl });
  await store.close();
  return { HOLDPOINT_TEST_PG: serverUrl, HOLDPOINT_TEST_PG_TEMPLATE: new URL(databaseUrl).pathname.slice(1) };
}

/** One server for all files that bring no settings of their own; each takes a namespace of it. */
async function startTemporal() {
  const { createSupervisor } = await tsImport('../test/rigs/supervisor.ts', import.meta.url);
  const { startTemporalServer } = await tsImport('../test/rigs/temporal-server.ts', import.meta.url);
  const supervisor = createSupervisor();
  const port = await startTemporalServer(supervisor);
  return { HOLDPOINT_TEST_TEMPORAL: String(port), stop: () => supervisor.end() };
}

/** The Python that runs agents of other people's making; null where there is none, which CI does not accept. */
async function findPython() {
  try {
    return await preparePython();
  } catch (error) {
    if (isCi) throw error;
    console.log(`Python agents: none (${error.message}); the tests that need them are skipped`);
    return null;
  }
}

const copilotKitTest = 'test/journeys/copilotkit.test.ts';
/** Its thousand packages are installed only where its test may run. */
const isCopilotKitChosen = (args) =>
  args.every((arg) => arg.startsWith('-')) || args.some((arg) => copilotKitTest.includes(arg));

/** Where CopilotKit's packages are; null where they cannot be had, which CI does not accept. */
async function findCopilotKit(args) {
  if (!isCopilotKitChosen(args)) return null;
  try {
    return await prepareCopilotKit();
  } catch (error) {
    if (isCi) throw error;
    console.log(`CopilotKit: none (${error.message}); the tests that need it are skipped`);
    return null;
  }
}

function runJest(stage, args, env, reportFile) {
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
  const ignored = [stage.ignore, ...(isWithoutPython ? [withPython] : [])];
  const own = ['--testPathIgnorePatterns', ...ignored, '--maxWorkers', String(stage.workers)];
  const report = ['--json', '--outputFile', reportFile, '--passWithNoTests'];
  const modules = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...modules, jest, ...args, ...own, ...report], {
    cwd: root,
    env,
    // With --json jest prints its report twice, for people on stderr; stdout is the JSON.
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done(code ?? 1));
  });
}

/** So that nobody has to measure first who wants the tests to be faster. */
function tellSlowest({ testResults }) {
  const took = testResults.map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }));
  const slowest = took.toSorted((a, b) => b.ms - a.ms).slice(0, 8);
  const lines = slowest.map(({ name, ms }) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${relative(root, name)}`);
  if (took.length > slowest.length) console.log(`the slowest of ${took.length} files:\n${lines.join('\n')}`);
}

/** Runs one stage; says why all is not well where jest itself does not. */
async function run(stage, args, env, dir) {
  const since = performance.now();
  console.log(`\n— ${stage.name} (${stage.workers} at a time)`);
  const file = join(dir, `${stage.name.replaceAll(' ', '-')}.json`);
  const code = await runJest(stage, args, env, file);
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.log(`jest ended with ${code} and left no report`);
    return { isGood: false, passed: 0, failed: 0, skipped: 0 };
  }
  tellSlowest(report);
  // With -t every test of another name counts as pending: then a skip cannot be told from a choice.
  const isChosen = args.some((arg) => /^(-t|--testNamePattern)/.test(arg));
  const skipped = isChosen ? 0 : report.numPendingTests + report.numTodoTests;
  console.log(
    `${stage.name}: ${report.numPassedTests} passed, ${report.numFailedTests} failed, ${skipped} skipped, in ${seconds(since)}`,
  );
  if (skipped > 0 && isCi) {
    for (const { assertionResults } of report.testResults) {
      const names = assertionResults.filter(({ status }) => status === 'pending' || status === 'todo');
      for (const { fullName } of names) console.log(`  skipped: ${fullName}`);
    }
    console.log('a skipped test fails CI');
  }
  const { numPassedTests: passed, numFailedTests: failed } = report;
  return { isGood: code === 0 && !(skipped > 0 && isCi), passed, failed, skipped };
}

async function main() {
  const args = process.argv.slice(2);
  await build();
  const env = ownEnvironment();
  if (isWithoutPython) console.log('Python agents: left out, as HOLDPOINT_SKIP_PY=1 says');
  // On a fresh machine the first three take minutes, one to compile and two to download.
  const [temporal, python, copilotKit, database] = await Promise.all([
    findTemporal(env),
    isWithoutPython ? null : findPython(),
    findCopilotKit(args),
    startDatabase(env),
  ]);
  const dir = mkdtempSync(join(tmpdir(), 'holdpoint-test-'));
  // Ctrl-C reaches jest too; we stay until it has ended, so that the database is stopped after it.
  const stay = () => {};
  process.on('SIGINT', stay);
  process.on('SIGTERM', stay);
  let isGood = true;
  let stopTemporal = async () => {};
  const sum = { passed: 0, failed: 0, skipped: 0 };
  try {
    const given = database === null ? {} : await prepareTemplate(database.url);
    // Rigs and the program itself find the CLI by this name.
    const agents = python === null ? {} : { HOLDPOINT_TEST_PYTHON: python };
    const pages = copilotKit === null ? {} : { HOLDPOINT_TEST_COPILOTKIT: copilotKit };
    const prepared = { ...agents, ...pages, ...(await dumpEmptyDatabase(dir)) };
    const forTests = { ...env, ...given, ...prepared, TEMPORAL_CLI: temporal };
    const { stop, ...temporalOfTests } = await startTemporal();
    stopTemporal = stop;
    // One after the other: what waits for a real server with a bound must not wait for a core as well.
    for (const stage of stages) {
      const result = await run(stage, args, stage.needsTemporal ? { ...forTests, ...temporalOfTests } : forTests, dir);
      isGood &&= result.isGood;
      for (const key of Object.keys(sum)) sum[key] += result[key];
    }
  } finally {
    await stopTemporal();
    await database?.stop();
    rmSync(dir, { recursive: true, force: true });
  }
  // A pattern that fits nothing is a mistake, not a success.
  const ran = sum.passed + sum.failed;
  if (ran === 0) isGood = false;
  console.log(
    `\n${ran === 0 ? 'no test was run' : isGood ? 'all tests passed' : 'NOT all tests passed'} in ${seconds(startedAt)}`,
  );
  console.log(`tests: ${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
  return isGood ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(String(error.message ?? error));
  process.exitCode = 1;
}
