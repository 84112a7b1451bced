// npm install @standfast/client && npx tsx worker.ts
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import * as activities from './activities.ts';

const address = process.env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233';
const connection = await NativeConnection.connect({ address });
const workflowsPath = fileURLToPath(new URL('workflows.ts', import.meta.url));
const worker = await Worker.create({ connection, taskQueue: 'payments', workflowsPath, activities });
console.log('ready');
await worker.run();
