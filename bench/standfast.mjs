// Standfast as `standfast up` runs it: worker, api and PGlite in one process, from dist. The api is opened in the
// same way as the api opens them, here without HTTP, so that the bare engine is compared with nothing but Standfast.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { Registry } from 'prom-client';
import { planRun } from '#dist/api/runs/plan-run.js';
import { createStartGate } from '#dist/api/runs/start-gate.js';
import { createPrometheusMetrics } from '#dist/api/http/prometheus.js';
import { createTaskClient } from '#dist/api/engine/task-client.js';
import { createRunReaders } from '#dist/api/tasks/run-readers.js';
import { startApi } from '#dist/cli/run/api-role.js';
import { createProcessMetrics, timeOf } from '#dist/cli/run/metrics.js';
import { logTemporalTo } from '#dist/cli/run/quiet-temporal.js';
import { secretsFor } from '#dist/cli/run/seal-key.js';
import { startWorker } from '#dist/cli/run/worker-role.js';
import { workflowIdOf } from '#dist/core/base/ids.js';
import { loadConfig } from '#dist/config/config.js';
import { createLogger } from '#dist/host/process/log.js';
import { dataConverterOf } from '#dist/host/temporal/payload-codec.js';
import { createSchemaRunner } from '#dist/host/schema/schema-runner.js';
import { openStore } from '#dist/store/open-store.js';
import { readRunInput } from '#dist/wire/agui/input/run-input.js';
import { serveParent, within } from './child.mjs';
import { repeat } from './load.mjs';
import { openQuestion } from './questions.mjs';
import { maxTries, passing } from './sse.mjs';

const agent = 'bench';
const principal = { id: 'local', roles: [], isSuper: true };
let store;
let client;
/** @type {import('#dist/api/runs/plan-run.js').Planning} */
let context;
let unanswered = 0;
/** An answer that was not taken by then is given again. */
const againMs = 15_000;
let stop = async () => {};

