// Each part breaks for real, and an operator sees it: by its metric and alert, its line in the log, and what is still ready.
import { cpSync, rmSync, symlinkSync, writeFileSync, readFileSync, closeSync, openSync, writeSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { alertRules, brokenParts, holds, samplesOf, type Sample } from '../../rigs/product/alert-rules.ts';
import { startApi, startWorker, type StandfastClient } from '../../rigs/product/standfast.ts';
import { createDatabase, startPostgres, type Postgres } from '../../rigs/process/postgres.ts';
import { createSupervisor, type RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { onTheSide } from '../../store/stores.ts';
import { root } from '../../source-tree.ts';
import { buildOnce, decided, ended, greenDecision, longMs, openHold, runTemporal, waitForTask } from '../setting.ts';
import { startTemporal, type TemporalProcess } from './split.ts';

const supervisor = createSupervisor();
const secret = `whsec_${Buffer.from('a secret of enough bytes').toString('base64')}`;
/** Of more than ten tasks that fail there is an alert. */
const waiting = 12;

interface Watched {
  process: RigProcess;
  metricsPort: number;
}
type Api = Watched & StandfastClient;

let fake: FakeAgent;
let postgres: Postgres;
let temporal: TemporalProcess;
let databaseUrl: string;
let disk: string | null;
let api: Api;
let workers: Watched[];
let configText: string;

beforeAll(async () => {
  buildOnce();
  disk = await smallDisk();
  const nobody = await supervisor.freePort();
  [fake, postgres, temporal] = await Promise.all([
    startFakeAgent(supervisor),
    startPostgres(),
    startTemporal(supervisor),
  ]);
  supervisor.defer(() => postgres.stop());
  databaseUrl = await createDatabase(postgres.url);
  if (disk !== null) await moveDatabaseTo(disk);
  configText = `
agents: { fake: { url: '${fake.url}' }, loud: { url: '${fake.url}', policy: loud } }
policies: { loud: { notify: [ops] } }
notifications: { giveUpAfter: 3s, channels: { ops: { type: webhook, url: 'http://127.0.0.1:${nobody}/', secret: '${secret}' } } }
agentOutage: 10s
reconcile: { every: 2s }
`;
  api = await watchedApi();
  workers = await Promise.all([watchedWorker(), watchedWorker()]);
  await ready('/readyz', 200);
});
afterAll(() => supervisor.end());

/** A disk of its own for the database, so small that it can be filled; null where none may be mounted. */
async function smallDisk(): Promise<string | null> {
  const dir = await supervisor.tempDir('disk');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', dir], { stdio: 'pipe' });
  } catch (error) {
    console.warn(`no disk can be mounted here, so none is filled: ${String(error).split('\n')[1]}`);
    return null;
  }
  supervisor.defer(async () => execFileSync('umount', [dir]));
  return dir;
}

/** What PostgreSQL itself writes lies elsewhere: without room for its log it would end, and not start again. */
async function moveDatabaseTo(dir: string): Promise<void> {
  execFileSync('chown', ['postgres', dir]);
  await onTheSide(postgres.url, `create tablespace small location '${dir}'`);
  await onTheSide(postgres.url, `alter database ${new URL(databaseUrl).pathname.slice(1)} set tablespace small`);
}

const roleOptions = (metricsPort: number, more: NodeJS.ProcessEnv = {}): Parameters<typeof startApi>[1] => ({
  configText,
  temporalAddress: temporal.address,
  databaseUrl,
  env: { STANDFAST_LOG_LEVEL: 'warn', STANDFAST_METRICS_PORT: String(metricsPort), ...more },
});

async function watchedApi(namespace?: string, env: NodeJS.ProcessEnv = {}): Promise<Api> {
  const metricsPort = await supervisor.freePort();
  const options = roleOptions(metricsPort, env);
  const started = await startApi(supervisor, namespace === undefined ? options : { ...options, namespace });
  return { ...started, metricsPort };
}

async function watchedWorker(): Promise<Watched> {
  const metricsPort = await supervisor.freePort();
  return { process: await startWorker(supervisor, roleOptions(metricsPort)), metricsPort };
}

const ready = (path: string, status: number): Promise<unknown> =>
  waitFor(
    async () => {
      const answer = await api.get(path);
      return answer.status === status ? (answer.body ?? true) : undefined;
    },
    longMs,
    `${path} to say ${status}`,
  );

/** What a scraper reads now; of a process that does not answer nothing. */
async function scraped(...more: Watched[]): Promise<Sample[]> {
  const read = async ({ metricsPort }: Watched): Promise<Sample[]> => {
    const url = `http://127.0.0.1:${metricsPort}/metrics`;
    const text = await fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
      (answer) => answer.text(),
      () => '',
    );
    return samplesOf(text, String(metricsPort));
  };
  return (await Promise.all([...new Set([api, ...workers, ...more])].map(read))).flat();
}

