// `npm test`: builds what is stale, finds the Temporal CLI, PostgreSQL, Python, CopilotKit and callers of A2A, then runs jest
// twice: the quick tests, and after them those with real servers and processes, few at a time. Further arguments go to
// jest. HOLDPOINT_FULL=1 plays all runs of properties; HOLDPOINT_TEST_SEED=… those of an earlier run again.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import { prepareOldSdks } from './a2a-v03-sdks.mjs';
import { build } from './build.mjs';
import { prepareCopilotKit } from './copilotkit-packages.mjs';
import { prepareGoCaller } from './go-caller.mjs';
import { preparePython } from './python-agents.mjs';
import { cpuFileOf, printSlowest } from './slowest-files.mjs';
import { cpuSeconds } from '../test/jest/cpu-time.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const isCi = /^(1|true)$/i.test(process.env.CI ?? '');
const startedAt = performance.now();
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const escaped = (path) => path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const slow = '(workflows|journeys)/';
const tests = `^${escaped(join(root, 'test/'))}`;
const withPython = `${tests}journeys/(agents/(adk|python|langgraph|example-python)-agent|callers/(a2a-schema|adk-callers))`;
const withChromium = `${tests}journeys/(hold-page/|inbox/|pages/|callers/copilotkit)`;
/** Set on purpose, so that nothing counts as skipped. */
const isWithoutPython = process.env.HOLDPOINT_SKIP_PY === '1';
const { findChromium } = await tsImport('../test/rigs/pages/chromium.ts', import.meta.url);
/** In CI its absence fails the journeys. */
const isWithoutChromium = !isCi && findChromium() === undefined;
const cores = availableParallelism();
// Half of their time both kinds wait: more files at a time than there are cores.
const stages = [
  { name: 'quick', ignore: `${tests}${slow}`, workers: cores + 1 },
  {
    name: 'with real servers',
    ignore: `${tests}(?!${slow})`,
    workers: 4,
    needsServers: true,
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
  const { startPostgres } = await tsImport('../test/rigs/process/postgres.ts', import.meta.url);
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
  const { dumpDatabase } = await tsImport('../test/rigs/store/memory-store.ts', import.meta.url);
  const file = join(dir, 'empty-database.tar');
  await dumpDatabase(join(root, 'dist/empty-database'), file);
  return { HOLDPOINT_TEST_PGLITE: file };
}

/** A database with all tables on the server, that the tests' own are copied from. */
async function prepareTemplate(serverUrl) {
  const { createDatabase } = await tsImport('../test/rigs/process/postgres.ts', import.meta.url);
  const { openStore } = await import('../dist/store/open-store.js');
  const databaseUrl = await createDatabase(serverUrl);
  const store = await openStore({ databaseUrl });
  await store.close();
  return { HOLDPOINT_TEST_PG: serverUrl, HOLDPOINT_TEST_PG_TEMPLATE: new URL(databaseUrl).pathname.slice(1) };
}

/** One server for all files that bring no settings of their own; each takes a namespace of it. */
async function startTemporal() {
  const { createSupervisor } = await tsImport('../test/rigs/process/supervisor.ts', import.meta.url);
  const { startTemporalServer } = await tsImport('../test/rigs/process/temporal-server.ts', import.meta.url);
  const supervisor = createSupervisor();
  const port = await startTemporalServer(supervisor);
  return { HOLDPOINT_TEST_TEMPORAL: String(port), stop: () => supervisor.end() };
}

/** What others made and tests run; null where it cannot be had, which CI does not accept. */
async function optional(what, prepare) {
  try {
    return await prepare();
  } catch (error) {
    if (isCi) throw error;
    console.log(`${what}: none (${error.message}); the tests that need them are skipped`);
    return null;
  }
}

const copilotKitTest = 'test/journeys/callers/copilotkit.test.ts';
const callersTest = 'test/journeys/callers/a2a-callers.test.ts';
const isWhole = (args) => args.every((arg) => arg.startsWith('-'));
/** What takes long to install is there only where its test may run. */
const mayRun = (args, test) => isWhole(args) || args.some((arg) => test.includes(arg));

/** What agents and pages of other people's making need, prepared while the quick tests run. */
function startOthersAgents(args) {
  const none = Promise.resolve(null);
  const python = isWithoutPython ? none : optional('Python agents', preparePython);
  const callsAgents = mayRun(args, callersTest);
  // Installed by the Python of the agents, which is made once.
  const oldSdks = python.then((agents) =>
    agents !== null && callsAgents ? optional('SDKs of A2A 0.3', prepareOldSdks) : null,
  );
  const copilotKit = mayRun(args, copilotKitTest) ? optional("CopilotKit's packages", prepareCopilotKit) : none;
  const goCaller = callsAgents ? optional('Go callers', prepareGoCaller) : none;
  const variables = Promise.all([python, copilotKit, oldSdks, goCaller]).then(([agents, packages, sdks, go]) => ({
    ...(agents !== null && { HOLDPOINT_TEST_PYTHON: agents }),
    ...(packages !== null && { HOLDPOINT_TEST_COPILOTKIT: packages }),
    ...(sdks !== null && { HOLDPOINT_TEST_A2A_V03: sdks }),
    ...(go !== null && { HOLDPOINT_TEST_GO_CALLER: go }),
  }));
  // Whoever awaits it gets the reason of a failure; until then nobody does.
  variables.catch(() => {});
  return variables;
}

function runJest(stage, args, env, reportFile) {
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
  const ignored = [
    stage.ignore,
    ...(isWithoutPython ? [withPython] : []),
    ...(isWithoutChromium ? [withChromium] : []),
  ];
  const own = ['--testPathIgnorePatterns', ...ignored, '--maxWorkers', String(stage.workers)];
  const report = ['--json', '--outputFile', reportFile, '--passWithNoTests'];
  const child = spawn(process.execPath, [jest, ...args, ...own, ...report], {
    cwd: root,
    env: { ...env, HOLDPOINT_TEST_CPU: cpuFileOf(reportFile) },
    // With --json jest prints its report twice, for people on stderr; stdout is the JSON.
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done(code ?? 1));
  });
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
  printSlowest(report, file);
  // With -t every test of another name counts as pending: then a skip cannot be distinguished from a choice.
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
  if (isWithoutChromium) console.log('Chromium: none; the journeys of the pages are left out');
  // On a fresh machine these take minutes, one to compile and two to download; only the stage with real servers needs the last.
  const others = startOthersAgents(args);
  const [temporal, database] = await Promise.all([findTemporal(env), startDatabase(env)]);
  const dir = mkdtempSync(join(tmpdir(), 'holdpoint-test-'));
  // Ctrl-C reaches jest too; we stay until it has ended, so that the database is stopped after it.
  const stay = () => {};
  process.on('SIGINT', stay);
  process.on('SIGTERM', stay);
  let isGood = true;
  let stopTemporal = async () => {};
  const sum = { passed: 0, failed: 0, skipped: 0 };
  try {
    const { stop, ...temporalOfTests } = await startTemporal();
    stopTemporal = stop;
    const [given, dump] = await Promise.all([
      database === null ? {} : prepareTemplate(database.url),
      dumpEmptyDatabase(dir),
    ]);
    const prepared = { HOLDPOINT_TEST_BUNDLE: join(root, 'dist/workflow-bundle.js'), ...dump };
    // Rigs and the program itself find the CLI by this name.
    const forTests = { ...env, ...given, ...prepared, TEMPORAL_CLI: temporal };
    // One after the other: what waits with a bound must not wait for a core as well.
    for (const stage of stages) {
      const more = stage.needsServers ? { ...temporalOfTests, ...(await others) } : {};
      const result = await run(stage, args, { ...forTests, ...more }, dir);
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
    `\n${ran === 0 ? 'no test was run' : isGood ? 'all tests passed' : 'NOT all tests passed'} in ${seconds(startedAt)}, with ${cpuSeconds().toFixed(0)} s of CPU`,
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
