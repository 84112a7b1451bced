// DBOS: a workflow with two steps that waits for a message, on PostgreSQL. Runs from the cache that bench/peers.mjs installs.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { serveParent } from './child.mjs';
import { repeat } from './load.mjs';

/** @type {Map<string, () => void>} */
const parked = new Map();
/** Retrieved by its id, a handle polls once a second; this one is notified. @type {Map<string, any>} */
const handles = new Map();

const task = DBOS.registerWorkflow(
  async (question) => {
    await DBOS.runStep(async () => question.length, { name: 'ask' });
    parked.get(DBOS.workflowID ?? '')?.();
    const given = await DBOS.recv('answer', 600);
    return DBOS.runStep(async () => given, { name: 'carry' });
  },
  { name: 'task' },
);

async function start({ databaseUrl }) {
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: databaseUrl, logLevel: 'error' });
  await DBOS.launch();
}

async function park(id) {
  const startedAt = performance.now();
  const isParked = new Promise((resolve) => parked.set(id, () => resolve(undefined)));
  handles.set(id, await DBOS.startWorkflow(task, { workflowID: id })('Which colour?'));
  await isParked;
  parked.delete(id);
  return performance.now() - startedAt;
}

async function answer(id) {
  const startedAt = performance.now();
  await DBOS.send(id, { colour: 'green' }, 'answer');
  await handles.get(id)?.getResult();
  handles.delete(id);
  return performance.now() - startedAt;
}

serveParent(
  {
    start,
    park: ({ ids, ...bounds }) => repeat(ids, bounds, park),
    answer: ({ ids, ...bounds }) => repeat(ids, bounds, answer),
  },
  () => DBOS.shutdown(),
);
