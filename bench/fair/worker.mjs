// The fair floor's worker.
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { serveParent } from '../child.mjs';
import { createTurns, openRows } from './product.mjs';

const logger = new DefaultLogger('ERROR');
Runtime.install({ logger, telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } } });

let stop = async () => {};

async function start({ address, agentUrl, databaseUrl }) {
  const rows = await openRows(databaseUrl, { isFirst: true });
  const turn = await createTurns(rows, agentUrl);
  const workflowsPath = fileURLToPath(new URL('./workflow.js', import.meta.url));
  const workflowBundle = await bundleWorkflowCode({ logger, workflowsPath });
  const connection = await NativeConnection.connect({ address });
  const activities = { turn };
  const worker = await Worker.create({ connection, taskQueue: 'bench-fair', workflowBundle, activities });
  const running = worker.run();
  stop = async () => {
    worker.shutdown();
    await running;
    await Promise.all([connection.close(), rows.close()]);
  };
}

serveParent({ start }, () => stop());