interface Line {
  msg?: string;
  taskId?: string;
}
const linesOf = (process: RigProcess): Line[] =>
  process
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Line => JSON.parse(line));

const seen = new Set<string>();

/** A row of docs/operate/alerts.md: its alert fires, and its line is in the log, of each of these tasks. */
async function isSeen(
  what: string,
  { before, from = [api], taskIds = [] }: { before: Sample[]; from?: Watched[]; taskIds?: string[] },
): Promise<void> {
  const part = brokenParts.find((one) => one.what === what);
  const rule = alertRules.find(({ alert }) => alert === part?.alert);
  if (part === undefined || rule === undefined) throw new Error(`docs/operate/alerts.md has no row: ${what}`);
  const output = (): string => from.map(({ process }) => process.output().slice(-2_000)).join('\n');
  await waitFor(async () => holds(rule.expr, before, await scraped(...from)), longMs, `${rule.alert} to fire`, output);
  const wanted: (string | null)[] = part.log.hasTask ? taskIds : [null];
  expect(wanted).not.toEqual([]);
  for (const taskId of wanted)
    await waitFor(
      () =>
        from
          .flatMap(({ process }) => linesOf(process))
          .some((line) => line.msg?.startsWith(part.log.begins) && (taskId === null || line.taskId === taskId)),
      longMs,
      `a line “${part.log.begins}” ${taskId === null ? '' : `of ${taskId}`}`,
      output,
    );
  seen.add(what);
}

async function ask(agent: string, threadId: string): Promise<HoldView> {
  ended(await api.run(agent, { threadId, text: 'form => complete' }, longMs), 'interrupt');
  return openHold(api, agent, threadId);
}

