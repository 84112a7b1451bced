// `standfast up`: everything in one process tree: Temporal dev server, PGlite, worker, API, demo agent.
import { join, resolve } from 'node:path';
import { ownEndpoint } from '../../contract/base/nexus-names.ts';
import type { Config } from '../../contract/configuration/config.ts';
import { addressesOf, startDemoAgent } from './demo-agent.ts';
import { prepareDataDir } from '../../host/process/data-dir.ts';
import { errorText } from '../../host/process/errno.ts';
import { createLogger } from '../../host/process/log.ts';
import { acquireLock } from '../../host/process/lock-file.ts';
import { createSchemaRunner } from '../../host/schema/schema-runner.ts';
import { onlyDebug } from '../../host/process/outage.ts';
import { onShutdown } from '../../host/process/shutdown.ts';
import { resolveTemporal } from '../../host/temporal/temporal-cli.ts';
import { localTarget, temporalTarget, type TemporalTarget } from '../../host/temporal/temporal-connection.ts';
import { startEmbeddedTemporal } from '../../host/temporal/temporal-server.ts';
import { makeEndpoint } from '../../host/temporal/nexus-endpoint.ts';
import type { TemporalTime } from '../../host/temporal/temporal-time.ts';
import { prepareNamespace } from '../../host/temporal/temporal-setup.ts';
import { nexusQueue } from '../../workflows/messages.ts';
import { startingConfig } from '../../config/starting-config.ts';
import { retry } from '../../host/process/retry.ts';
import { type Store, StoreUnavailableError } from '../../store/store.ts';
import { type MaintenanceDeps, serveMaintenance } from './maintenance-socket.ts';
import { createStartupOutput, StartError, type StartupOutput } from './startup-output.ts';
import { followPreferences } from './follow-preferences.ts';
import { recordConfigured, startReloading } from './reload.ts';
import { headFileIn, keyIn } from './evidence-key.ts';
import { linksFor, localSecrets, signerFor } from './seal-key.ts';
import {
  codecOf,
  openDatabase,
  readSettings,
  refusePublicBind,
  refuseTakenPort,
  printWarnings,
  type Settings,
} from './settings.ts';
import { createProcessMetrics, timeOf, type ProcessMetrics } from './metrics.ts';
import { thingsToTry } from './next-commands.ts';
import { openPage, whyNotOpened } from '../../host/process/open-page.ts';
import { startTraces } from './traces.ts';
import type { Role } from './worker-role.ts';

export interface UpOptions {
  config?: string;
  dataDir: string;
  host?: string;
  port?: number;
  demo: boolean;
  /** Whether to open the page; false when undefined. */
  open?: boolean;
  temporalPort?: number;
  temporalUiPort?: number;
  json: boolean;
}

/** Started parts, newest last; stopped in reverse order. */
type Stops = { name: string; stop(): Promise<void> }[];

async function stopInTurn(stops: Stops, onProblem: (error: unknown, name: string) => void): Promise<void> {
  for (let last = stops.pop(); last !== undefined; last = stops.pop()) {
    const { name, stop } = last;
    await stop().catch((error: unknown) => onProblem(error, name));
  }
}

