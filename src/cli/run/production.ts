// `standfast api` and `standfast worker`: both require an external Temporal and PostgreSQL, and refuse to start
// without.
import { version } from '../../host/process/version.ts';
import { createLogger, type Logger } from '../../host/process/log.ts';
import { settledWithin, retry } from '../../host/process/retry.ts';
import { createSchemaRunner } from '../../host/schema/schema-runner.ts';
import { onShutdown } from '../../host/process/shutdown.ts';
import { temporalTarget } from '../../host/temporal/temporal-connection.ts';
import { prepareNamespace } from '../../host/temporal/temporal-setup.ts';
import { StoreUnavailableError } from '../../store/store.ts';
import { startApi, urlOf } from './api-role.ts';
import { createProcessMetrics, timeOf, type ProcessMetrics } from './metrics.ts';
import { logTemporalTo } from './quiet-temporal.ts';
import { followPreferences } from './follow-preferences.ts';
import { recordConfigured, startReloading } from './reload.ts';
import { createStartupOutput, StartError } from './startup-output.ts';
import { linksFor, secretsFor, signerFor } from './seal-key.ts';
import { codecOf, openDatabase, readSettings, refusePublicBind, refuseShortKeys, printWarnings } from './settings.ts';
import { startTraces } from './traces.ts';
import { buildIdOf } from './worker-build.ts';
import { startWorker } from './worker-role.ts';
import type { RoleDeps } from './worker-role.ts';

export interface RoleOptions {
  config?: string;
  host?: string;
  port?: number;
  json: boolean;
}

type Stop = () => Promise<void>;

/** Survives a database restart, since a supervisor may delay each of our restarts longer. */
const databaseWithinMs = 30_000;
const temporalWithinMs = 30_000;
/** Maximum wait for an unresponsive database at shutdown. */
const databaseCloseMs = 1_000;

export async function runApi(options: RoleOptions): Promise<void> {
  const settings = readSettings(options);
  printWarnings(settings);
  const host = options.host ?? settings.config.server.host;
  const port = options.port ?? settings.environment.port ?? settings.config.server.port;
  refusePublicBind(host, settings.config);
  refuseShortKeys(settings);
  const output = createStartupOutput(options.json);
  const { deps, metrics, stop } = await openRole(settings, 'api', urlOf(host, port));
  const endFollowing = await followPreferences({ ...deps, running: deps.config });
  await recordConfigured(deps, 'start', settings.hashes);
  const scraped = await metrics.listen(async () => null);
  const role = await startApi({ ...deps, host, port, temporalUiUrl: settings.config.server.temporalUiUrl ?? null });
  const endReloading = startReloading({ settings, deps, mayBeShort: false });
  onShutdown(async () => {
    endReloading();
    endFollowing();
    await role.stop();
    await scraped?.stop();
    await stop();
  });
  logStart(deps.log, scraped?.url);
  output.event('ready', { url: role.url }, `ready ${role.url}`);
}

export async function runWorker(options: RoleOptions): Promise<void> {
  const settings = readSettings(options);
  printWarnings(settings);
  const { server } = settings.config;
  refuseShortKeys(settings);
  const output = createStartupOutput(options.json);
  const { deps, metrics, stop } = await openRole(settings, 'worker', urlOf(server.host, server.port));
  // Before the first poll: an unregistered search attribute blocks a workflow.
  const { address, namespace } = deps.target;
  await prepareNamespace(deps.target, {
    withinMs: temporalWithinMs,
    onWait: () =>
      deps.log.warn(
        { address, namespace },
        `Temporal cannot be used yet; trying for up to ${temporalWithinMs / 1000} s`,
      ),
  });
  // Before the worker: what it sends first, too, goes as people chose.
  const endFollowing = await followPreferences({ ...deps, running: deps.config });
  await recordConfigured(deps, 'start', settings.hashes);
  const { config, environment } = settings;
  const role = await startWorker(config.worker.versioned ? { ...deps, buildId: buildIdOf(environment.buildId) } : deps);
  const scraped = await metrics.listen(async () => role.fault());
  const endReloading = startReloading({ settings, deps, mayBeShort: false });
  const leave = onShutdown(async () => {
    endReloading();
    endFollowing();
    await role.stop();
    await scraped?.stop();
    await stop();
  });
  logStart(deps.log, scraped?.url);
  output.event('ready', {}, 'ready worker');
  await role.ended.catch((error: unknown) => {
    leave();
    throw error;
  });
}

function logStart(log: Logger, metricsUrl: string | undefined): void {
  log.info({ version, node: process.versions.node, ...(metricsUrl && { metricsUrl }) }, 'started');
}

async function openRole(
  { config, environment }: ReturnType<typeof readSettings>,
  name: 'api' | 'worker',
  listensAt: string,
): Promise<{ deps: RoleDeps; metrics: ProcessMetrics; stop: Stop }> {
  const target = temporalTarget(environment.temporal);
  const missing = [
    ...(target === null ? ['TEMPORAL_ADDRESS (host:port of the Temporal server)'] : []),
    ...(environment.databaseUrl === undefined ? ['DATABASE_URL (postgres://user:password@host/database)'] : []),
  ];
  if (target === null || environment.databaseUrl === undefined) {
    throw new StartError(
      `standfast ${name} needs ${missing.join(' and ')}. To try everything on one machine: standfast up`,
    );
  }
  const links = linksFor(config, environment.sealKey);
  const signer = signerFor(config, environment.sealKey);
  const codec = codecOf(environment);
  const log = createLogger({
    level: environment.logLevel ?? 'info',
    name: `standfast-${name}`,
    isPretty: process.stderr.isTTY,
  });
  const [metrics, traces] = await Promise.all([
    createProcessMetrics(name, environment),
    startTraces(environment, name),
  ]);
  logTemporalTo(log, target, metrics.sdkAddress);
  const time = timeOf(log, metrics);
  const { databaseUrl } = environment;
  const { store, ...secrets } = await retry(
    {
      withinMs: databaseWithinMs,
      pauseMs: 500,
      isRetryable: (error) => error instanceof StoreUnavailableError,
      onWait: (err) => log.warn({ err }, `the database cannot be reached; trying for ${databaseWithinMs / 1000} s`),
    },
    async () => {
      const opened = await openDatabase(environment, { databaseUrl }, log, {
        onEvent: (event) => metrics.onEvent(event, time.now()),
        now: time.now,
      });
      try {
        const own = await secretsFor(environment.sealKey, opened, environment.oldSealKeys);
        return { store: opened, ...own };
      } catch (error) {
        await opened.close();
        throw error;
      }
    },
  );
  const schemas = createSchemaRunner();
  const publicUrl = config.server.publicUrl ?? listensAt;
  return {
    metrics,
    deps: {
      codec,
      traces,
      metrics,
      time,
      config,
      store,
      target,
      schemas,
      ...secrets,
      links,
      signer,
      log,
      publicUrl,
      evidenceKey: environment.evidenceKey,
    },
    stop: async () => {
      await schemas.close();
      if (!(await settledWithin(databaseCloseMs, store.close())))
        log.warn('the database does not answer; left without a word');
      await traces?.stop();
    },
  };
}
