// The fair floor's api.
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { serveParent } from '../child.mjs';
import { openRows, serveRuns } from './product.mjs';

let stop = async () => {};

async function start({ address, databaseUrl }) {
  const rows = await openRows(databaseUrl);
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  const { url, stop: close } = await serveRuns(databaseUrl, rows, {
    start: (workflowId, given) =>
      client.workflow.executeUpdateWithStart('open', {
        args: [given],
        startWorkflowOperation: new WithStartWorkflowOperation('fairTask', {
          workflowId,
          taskQueue: 'bench-fair',
          args: [{ thread: workflowId }],
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      }),
    answer: (workflowId, given) => client.workflow.getHandle(workflowId).executeUpdate('answer', { args: [given] }),
  });
  stop = async () => {
    await close();
    await Promise.all([connection.close(), rows.close()]);
  };
  return { url };
}

serveParent({ start }, () => stop());
