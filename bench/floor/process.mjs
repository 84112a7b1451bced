// The bare engine: a worker with its client, as anybody would write them. With an agent and a directory it is the second
// floor: the same workflow, whose two activities talk to the agent and write down its answers.
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { Client, Connection } from '@temporalio/client';
import { fileURLToPath } from 'node:url';
import { serveParent } from '../child.mjs';
import { repeat } from '../load.mjs';
import { startWork } from './work.mjs';

const logger = new DefaultLogger('ERROR');
Runtime.install({ logger, telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } } });

/** @type {Map<string, () => void>} */
const parked = new Map();
let client;
let taskQueue = '';
let stop = async () => {};

async function start({ address, agentUrl, dataDir, databaseUrl }) {
  const work = agentUrl === undefined ? null : await startWork({ agentUrl, dataDir, databaseUrl });
  taskQueue = work === null ? 'bench-floor' : 'bench-floor-with-work';
  const workflowsPath = fileURLToPath(new URL('./workflow.js', import.meta.url));
  const workflowBundle = await bundleWorkflowCode({ logger, workflowsPath });
  // In this order: the first waits for a server that is only starting.
  const connection = await Connection.connect({ address, connectTimeout: '30s' });
  const native = await NativeConnection.connect({ address });
  client = new Client({ connection });
  const worker = await Worker.create({
    connection: native,
    taskQueue,
    workflowBundle,
    activities: {
      ask: async () => work?.converse('ask') ?? {},
      carry: async (ids, given) => (await work?.converse(given.colour, ids)) ?? given,
    },
    sinks: { bench: { parked: { fn: (_info, /** @type {any} */ id) => parked.get(id)?.(), callDuringReplay: false } } },
  });
  const running = worker.run();
  stop = async () => {
    worker.shutdown();
    await running;
    await Promise.all([native.close(), connection.close(), work?.stop()]);
  };
}

/** From the start to the workflow waiting. */
async function park(id) {
  const startedAt = performance.now();
  const isParked = new Promise((resolve) => parked.set(id, () => resolve(undefined)));
  await client.workflow.start('floorTask', { workflowId: id, taskQueue, args: ['Which colour?'] });
  await isParked;
  parked.delete(id);
  return performance.now() - startedAt;
}

/** From the answer to the workflow completed. */
async function answer(id) {
  const startedAt = performance.now();
  const handle = client.workflow.getHandle(id);
  await handle.executeUpdate('answer', { args: [{ colour: 'green' }] });
  await handle.result();
  return performance.now() - startedAt;
}

serveParent(
  {
    start,
    park: ({ ids, ...bounds }) => repeat(ids, bounds, park),
    answer: ({ ids, ...bounds }) => repeat(ids, bounds, answer),
    events: async ({ id }) => (await client.workflow.getHandle(id).describe()).historyLength,
  },
  () => stop(),
);