// Promise Q78
test('every part that breaks is seen in its metric, its alert and its log line', async () => {
  const parked = await ask('fake', 'parked');
  const asked = await Promise.all(Array.from({ length: waiting }, (_, n) => ask('fake', `waits-${n}`)));
  const quiet = await scraped();
  for (const { alert, expr } of alertRules.filter((rule) => brokenParts.some((part) => part.alert === rule.alert)))
    expect([alert, holds(expr, quiet, quiet)]).toEqual([alert, false]);

  const [first, second] = workers as [Watched, Watched];
  await second.process.kill9();
  const loud = await ask('loud', 'loud');
  await isSeen('the receiver of a channel', { before: quiet, from: [first], taskIds: [loud.taskId] });

  await fake.kill9();
  await Promise.all(asked.map(({ id }) => decided(api, id, greenDecision())));
  // Answers wait until the agent is back; what begins fails with it.
  const begun = Array.from({ length: waiting }, (_, n) =>
    api.run('fake', { threadId: `begun-${n}`, text: 'form => complete' }, longMs),
  );
  const taskIds = asked.map(({ taskId }) => taskId);
  // Five minutes later.
  const since = JSON.stringify(new Date(Date.now() - 301_000).toISOString());
  await waitFor(
    async () => (await onTheSide(databaseUrl, 'select 1 from tasks where stuck is not null')).length > 0,
    longMs,
    'a task to be known as stuck',
  );
  await onTheSide(
    databaseUrl,
    `update tasks set stuck = jsonb_set(stuck::jsonb, '{since}', '${since}')::text where stuck is not null`,
  );
  await isSeen('an agent', { before: quiet, from: [first], taskIds });
  await Promise.all(begun);
  const failed = await onTheSide(databaseUrl, "select task_id from tasks where thread_id like 'begun-%'");
  const failedIds = (failed as { task_id: string }[]).map((row) => row.task_id);
  expect(failedIds).toHaveLength(waiting);
  await isSeen('tasks that begin at such agents', { before: quiet, from: [first], taskIds: failedIds });
  for (const id of failedIds) await waitForTask(api, id, 'FAILED');
  await isSeen('one worker', { before: quiet, from: [first] });

  await first.process.stop();
  const other = await workerWithoutReplay();
  workers = [other];
  await runTemporal(temporal.address, ['workflow', 'signal', '--workflow-id', 'a2a/fake/parked', '--name', 'nonsense']);
  await isSeen('a workflow that does not replay', { before: quiet, from: [other], taskIds: [parked.taskId] });
  await other.process.kill9();
  await isSeen('all workers', { before: quiet });
  // A scrape may see it a moment before the api probes again.
  expect(await ready('/readyz/runs', 503)).toMatchObject({ reads: true, writes: true });
  await ready('/readyz/reads', 200);

  await temporal.kill9();
  await isSeen('Temporal', { before: quiet });
  expect(await ready('/readyz/runs', 503)).toMatchObject({ parts: { temporal: 'unavailable', database: 'ok' } });
  await ready('/readyz/reads', 200);
  await temporal.restart();
  await waitFor(async () => !isFiring('Temporal', await scraped()), longMs, 'Temporal to be seen again');

  const lost = await watchedApi('nowhere');
  await isSeen('a namespace that is not there', { before: quiet, from: [lost] });
  expect((await lost.get('/readyz')).body).toMatchObject({ parts: { temporal: 'unavailable' } });
  await lost.process.kill9();

  if (disk === null) seen.add("the database's disk");
  else {
    const filled = fill(disk);
    await isSeen("the database's disk", { before: quiet });
    expect(await ready('/readyz/writes', 503)).toMatchObject({ reads: true, writes: false });
    await ready('/readyz/reads', 200);
    rmSync(filled);
    await ready('/readyz/writes', 200);
  }

  const behind = await watchedApi(undefined, {
    NODE_OPTIONS: `--import ${join(root, 'test/rigs/process/clock-offset.mjs')}`,
    STANDFAST_TEST_CLOCK_OFFSET_MS: '-540000',
  });
  await isSeen('the clock of a process', { before: quiet, from: [behind] });
  await behind.process.kill9();

  const keyed = { STANDFAST_CODEC_KEY: 'c0'.repeat(32), STANDFAST_CODEC_CLEAR: 'true' };
  const metricsPort = await supervisor.freePort();
  const sealing = await startApi(supervisor, roleOptions(metricsPort, keyed));
  await isSeen('a codec key', { before: quiet });
  await sealing.process.kill9();

  await postgres.stop();
  await isSeen('the database', { before: quiet });
  expect(await ready('/readyz/reads', 503)).toMatchObject({ parts: { database: 'unavailable', workers: 'unknown' } });
  expect((await api.get('/healthz')).status).toBe(200);
  expect((await scraped()).some(({ name }) => name === 'standfast_holds')).toBe(false);

  expect(brokenParts.map(({ what }) => what).filter((what) => !seen.has(what))).toEqual([]);
}, 900_000);

function isFiring(what: string, now: Sample[]): boolean {
  const part = brokenParts.find((one) => one.what === what);
  return alertRules.some(({ alert, expr }) => alert === part?.alert && holds(expr, now, now));
}

/** Until nothing more goes in. */
function fill(dir: string): string {
  const path = join(dir, 'full');
  const file = openSync(path, 'w');
  const megabyte = Buffer.alloc(1 << 20);
  try {
    for (;;) writeSync(file, megabyte);
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    return path;
  } finally {
    closeSync(file);
  }
}

/** The built program with a timer where no history has one, as after an upgrade that forgot a `patched()`. */
async function workerWithoutReplay(): Promise<Watched> {
  const dir = await supervisor.tempDir('upgrade');
  const isPage = (path: string): boolean => path === join(root, 'dist/web');
  cpSync(join(root, 'dist'), join(dir, 'dist'), { recursive: true, filter: (path) => !isPage(path) });
  for (const name of ['node_modules', 'package.json', 'drizzle']) symlinkSync(join(root, name), join(dir, name));
  const bundle = join(dir, 'dist/workflow-bundle.js');
  const code = readFileSync(bundle, 'utf8');
  const beginning = 'async function live(runtime) {';
  expect(code.split(beginning)).toHaveLength(2);
  writeFileSync(bundle, code.replace(beginning, `${beginning} await new Promise((done) => setTimeout(done, 1));`));
  const metricsPort = await supervisor.freePort();
  const options = { ...roleOptions(metricsPort), program: join(dir, 'dist/cli/main.js') };
  return { process: await startWorker(supervisor, options), metricsPort };
}