export async function up(options: UpOptions): Promise<void> {
  const startedAt = performance.now();
  const output = createStartupOutput(options.json);
  const settings = readSettings({ ...options, otherwise: options.demo ? startingConfig : undefined });
  printWarnings(settings);
  const { config, environment } = settings;
  const dataDir = resolve(options.dataDir);
  const host = options.host ?? config.server.host;
  const port = options.port ?? environment.port ?? config.server.port;
  refusePublicBind(host, config);
  const codec = codecOf(environment);
  await refuseTakenPort(host, port);
  prepareDataDir(dataDir);
  const log = createLogger({
    level: environment.logLevel ?? 'warn',
    name: 'standfast',
    isPretty: process.stderr.isTTY,
  });

  const [metrics, traces] = await Promise.all([
    createProcessMetrics('up', environment),
    startTraces(environment, 'up'),
  ]);
  const time = timeOf(log, metrics);
  const stops: Stops = [{ name: 'traces', stop: async () => traces?.stop() }];
  let stopping: Promise<void> | null = null;
  // Runs once: later callers (a signal, a part that ended because of another) await the first run.
  const stopAll = (): Promise<void> =>
    (stopping ??= stopInTurn(stops, (error, name) => log.error({ err: error }, `${name} did not stop cleanly`)));
  const leave = onShutdown(async () => {
    output.event('stopping', {}, 'stopping …');
    await stopAll();
  });
  try {
    await lockDir(dataDir, stops);
    const schemas = createSchemaRunner();
    stops.push({ name: 'schema checker', stop: () => schemas.close() });
    const [temporal, store, demo, [{ startWorker }, { startApi, urlOf }, { logTemporalTo }]] = await allOf([
      output.wait(
        'the Temporal server',
        startTemporal(options, settings, dataDir, output, stops, (why) => void failAndStop(why)),
      ),
      output.wait('the database', startDatabase(settings, dataDir, output, stops, { log, metrics, time })),
      options.demo ? startDemoAgent(config, dataDir) : Promise.resolve(null),
      // Loading takes a second of CPU, spent while Temporal and the database start.
      Promise.all([import('./worker-role.ts'), import('./api-role.ts'), import('./quiet-temporal.ts')]),
    ]);
    logTemporalTo(log, temporal.target, metrics.sdkAddress, onlyDebug(log));
    if (demo !== null) stops.push({ name: 'demo agent', stop: () => demo.stop() });
    const publicUrl = config.server.publicUrl ?? urlOf(host, port);
    const { ownKey, ...secrets } = await localSecrets(environment, store, dataDir);
    const deps = {
      metrics,
      time,
      traces,
      codec,
      config: onOneMachine(config, dataDir),
      evidenceKey: environment.evidenceKey ?? keyIn(dataDir),
      store,
      target: temporal.target,
      schemas,
      ...secrets,
      links: linksFor(config, ownKey),
      signer: signerFor(config, ownKey),
      log,
      outages: onlyDebug(log),
      publicUrl,
      endpoint: temporal.endpoint,
    };
    // Before the worker: what it sends first, too, goes as people chose.
    const endFollowing = await followPreferences({ store, prover: secrets.prover, running: deps.config, log });
    stops.push({ name: 'preferences', stop: async () => endFollowing() });
    await recordConfigured(deps, 'start', settings.hashes);
    const roles: { worker?: Role; api?: Role } = {};
    // The API always stops before the worker, which its open requests need.
    stops.push({ name: 'worker', stop: async () => roles.worker?.stop() });
    stops.push({ name: 'api', stop: async () => roles.api?.stop() });
    const [worker, api] = await allOf([
      output.wait(
        'the worker',
        startWorker(deps).then((role) => (roles.worker = role)),
      ),
      startApi({ ...deps, host, port, temporalUiUrl: temporal.uiUrl }).then((role) => (roles.api = role)),
    ]);
    const scraped = await metrics.listen(async () => worker.fault());
    stops.push({ name: 'metrics', stop: async () => scraped?.stop() });
    await takeCommands(dataDir, deps, stops, (why) => log.warn(why));
    worker.ended.catch((error: unknown) => void failAndStop(`the worker ended: ${String(error)}`));
    const endReloading = startReloading({ settings, deps, mayBeShort: true, complete: demo?.complete });
    stops.push({ name: 'configuration', stop: async () => endReloading() });
    const addresses = {
      url: api.url,
      temporal: temporal.target.address,
      temporalUi: temporal.uiUrl,
      nexusEndpoint: temporal.endpoint,
      ...addressesOf(demo, config),
    };
    output.event('addresses', addresses, thingsToTry({ ...addresses, configFile: settings.configFile, dataDir }));
    announce(api.url, startedAt, output);
    if (options.open === true) offerPage(api.url, output);
  } catch (error) {
    leave();
    await stopAll();
    throw error;
  }

  /** An essential part ended: stop the rest and report it, so that a supervisor restarts us. */
  async function failAndStop(why: string): Promise<void> {
    process.stderr.write(`standfast: ${why}\n`);
    leave();
    await stopAll();
    process.exit(1);
  }
}

function announce(url: string, startedAt: number, output: StartupOutput): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  output.event('started', { seconds: Number(seconds) }, `started in ${seconds} s`);
  output.event('ready', { url }, `ready ${url}`);
}

function offerPage(url: string, output: StartupOutput): void {
  const { env, platform } = process;
  const why = whyNotOpened({ env, platform, isTTY: process.stdout.isTTY });
  if (why === null) openPage(url, { env, platform });
  else output.step(`no page was opened (${why}): open ${url} in a browser`);
}

