// The same product on DBOS, in one process: its workflows' state is in the same PostgreSQL. Runs from the cache of bench/peers.mjs.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { serveParent } from './child.mjs';
import { createTurns, openRows, serveRuns } from './product.mjs';

const ninetyDays = 90 * 24 * 3600;
let turn;
let stop = async () => {};

const task = DBOS.registerWorkflow(
  async (opened) => {
    const ids = await DBOS.runStep(() => turn(opened), { name: 'ask' });
    const answer = await DBOS.recv('answer', ninetyDays);
    if (answer === null) throw new Error('nobody answered');
    return DBOS.runStep(() => turn({ ...answer, ids }), { name: 'carry' });
  },
  { name: 'fairTask' },
);

async function start({ databaseUrl, agentUrl }) {
  const rows = await openRows(databaseUrl, { isFirst: true });
  turn = await createTurns(rows, agentUrl);
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: databaseUrl, logLevel: 'error' });
  await DBOS.launch();
  const { url, stop: close } = await serveRuns(databaseUrl, rows, {
    start: async (workflowID, given) => void (await DBOS.startWorkflow(task, { workflowID })(given)),
    answer: (workflowID, given) => DBOS.send(workflowID, given, 'answer'),
  });
  stop = async () => {
    await close();
    await DBOS.shutdown();
    await rows.close();
  };
  return { url };
}

serveParent({ start }, () => stop());
