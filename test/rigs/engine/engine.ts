// The durable core in this process: a real Temporal dev server, a real worker, PGlite in memory, a real agent process.
import { createSigner } from '../../../src/host/secrets/signing.ts';
import { Registry } from 'prom-client';
import { createWorkerMetrics } from '../../../src/host/metrics/worker-metrics.ts';
import { Client, Connection } from '@temporalio/client';
import type { ActivityDeps } from '../../../src/activities/deps.ts';
import type { TurnTiming } from '../../../src/activities/timing.ts';
import { createTaskClient, type TaskClient } from '../../../src/api/engine/task-client.ts';
import { timeOf } from '../../../src/cli/run/metrics.ts';
import { startWorker, type Role } from '../../../src/cli/run/worker-role.ts';
import type { Config } from '../../../src/contract/configuration/config.ts';
import type { AnswerEntry } from '../../../src/contract/holds/decision.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Principal } from '../../../src/contract/base/principal.ts';
import type { TaskStart } from '../../../src/contract/tasks/run.ts';
import { durationMs } from '../../../src/core/policy/duration.ts';
import { taskIdOf, workflowIdOf } from '../../../src/core/base/ids.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { fingerprintOf, sha1Hex } from '../../../src/host/secrets/hash.ts';
import { createLogger } from '../../../src/host/process/log.ts';
import { createSchemaRunner, type SchemaRunner } from '../../../src/host/schema/schema-runner.ts';
import type { Prover } from '../../../src/host/secrets/proofs.ts';
import type { CodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { dataConverterOf } from '../../../src/host/temporal/payload-codec.ts';
import type { TemporalTarget } from '../../../src/host/temporal/temporal-connection.ts';
import { openTestStore } from '../store/test-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { startFakeAgent, type FakeAgent, type FakeAgentSettings } from '../agents/agent.ts';
import { replayAll } from './replays.ts';
import type { Supervisor } from '../process/supervisor.ts';
import { createTaskCase, untilAnswered, type TaskCase } from './task-case.ts';
import { startTemporal, type TestTemporal } from './temporal.ts';
import { workflowBundle } from './workflow-bundle.ts';
import { asKept, prover as ownProver, testKey } from '../proofs.ts';
import { createSealer } from '../../../src/host/secrets/sealing.ts';
import { aPrincipal, aSuper, messagePlan } from '../factories.ts';

export const anna: Principal = aPrincipal('anna', 'finance');
export const bob: Principal = aPrincipal('bob', 'finance-lead');
/** In no audience. */
export const otto: Principal = aPrincipal('otto', 'sales');
/** Who owns every thread here, as without keys. */
export const local: Principal = aSuper;

/** Of api and worker here. */
export const sealer = createSealer(testKey);

export function answer(hold: { interruptId: string }, values: JsonObject): AnswerEntry {
  const fingerprint = fingerprintOf({ status: 'resolved', values });
  return { hold: hold.interruptId, status: 'resolved', values, reason: null, digest: null, fingerprint };
}

export function refusal(hold: { interruptId: string }, reason: string | null = null): AnswerEntry {
  const fingerprint = fingerprintOf({ status: 'cancelled', reason });
  return { hold: hold.interruptId, status: 'cancelled', values: {}, reason, digest: null, fingerprint };
}

export interface EngineOptions {
  /** Agents by name, each with further lines of configuration; all at the same address unless they say otherwise. */
  agents?: Record<string, JsonObject>;
  policies?: Record<string, JsonObject>;
  /** Further keys of the configuration. */
  config?: JsonObject;
  timing?: Partial<TurnTiming>;
  /** What the first worker does between a turn's commit and its result. */
  atSeam?: ActivityDeps['atSeam'];
  /** Encrypts what lies in Temporal; the store is given its keys where it is opened. */
  codec?: CodecKeys;
  /** Of an installation with a key of its own. */
  prover?: Prover;
  /** A store that is there already; closed with the engine. */
  store?: Store;
}

export interface Engine {
  store: Store;
  prover: Prover;
  client: Client;
  tasks: TaskClient;
  schemas: SchemaRunner;
  config: Config;
  /** Stops the worker started last, or the first one. */
  stopWorker(which?: 'first' | 'last'): Promise<void>;
  /** A worker over the same store: the first one again after `stopWorker`, or an additional one. */
  startWorker(options?: {
    target?: TemporalTarget;
    schemas?: SchemaRunner;
    atSeam?: ActivityDeps['atSeam'];
    workflowBundle?: { codePath: string };
  }): Promise<Role>;
  /** Puts the intake row and opens a task on a thread of its own, as the api does. */
  open(
    text: string,
    names?: { agent?: string; threadId?: string; runId?: string; owner?: Principal },
  ): Promise<TaskCase>;
  /** The same, where the opening may be refused or may fail. */
  post(start: TaskStart): ReturnType<TaskClient['open']>;
  /** Start arguments with their intake row in the store. */
  prepare(
    text: string,
    names?: { agent?: string; threadId?: string; runId?: string; owner?: Principal },
  ): Promise<TaskStart>;
  stop(): Promise<void>;
}

const publicUrl = 'http://127.0.0.1:8600';

/** Bounds as short as a quiet machine allows, so that a test of a fault takes moments. */
const quickTiming: Partial<TurnTiming> = {
  sendForMs: 1_500,
  settleMs: 200,
  callMs: 2_000,
  silenceMs: 1_000,
  backoffMs: 50,
  maxBackoffMs: 400,
  missingMs: 300,
};

function configOf(agentUrl: string, options: EngineOptions): Config {
  const agents = { fake: {}, ...options.agents };
  const whole = {
    agents: Object.fromEntries(
      Object.entries(agents).map(([name, more]) => [name, { url: agentUrl, policy: 'plain', ...more }]),
    ),
    policies: { plain: {}, ...options.policies },
    temporal: { answers: true },
    ...options.config,
  };
  // JSON is YAML.
  const loaded = loadConfig({ text: JSON.stringify(whole), env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

function limitsOf({ agents }: Config, agent: string): TaskStart['limits'] {
  const { silence, total } = agents[agent]?.limits ?? {};
  const ms = (text: string | undefined): number | null => (text === undefined ? null : durationMs(text));
  return { silenceMs: ms(silence), totalMs: ms(total) };
}

export interface Core {
  temporal: TestTemporal;
  agent: FakeAgent;
  engine: Engine;
  stop(): Promise<void>;
}

export interface CoreOptions extends EngineOptions {
  /** Settings of the Temporal server, on top of the usual ones. */
  dynamicConfig?: Record<string, string>;
  /** Settings of the fake agent. */
  settings?: FakeAgentSettings;
}

/** Everything a test file needs, started side by side; `stop` ends the engine and then all that the supervisor started. */
export async function startCore(supervisor: Supervisor, options: CoreOptions = {}): Promise<Core> {
  const started = await startParts(supervisor, options).catch(async (error: unknown) => {
    // No caller can stop it: what runs would keep the test process alive.
    await supervisor.end();
    throw error;
  });
  const { temporal, agent, engine } = started;
  return {
    temporal,
    agent,
    engine,
    async stop() {
      try {
        await engine.stop();
      } finally {
        await supervisor.end();
      }
    },
  };
}

async function startParts(
  supervisor: Supervisor,
  options: CoreOptions,
): Promise<Pick<Core, 'temporal' | 'agent' | 'engine'>> {
  const [temporal, agent, store] = await Promise.all([
    startTemporal(supervisor, options.dynamicConfig),
    startFakeAgent(supervisor, options.settings === undefined ? {} : { settings: options.settings }),
    options.store ?? openTestStore(),
    workflowBundle(),
  ]);
  return { temporal, agent, engine: await startEngine(temporal, agent.url, { ...options, store }) };
}

async function startEngine(
  { target }: { target: TemporalTarget },
  agentUrl: string,
  options: EngineOptions = {},
): Promise<Engine> {
  const config = configOf(agentUrl, options);
  const store = options.store ?? (await openTestStore());
  const schemas = createSchemaRunner();
  const level = process.env['STANDFAST_TEST_LOG'] === undefined ? 'silent' : 'debug';
  const log = createLogger({ level, name: 'test' });
  const timing = { ...quickTiming, ...options.timing };
  const bundle = await workflowBundle();
  const { codec = null, prover = ownProver } = options;
  const registry = new Registry();
  const metrics = { registry, worker: createWorkerMetrics(registry) };
  const startAnother: Engine['startWorker'] = (over = {}) =>
    startWorker({
      config,
      store,
      target,
      schemas,
      sealer,
      links: null,
      signer: createSigner('5e'.repeat(32)),
      prover,
      metrics,
      time: timeOf(log, metrics),
      log,
      publicUrl,
      timing,
      codec,
      workflowBundle: bundle,
      ...over,
    });
  const { atSeam } = options;
  const roles = [await startAnother(atSeam === undefined ? {} : { atSeam })];
  // Histories come whole.
  const channelArgs = { 'grpc.max_receive_message_length': -1 };
  const connection = await Connection.connect({ ...target.connection, channelArgs });
  const client = new Client({ connection, namespace: target.namespace, dataConverter: dataConverterOf(codec, prover) });
  const tasks = createTaskClient(client, { now: () => new Date() });
  let count = 0;

  const prepare: Engine['prepare'] = async (text, names = {}) => {
    count += 1;
    const { agent = 'fake', threadId = `t-${count}`, runId = `r-${count}`, owner = local } = names;
    const body: JsonObject = {
      threadId,
      runId,
      state: {},
      messages: [{ id: `m-${runId}`, role: 'user', content: text }],
    };
    const fingerprint = fingerprintOf(body);
    const receivedAt = new Date().toISOString();
    await store.threads.claim(agent, threadId, owner.id);
    await store.intake.put(
      asKept(
        {
          agent,
          threadId,
          runId,
          fingerprint,
          principal: owner,
          receivedAt,
          body,
          plan: messagePlan(),
        },
        prover,
      ),
    );
    return {
      version: 1,
      taskId: taskIdOf(sha1Hex, agent, threadId, runId),
      agent,
      threadId,
      owner: owner.id,
      opening: { runId, fingerprint, principal: owner, receivedAt, kind: 'message', seen: null },
      contextId: null,
      publicUrl,
      limits: limitsOf(config, agent),
      restartOf: null,
      ...(codec === null ? {} : { hidesText: true }),
    };
  };
  return {
    store,
    prover,
    client,
    tasks,
    schemas,
    config,
    prepare,
    async stopWorker(which = 'last') {
      await (which === 'last' ? roles.pop() : roles.shift())?.stop();
    },
    async startWorker(over) {
      const role = await startAnother(over);
      roles.push(role);
      return role;
    },
    post: (start) => tasks.open(start, ''),
    async open(text, names) {
      const start = await prepare(text, names);
      const result = await untilAnswered(() => tasks.open(start, text));
      if (result.kind !== 'answer') throw new Error(`not admitted: ${JSON.stringify(result)}`);
      const handle = client.workflow.getHandle(workflowIdOf(start.agent, start.threadId));
      const { raw } = await handle.describe();
      const firstExecutionRunId = raw.workflowExecutionInfo?.firstRunId ?? '';
      return createTaskCase({ store, client, tasks, prover }, { ...start, firstExecutionRunId });
    },
    async stop() {
      for (const role of roles.splice(0)) await role.stop();
      try {
        await replayAll(client, dataConverterOf(codec, prover, 'worker'));
      } finally {
        await connection.close();
        await schemas.close();
        await store.close();
      }
    },
  };
}