async function start({ target, agentUrl, dataDir, toolsUrl }) {
  // JSON is YAML.
  const text = JSON.stringify({ agents: { [agent]: { url: agentUrl } }, ...(toolsUrl && gateBefore(toolsUrl)) });
  const loaded = loadConfig({ text, env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { config } = loaded;
  const log = createLogger({ level: 'error', name: 'bench' });
  logTemporalTo(log, target, null);
  store = await openStore({ dataDir: join(dataDir, 'pglite') });
  const schemas = createSchemaRunner();
  const { sealer, prover } = await secretsFor(undefined, store);
  const metrics = await createProcessMetrics('up', { metricsHost: '127.0.0.1', metricsPort: undefined });
  const publicUrl = 'http://127.0.0.1:8600';
  const time = timeOf(log, metrics);
  const roles = {
    config,
    store,
    target,
    schemas,
    metrics,
    sealer,
    prover,
    links: null,
    signer: null,
    log,
    publicUrl,
    time,
  };
  const worker = await startWorker(roles);
  const api = await startApi({ ...roles, host: '127.0.0.1', port: 0, temporalUiUrl: null });
  const connection = await Connection.connect(target.connection);
  client = new Client({ connection, namespace: target.namespace, dataConverter: dataConverterOf(null, prover) });
  const checkAnswer = (schema, values) => schemas.check(schema, values);
  const tasks = countUnanswered(createTaskClient(client, { now: () => new Date() }));
  const runReaders = createRunReaders();
  const starts = createStartGate(0, createPrometheusMetrics(new Registry()));
  context = { config, starts, store, tasks, checkAnswer, sealer, prover, runReaders, publicUrl, now: () => new Date() };
  stop = async () => {
    await api.stop();
    await worker.stop();
    await connection.close();
    await schemas.close();
    await store.close();
  };
  return { runUrl: `${api.url}/agents/${agent}/run`, gateUrl: `${api.url}/gates/tools/mcp` };
}

/** All but calls with `hold` pass. */
const gateBefore = (url) => ({
  gates: {
    tools: {
      url,
      policy: 'ask',
      wait: '20s',
      rules: [{ data: 'hold exists', then: { ask: 'ask' } }, { then: 'pass' }],
    },
  },
  policies: { ask: {} },
});

/** No answer within the api's own deadline: the run still happens, and its end is waited for. */
function countUnanswered(tasks) {
  const counted =
    (call) =>
    async (...args) => {
      const result = await call(...args);
      if (result.kind === 'unanswered') unanswered += 1;
      return result;
    };
  return { ...tasks, open: counted(tasks.open), resume: counted(tasks.resume) };
}

/** Plans the run and posts it, as its route does; what it comes to is read from the events. */
async function handOver(body) {
  const read = readRunInput({ ...body, state: {}, tools: [], context: [] });
  if (!read.ok) throw new Error(`no run: ${JSON.stringify(body)}`);
  const plan = await planRun(context, { agent, principal, source: 'resume', input: read.input });
  // Posted again, it is read where it is.
  if (plan.kind !== 'posted' && plan.kind !== 'replayed') throw new Error(`not posted: ${plan.kind}`);
  return plan;
}

/** From the run to its question lying open for people: the end of the run's log. */
async function park(threadId) {
  const startedAt = performance.now();
  const last = await lastOfAsking(threadId);
  if (last?.outcome?.type !== 'interrupt') throw new Error(`not parked: ${JSON.stringify(last)}`);
  return performance.now() - startedAt;
}

/** On a machine that cannot keep up the message is sent again, as a front end does; the report counts how often. */
async function lastOfAsking(threadId) {
  for (let tries = 1; ; tries += 1) {
    try {
      const plan = await handOver({ threadId, runId: 'ask', messages: [{ id: 'm', role: 'user', content: 'ask' }] });
      let last;
      for await (const items of plan.events(AbortSignal.timeout(60_000))) last = items.at(-1)?.event ?? last;
      return last;
    } catch (error) {
      if (tries === maxTries || !passing.includes(error.code)) throw error;
    }
  }
}

/** From the answer to the workflow completed. */
async function answer(threadId) {
  const [hold] = await store.holds.ofThread(agent, threadId);
  const startedAt = performance.now();
  const resume = [{ interruptId: hold.interruptId, status: 'resolved', payload: { colour: 'green' } }];
  const completed = client.workflow.getHandle(workflowIdOf(agent, threadId)).result();
  for (let tries = 1; ; tries += 1) {
    await handOver({ threadId, runId: 'answer', messages: [], resume });
    const isOver = await within(againMs, completed, `the end of ${threadId}`).then(
      () => true,
      () => tries === maxTries,
    );
    if (isOver) break;
  }
  await completed;
  return performance.now() - startedAt;
}

/** Open questions for the pages: yes or no, and as the last a long form; resolves with their ids. */
async function seed({ count, fields }) {
  const rows = Array.from({ length: count }, (_, n) => openQuestion(n, n === count - 1 ? { fields } : {}));
  for (let from = 0; from < rows.length; from += 200) await store.holds.putOnce(rows.slice(from, from + 200));
  return rows.map(({ holdId }) => holdId);
}

/** So many changes a second, of these in turn; resolves with how many there were. */
async function stir({ ids, perSecond, seconds }) {
  const startedAt = performance.now();
  const lasted = () => (performance.now() - startedAt) / 1000;
  let done = 0;
  while (lasted() < seconds) {
    await store.holds.claim(ids[done % ids.length], { by: `person-${done}`, at: new Date().toISOString() });
    done += 1;
    const aheadMs = 1000 * (done / perSecond - lasted());
    if (aheadMs > 0) await delay(aheadMs);
  }
  return done;
}

serveParent(
  {
    start,
    park: ({ ids, ...bounds }) => repeat(ids, bounds, park),
    answer: ({ ids, ...bounds }) => repeat(ids, bounds, answer),
    events: async ({ id }) => (await client.workflow.getHandle(workflowIdOf(agent, id)).describe()).historyLength,
    seed,
    stir,
    unanswered: () => unanswered,
    bytes: () => store.bytes(),
    /** Sockets and timers that keep this process. */
    resources: () => {
      const held = process.getActiveResourcesInfo();
      return {
        sockets: held.filter((name) => name.startsWith('TCP')).length,
        timers: held.filter((name) => name === 'Timeout').length,
      };
    },
  },
  () => stop(),
);