/**
 * Unless configured otherwise signed heads are stored next to the database, and answers with Temporal's own tools are
 * taken: only the user who started this has them.
 */
function onOneMachine(config: Config, dataDir: string): Config {
  return {
    ...config,
    evidence: { ...config.evidence, file: config.evidence.file ?? headFileIn(dataDir) },
    temporal: { answers: config.temporal.answers ?? true },
  };
}

/** Like Promise.all, but waits for all before it rejects, so that everything started is known and can be stopped. */
async function allOf<T extends readonly unknown[]>(promises: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const settled = await Promise.allSettled(promises);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return await Promise.all(promises);
}

async function lockDir(dataDir: string, stops: Stops): Promise<void> {
  const lock = await acquireLock(dataDir, 'up');
  if ('heldBy' in lock) {
    throw new StartError(
      `${dataDir} is in use by another standfast (pid ${lock.heldBy.pid}). Stop that one, or give this one --data-dir of its own.`,
    );
  }
  stops.push({ name: 'lock', stop: async () => lock.release() });
}

async function startDatabase(
  { environment }: Settings,
  dataDir: string,
  output: StartupOutput,
  stops: Stops,
  { log, metrics, time }: { log: ReturnType<typeof createLogger>; metrics: ProcessMetrics; time: TemporalTime },
): Promise<Store> {
  const { databaseUrl } = environment;
  const startedAt = performance.now();
  const location = databaseUrl === undefined ? { dataDir: join(dataDir, 'pglite') } : { databaseUrl };
  // Everything starts at once here: on a busy machine a connection may take longer than its limit.
  const store = await retry(
    {
      withinMs: 15_000,
      pauseMs: 500,
      isRetryable: (error) => error instanceof StoreUnavailableError && /timeout/i.test(error.message),
      onWait: (err) => log.warn({ err }, 'the database did not answer in time; trying again'),
    },
    () =>
      openDatabase(environment, location, log, {
        onEvent: (event) => metrics.onEvent(event, time.now()),
        now: time.now,
      }),
  );
  stops.push({ name: 'database', stop: () => store.close() });
  const kind = store.kind === 'pglite' ? 'embedded database (PGlite)' : 'PostgreSQL';
  output.step(`${kind} open after ${Math.round(performance.now() - startedAt)} ms`);
  return store;
}

/**
 * Serves `verify`, `export` and `erase` to the owner of the data directory; not available where sockets are not
 * supported.
 */
async function takeCommands(
  dataDir: string,
  { store, prover }: MaintenanceDeps,
  stops: Stops,
  onProblem: (why: string) => void,
): Promise<void> {
  try {
    stops.push({ name: 'maintenance', stop: await serveMaintenance(dataDir, store, prover) });
  } catch (error) {
    onProblem(`verify, export and erase work only once this Standfast is stopped: ${errorText(error)}`);
  }
}

async function startTemporal(
  options: UpOptions,
  { environment, config }: Settings,
  dataDir: string,
  output: StartupOutput,
  stops: Stops,
  onEnd: (why: string) => void,
): Promise<{ target: TemporalTarget; uiUrl: string | null; endpoint: string | null }> {
  const startedAt = performance.now();
  const source = await resolveTemporal({ env: process.env, onProgress: output.step });
  if (source.use === 'address') {
    const target = temporalTarget(environment.temporal) ?? localTarget(source.address);
    await prepareNamespace(target);
    output.step(`Temporal at ${target.address}`);
    return { target, uiUrl: config.server.temporalUiUrl ?? null, endpoint: null };
  }
  const server = await startEmbeddedTemporal({
    cliPath: source.path,
    dataDir,
    port: options.temporalPort,
    uiPort: options.temporalUiPort,
    onProgress: output.step,
    logFile: join(dataDir, 'temporal.log'),
  });
  stops.push({ name: 'Temporal', stop: () => server.stop() });
  void server.ended.then((why) => onEnd(`the Temporal server ended: ${why}`));
  await Promise.all([
    prepareNamespace(server.target, { retentionDays: 30 }),
    makeEndpoint(server.target, ownEndpoint, nexusQueue),
  ]);
  output.step(
    `Temporal dev server ${server.isReused ? 'found running' : 'started'} after ${Math.round(performance.now() - startedAt)} ms (${server.target.address})`,
  );
  return { target: server.target, uiUrl: config.server.temporalUiUrl ?? server.uiUrl, endpoint: ownEndpoint };
}
