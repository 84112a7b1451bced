// npm install @standfast/client && STANDFAST_API_KEY=… npx tsx worker-without-nexus.ts
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import * as payments from './activities.ts';
import * as people from './ask-people.ts';

const address = process.env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233';
const connection = await NativeConnection.connect({ address });
const workflowsPath = fileURLToPath(new URL('without-nexus.ts', import.meta.url));
const activities = { ...payments, ...people };
const worker = await Worker.create({ connection, taskQueue: 'payments-without-nexus', workflowsPath, activities });
console.log('ready');
await worker.run();
