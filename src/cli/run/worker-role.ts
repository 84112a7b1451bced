// The workers: one for workflows and turns, which start immediately on the worker of their workflow, and one for short
// activities, which must never queue behind turns.
import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { Client, Connection, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { ServiceHandler } from 'nexus-rpc';
import { createActivities, hideFailures } from '../../activities/create-activities.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import type { Activities } from '../../activities/activities.ts';
import { askForServer } from '../../api/ask/ask-for-server.ts';
import type { AskingApi } from '../../api/ask/ask-people.ts';
import { createNexusService } from '../../api/ask/nexus-service.ts';
import { createTaskClient, type TaskClient } from '../../api/engine/task-client.ts';
import type { StartGate } from '../../api/runs/start-gate.ts';
import { createCircuits } from '../../activities/circuits/circuits.ts';
import { createSlots, type Slots } from '../../activities/circuits/slots.ts';
import { tendCircuits } from '../../activities/circuits/tend-circuits.ts';
import { turnTiming, type TurnTiming } from '../../activities/timing.ts';
import { createWatcher } from '../../activities/watch/watch-tasks.ts';
import type { Config } from '../../contract/configuration/config.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { createCalendars } from '../../host/calendar/calendar.ts';
import { createEgress } from '../../host/net/egress.ts';
import { connectUpstream } from '../../host/net/mcp-upstream.ts';
import { beginAtZero } from '../../host/metrics/worker-metrics.ts';
import type { Logger } from '../../host/process/log.ts';
import { outageOf, type OutageLog } from '../../host/process/outage.ts';
import { repeating } from '../../host/process/repeating.ts';
import { settledWithin } from '../../host/process/retry.ts';
import type { SchemaRunner } from '../../host/schema/schema-runner.ts';
import type { CodecKeys } from '../../host/secrets/codec-keys.ts';
import type { LinkSigner } from '../../host/secrets/tokens.ts';
import type { Prover } from '../../host/secrets/proofs.ts';
import type { Sealer } from '../../host/secrets/sealing.ts';
import { dataConverterOf } from '../../host/temporal/payload-codec.ts';
import { lastingConnection, type TemporalTarget } from '../../host/temporal/temporal-connection.ts';
import { clockOf, type TemporalTime } from '../../host/temporal/temporal-time.ts';
import type { Store } from '../../store/store.ts';
import { reconcileWorkflowType, shortQueue, taskQueue } from '../../workflows/messages.ts';
import { createCardKeeper } from './agent-cards.ts';
import type { ProcessMetrics } from './metrics.ts';
import type { Traces } from './traces.ts';
import type { Signer } from '../../host/secrets/signing.ts';
import { createTransports } from './agent-transports.ts';
import { createEngine } from './engine.ts';
import { startHeadSigner } from './evidence-key.ts';
import { createReach } from '../../host/temporal/temporal-reach.ts';
import { nexusWorker, takePlace, versionedAs, workflowCode, workflowWorker } from './worker-build.ts';
import { sleep } from '../../host/process/sleep.ts';

export interface RoleDeps {
  config: Config;
  store: Store;
  target: TemporalTarget;
  schemas: SchemaRunner;
  metrics: Pick<ProcessMetrics, 'registry' | 'worker'>;
  /** Of this process, whichever roles it has. */
  time: TemporalTime;
  sealer: Sealer;
  prover: Prover;
  links: LinkSigner | null;
  /** Signs receipts and own agent cards; null: no key for them. */
  signer: Signer | null;
  log: Logger;
  /** Where a worker logs what is away; missing: to `log`. */
  outages?: OutageLog;
  publicUrl: string;
  /** Shorter turn timeouts and a prebuilt workflow bundle, for tests. */
  timing?: Partial<TurnTiming>;
  workflowBundle?: { codePath: string };
  /** Sends spans to a collector; missing or null: nothing is traced. */
  traces?: Traces | null;
  /** Encrypts Temporal payloads; null stores them as plain text. */
  codec?: CodecKeys | null;
  /** Signs the evidence chain; undefined leaves it unsigned. */
  evidenceKey?: string | undefined;
  /** Names this build to Temporal's Worker Versioning; missing: it is off. */
  buildId?: string;
  /** The Nexus endpoint that this process made on its own server: all who reach that may ask. */
  endpoint?: string | null;
  /** Called between the steps of a turn, for crash tests; by default configured by the environment. */
  atSeam?: ActivityDeps['atSeam'];
}

export interface WorkerRole extends Role {
  /** Why this worker takes no work; null: it does. A database or Temporal that is away is not its fault. */
  fault(): string | null;
}

export interface Role {
  /** Rejects when the role cannot continue; resolves after `stop`. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

const heartbeatMs = 2000;
const reachMs = 3000;
/**
 * One thread runs all workflow tasks of a worker: what it holds beyond a few waits against the time of each, and is done twice.
 * What waited two seconds for the worker that has its workflow ready goes to any, so that after a worker's death an answer
 * is taken within the four that an api gives it.
 */
const workflowTasks = {
  stickyQueueScheduleToStartTimeout: '2s',
  maxConcurrentWorkflowTaskExecutions: 12,
} satisfies Partial<WorkerOptions>;
/** Time for a stopping worker's last writes; an unresponsive database or server is not awaited. */
const lastWritesMs = 1_500;

export async function startWorker(deps: RoleDeps): Promise<WorkerRole> {
  const { config, store, target, log, time } = deps;
  const workerId = randomUUID();
  const [native, connection] = await Promise.all([
    NativeConnection.connect(target.connection),
    Connection.connect(lastingConnection(target)),
  ]);
  const dataConverter = dataConverterOf(deps.codec, deps.prover, 'worker');
  const client = new Client({
    connection,
    namespace: target.namespace,
    dataConverter: dataConverterOf(deps.codec, deps.prover),
  });
  const cards = createCardKeeper({
    agents: () => Object.keys(config.agents),
    transportOf: createTransports(config, log.child({ part: 'agents' }), { traces: deps.traces }),
    save: (agent, card) => store.agents.saveCard(agent, card),
    log: log.child({ part: 'cards' }),
  });
  const engine = createEngine(client, time.now);
  const timing = { ...turnTiming, ...deps.timing };
  const { transportOf } = cards;
  const slots = createSlots(config.worker.turnSlots);
  const circuits = createCircuits({ store, log: log.child({ part: 'circuits' }), timing: timing.circuit, slots });
  const asking = askingOf(deps, createTaskClient(client, { now: time.now }));
  const activities = activitiesOf(deps, asking, { engine, transportOf, timing, circuits, slots, now: time.now });
  const service = nexusServiceOf(deps, asking);
  const [own, nexus] = await Promise.all([
    createWorkers(deps, { connection: native, dataConverter, activities }),
    service === null ? [] : nexusWorker(deps, { connection: native, service }),
    // Before the first deadline is written.
    time.follow(clockOf(connection, target)),
  ]);
  const workers = [...own, nexus].flat();
  const running = Promise.all(workers.map((worker) => worker.run()));
  const reach = createReach(() =>
    connection.withDeadline(Date.now() + reachMs, () => connection.workflowService.getSystemInfo({})),
  );
  const heartbeat = heartbeatOf(deps, workerId, slots, reach.now);
  await Promise.all([heartbeat.now(), takePlace(connection, target, deps.buildId, log)]);
  heartbeat.start();
  reach.start();
  cards.start();
  await keepSchedule(client, config).catch((err: unknown) =>
    log.warn({ err }, 'the reconciler’s schedule was not set'),
  );
  const leaving = new AbortController();
  const watcher = createWatcher(
    { store, engine, timing, transportOf: cards.transportOf, log: log.child({ part: 'watch' }), now: time.now },
    { signal: leaving.signal },
  );
  const tending = tendCircuits({ store, circuits, engine, transportOf, timing, log: log.child({ part: 'circuits' }) });
  tending.start();
  const heads = startHeads(deps);
  let isForced = false;
  const ended = running
    .then(() => undefined)
    .catch((error: unknown) => {
      // The SDK rejects in various ways after a forced shutdown, which is expected.
      if (!leaving.signal.aborted) throw error;
      isForced = true;
      log.warn({ err: error }, 'the worker was stopped with work under way; another one goes on with it');
    })
    .finally(() => void heartbeat.stop());
  ended.catch(() => undefined);
  return {
    ended,
    fault() {
      const states = workers.map((worker) => worker.getState()).filter((state) => state !== 'RUNNING');
      return states.length === 0 ? null : `the worker is ${states.join(', ').toLowerCase()}`;
    },
    async stop() {
      leaving.abort(new DOMException('the worker is stopping', 'AbortError'));
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
      // A heartbeat written after it would register the worker again.
      const leave = heartbeat.stop().then(() => store.workers.leave(workerId));
      const finalWork = Promise.all([
        heads?.stop(),
        watcher.ended,
        tending.stop(),
        cards.stop(),
        reach.stop(),
        time.stop(),
        leave,
      ]);
      // A call retried on a closed connection would crash the process, so connections stay open while calls are
      // pending.
      if ((await settledWithin(lastWritesMs, finalWork)) && !isForced)
        await Promise.all([native.close(), connection.close()]);
    },
  };
}

function activitiesOf(
  {
    config,
    store,
    schemas,
    sealer,
    prover,
    links,
    signer,
    log,
    metrics,
    publicUrl,
    atSeam = seamOf(process.env),
  }: RoleDeps,
  asking: AskingApi,
  own: Pick<ActivityDeps, 'engine' | 'transportOf' | 'timing' | 'circuits' | 'slots' | 'now'>,
): Activities {
  return createActivities({
    ...own,
    config,
    store,
    checkSchema: (schema, values, options) => schemas.check(schema, values, options),
    sealer,
    prover,
    links,
    signer,
    windowsOf: createCalendars(),
    connectGate: (gate, answersForm) => connectUpstream(gate, createEgress(config.egress), answersForm),
    askForServer: (asked, signal) => askForServer(asking, asked, signal),
    log: log.child({ part: 'worker' }),
    metrics: metrics.worker,
    publicUrl,
    atSeam,
  });
}

/** What a worker asks people by, for others. */
function askingOf(deps: RoleDeps, tasks: TaskClient): AskingApi {
  return { ...deps, codec: deps.codec ?? null, tasks, starts: noGate, temporalUiUrl: null, now: deps.time.now };
}

/** Null where none may ask: a server without Nexus has no queue of it to poll. */
function nexusServiceOf({ config, target, endpoint = null }: RoleDeps, asking: AskingApi): ServiceHandler | null {
  if (config.ask.nexus === undefined && endpoint === null) return null;
  const ownCallers = endpoint === null ? {} : { [endpoint]: {}, [target.namespace]: {} };
  return createNexusService({ ...asking, ownCallers });
}

/** The slots of the worker bound what is begun at a time. */
const noGate: StartGate = { refuseWhenFull: async () => {}, pass: (start) => start() };

/** Of tasks, and of what is short and must not wait behind turns. */
function createWorkers(
  { config, target, codec, buildId, workflowBundle, traces }: RoleDeps,
  { activities, ...connected }: Pick<WorkerOptions, 'connection' | 'dataConverter'> & { activities: Activities },
): Promise<Worker[]> {
  const common = {
    ...connected,
    namespace: target.namespace,
    activities: {
      ...(codec == null ? activities : hideFailures(activities)),
    } satisfies Activities as unknown as Record<string, (input: unknown) => Promise<unknown>>,
    maxHeartbeatThrottleInterval: '3s',
    defaultHeartbeatThrottleInterval: '2s',
    shutdownGraceTime: '1s',
    // Activities still running then are blocked on a database or server; another worker retries them.
    shutdownForceTime: '3s',
    ...versionedAs(buildId),
  } satisfies Partial<WorkerOptions>;
  const code = workflowBundle === undefined ? workflowCode() : { workflowBundle };
  const activity = traces?.activityInterceptors ?? [];
  return Promise.all([
    workflowWorker(config.worker).create({
      ...common,
      ...code,
      interceptors: { ...code.interceptors, activity },
      taskQueue,
      ...workflowTasks,
      maxCachedWorkflows: config.worker.workflowCache,
      maxConcurrentActivityTaskExecutions: config.worker.turnSlots,
    }),
    Worker.create({ ...common, interceptors: { activity }, taskQueue: shortQueue }),
  ]);
}

/** Signs heads of the evidence from time to time; null: no key for it. */
function startHeads({
  config,
  store,
  log,
  metrics,
  time,
  evidenceKey: key,
}: RoleDeps): ReturnType<typeof startHeadSigner> | null {
  if (key === undefined) return null;
  return startHeadSigner(
    {
      evidence: store.evidence,
      now: time.now,
      egress: createEgress(config.egress),
      log: log.child({ part: 'evidence' }),
      metrics: metrics.worker,
    },
    { ...config.evidence, key },
  );
}

/** Shows others that this worker lives, and reports those that stopped showing it. */
export function heartbeatOf(
  { config, store, log, outages = log, metrics }: RoleDeps,
  workerId: string,
  slots?: Pick<Slots, 'counts'>,
  reachesTemporal = (): boolean => true,
): ReturnType<typeof repeating> {
  // A reload replaces it: agents and channels come while the worker runs.
  let counted: Config['notifications'] | null = null;
  const effect =
    'the database takes no heartbeat of this worker: its tasks wait until it does; look at the database and its disk';
  const outage = outageOf('database', { effect, log: outages });
  return repeating(heartbeatMs, async () => {
    if (counted !== config.notifications) {
      counted = config.notifications;
      const { agents, policies } = config;
      const names = { agents: Object.keys(agents), channels: Object.keys(counted.channels), policies };
      beginAtZero(metrics.worker, names);
    }
    try {
      const levels = metrics.worker.levels.windows.changed();
      const dead = await store.workers.heartbeat(workerId, slots?.counts(), levels, reachesTemporal());
      outage.works();
      if (dead > 0) {
        metrics.worker.deadWorkers.inc(dead);
        log.warn({ dead }, 'a worker is dead: it stopped writing heartbeats a minute ago, and did not leave');
      }
    } catch (err) {
      outage.fails(() => err);
    }
  });
}

const scheduleId = 'standfast-reconcile';

/** Creates the reconciler's schedule once, and updates it to the configuration. */
async function keepSchedule(client: Client, config: Config): Promise<void> {
  const spec = { intervals: [{ every: durationMs(config.reconcile.every) }] };
  const action = { type: 'startWorkflow' as const, workflowType: reconcileWorkflowType, taskQueue, args: [] };
  const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: 60_000 };
  try {
    await client.schedule.create({ scheduleId, spec, action, policies });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update((previous) => ({ ...previous, spec, action, policies }));
  }
}

const pollMs = 50;

/**
 * For crash tests only: STANDFAST_TEST_SEAM names a step at which every activity of this process blocks, so that a test
 * knows where it kills or freezes it; for ever, or with `name:path` until that file exists.
 */
function seamOf(environment: NodeJS.ProcessEnv): ActivityDeps['atSeam'] {
  const [held, path] = environment['STANDFAST_TEST_SEAM']?.split(':') ?? [];
  return async (seam) => {
    if (held !== seam) return;
    process.stderr.write(`held at ${seam}\n`);
    while (path === undefined || !existsSync(path)) await sleep(pollMs);
  };
}
