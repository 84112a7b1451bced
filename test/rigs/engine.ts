// The durable core in this process: a real Temporal dev server, a real worker, PGlite in memory, a real agent process.
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { createTaskClient } from '../../src/api/task-client.ts';
import type { TaskClient } from '../../src/api/task-client.ts';
import { printOf, sha1Hex } from '../../src/host/hash.ts';
import { startWorker } from '../../src/cli/worker-role.ts';
import type { Role } from '../../src/cli/worker-role.ts';
import type { AnswerEntry, DecideDoor } from '../../src/contract/decision.ts';
import type { Principal } from '../../src/contract/principal.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { TaskStart } from '../../src/contract/run.ts';
import { taskIdOf, workflowIdOf } from '../../src/core/ids.ts';
import { loadConfig } from '../../src/host/config.ts';
import { createLogger } from '../../src/host/log.ts';
import { createSchemaRunner } from '../../src/host/schema-runner.ts';
import { resolveTemporal } from '../../src/host/temporal-cli.ts';
import { startEmbeddedTemporal } from '../../src/host/temporal-server.ts';
import type { EmbeddedTemporal } from '../../src/host/temporal-server.ts';
import { prepareNamespace } from '../../src/host/temporal-setup.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { HoldRow, Store, TaskRow } from '../../src/store/store.ts';
import { waitFor } from './wait-for.ts';
import type { Supervisor } from './supervisor.ts';

export const anna: Principal = { id: 'anna', roles: ['finance'], isSuper: false };
export const local: Principal = { id: 'local', roles: [], isSuper: true };

/** A Temporal dev server of its own for one test file. */
export async function startTemporal(supervisor: Supervisor): Promise<EmbeddedTemporal> {
  const source = await resolveTemporal({ env: { ...process.env, TEMPORAL_ADDRESS: undefined } });
  if (source.use !== 'cli') throw new Error('tests need a Temporal CLI of their own');
  const dataDir = await supervisor.tempDir();
  const port = await supervisor.freePort();
  const uiPort = await supervisor.freePort();
  const server = await startEmbeddedTemporal({
    cliPath: source.path,
    dataDir,
    port,
    uiPort,
    logFile: join(dataDir, 'temporal.log'),
  });
  supervisor.defer(() => server.stop());
  await prepareNamespace(server.target);
  return server;
}

export interface Engine {
  store: Store;
  client: Client;
  tasks: TaskClient;
  worker: Role;
  /** Puts the intake row and opens a task, as the api does. */
  open(threadId: string, runId: string, text: string): Promise<{ taskId: string; handle: WorkflowHandle }>;
  resume(task: TaskRow, runId: string, entries: AnswerEntry[], principal?: Principal): ReturnType<TaskClient['resume']>;
  decide(task: TaskRow, entry: AnswerEntry, principal?: Principal): ReturnType<TaskClient['decide']>;
  task(taskId: string): Promise<TaskRow>;
  waitForStatus(taskId: string, ...statuses: string[]): Promise<TaskRow>;
  openHolds(taskId: string): Promise<HoldRow[]>;
  /** Event types of a run's log, in order. */
  log(threadId: string, runId: string): Promise<(JsonObject & { type: string })[]>;
  stop(): Promise<void>;
}

const agent = 'fake';

export function answer(hold: { interruptId: string }, values: JsonObject): AnswerEntry {
  const print = printOf({ status: 'resolved', values });
  return { hold: hold.interruptId, status: 'resolved', values, reason: null, digest: null, print };
}

export function refusal(hold: { interruptId: string }, reason: string | null = null): AnswerEntry {
  return { hold: hold.interruptId, status: 'cancelled', values: {}, reason, digest: null, print: printOf({ status: 'cancelled', reason }) };
}

export async function startEngine(temporal: EmbeddedTemporal, agentUrl: string, yaml = ''): Promise<Engine> {
  const loaded = loadConfig({ text: `agents:\n  ${agent}:\n    url: ${agentUrl}\n    policy: test\n${yaml}`, env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const store = await openStore({});
  const schemas = createSchemaRunner();
  const log = createLogger({ level: 'error', name: 'test' });
  const publicUrl = 'http://127.0.0.1:8600';
  const worker = await startWorker({ config: loaded.config, store, target: temporal.target, schemas, log, publicUrl });
  const connection = await Connection.connect(temporal.target.connection);
  const client = new Client({ connection, namespace: temporal.target.namespace });
  const tasks = createTaskClient(client);

  const keep = async (threadId: string, runId: string, body: JsonObject): Promise<string> => {
    const print = printOf(body);
    await store.threads.claim(agent, threadId, local.id);
    await store.intake.put({ agent, threadId, runId, print, principal: local, receivedAt: new Date().toISOString(), body });
    return print;
  };
  const task = async (taskId: string): Promise<TaskRow> => {
    const row = await store.tasks.get(taskId);
    if (row === null) throw new Error(`no task ${taskId}`);
    return row;
  };
  return {
    store,
    client,
    tasks,
    worker,
    task,
    async open(threadId, runId, text) {
      const body: JsonObject = { threadId, runId, state: {}, messages: [{ id: `m-${runId}`, role: 'user', content: text }] };
      const print = await keep(threadId, runId, body);
      const taskId = taskIdOf(sha1Hex, agent, threadId, runId);
      const start: TaskStart = {
        version: 1,
        taskId,
        agent,
        threadId,
        owner: local.id,
        opening: { runId, print, principal: local, receivedAt: new Date().toISOString(), resume: null },
        contextId: null,
        publicUrl,
      };
      const heard = await tasks.open(start);
      if (heard.heard !== 'answer') throw new Error(`not admitted: ${JSON.stringify(heard)}`);
      return { taskId, handle: client.workflow.getHandle(workflowIdOf(agent, threadId)) };
    },
    async resume(row, runId, entries, principal = local) {
      const print = await keep(row.threadId, runId, { threadId: row.threadId, runId, messages: [] });
      return tasks.resume(row, { runId, print, principal, receivedAt: new Date().toISOString(), resume: entries });
    },
    decide(row, entry, principal = local) {
      const door: DecideDoor = { entry, principal, receivedAt: new Date().toISOString() };
      return tasks.decide(row, door);
    },
    waitForStatus: (taskId, ...statuses) =>
      waitFor(
        async () => {
          const row = await store.tasks.get(taskId);
          return row !== null && statuses.includes(row.status) ? row : undefined;
        },
        20_000,
        `task ${taskId} to be ${statuses.join(' or ')}`,
      ),
    async openHolds(taskId) {
      return (await store.holds.ofTask(taskId)).filter((hold) => hold.status === 'open');
    },
    async log(threadId, runId) {
      const run = await store.runs.get({ agent, threadId, runId });
      if (run === null) return [];
      return (await store.log.read(run.logId, 0, 100_000)).map(({ event }) => event);
    },
    async stop() {
      await worker.stop();
      await connection.close();
      await schemas.close();
      await store.close();
    },
  };
}
