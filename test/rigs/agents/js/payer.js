// An agent on the JavaScript SDK of A2A 1.0 that asks by a form for each call, and writes down what it executes, whether its pushes
// were taken, and who joins a task. Its words are those of python/payer.py: "pay 1 and 2", "slow", "linger", and anything else.
//
//     node payer.js --port N [--binding HTTP+JSON] [--binding GRPC --grpc-port N] [--tls-cert FILE --tls-key FILE]
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer as createClear } from 'node:http';
import { createServer as createSecured } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { AGENT_CARD_PATH, AgentCard, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultPushNotificationSender,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import express from 'express';

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '' },
    binding: { type: 'string', default: 'JSONRPC' },
    'grpc-port': { type: 'string', default: '' },
    'tls-cert': { type: 'string' },
    'tls-key': { type: 'string' },
  },
});
const { binding } = options;
const isGrpc = binding === 'GRPC';
const pair = options['tls-cert'] && {
  cert: readFileSync(options['tls-cert']),
  key: readFileSync(options['tls-key']),
};
const ledger = process.env.AGENT_LEDGER;
const payee = 'Miller Ltd';
const count = (...entry) => appendFileSync(ledger, `${JSON.stringify(entry)}\n`);

/** What a task was begun with: gone with the process, as its tasks are. */
const asked = new Map();

const formOf = (invoice) => ({
  data: {
    type: 'a2a.hitl.form',
    formId: `pay-${invoice}`,
    title: `Pay invoice ${invoice}?`,
    fields: [{ name: 'approved', type: 'boolean', required: true }],
  },
});

function payment(invoice, answers) {
  const { values } = answers.find(({ formId }) => formId === `pay-${invoice}`) ?? {};
  if (values?.approved !== true) return `${invoice} not paid`;
  count(invoice, payee);
  return `paid ${invoice} to ${payee}`;
}

const executor = {
  async execute({ taskId, contextId, task, userMessage }, bus) {
    const contents = userMessage.parts.map(({ content }) => content);
    const of = (kind) => contents.flatMap((content) => (content?.$case === kind ? [content.value] : []));
    const status = (state, parts) => {
      const message = { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', taskId, contextId, parts };
      const event = { taskId, contextId, status: { state: `TASK_STATE_${state}`, ...(parts && { message }) } };
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(event)));
    };
    if (task !== undefined) {
      bus.publish(AgentEvent.task(task));
      const answers = of('data');
      status('COMPLETED', [
        {
          text: asked
            .get(taskId)
            .map((invoice) => payment(invoice, answers))
            .join('; '),
        },
      ]);
      return;
    }
    const begun = Task.fromJSON({ id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' } });
    begun.history = [userMessage];
    bus.publish(AgentEvent.task(begun));
    status('WORKING');
    const words = of('text').join(' ');
    if (words.includes('slow')) {
      count('slow');
      await setTimeout(3_600_000);
    }
    if (words.includes('linger')) {
      count('slow');
      while (!existsSync(`${ledger}.go`)) await setTimeout(100);
    }
    const invoices = words.includes('pay') ? [...words.matchAll(/\d+/g)].map(([invoice]) => Number(invoice)) : [];
    if (invoices.length > 0) {
      asked.set(taskId, invoices);
      status('INPUT_REQUIRED', invoices.map(formOf));
      return;
    }
    for (const [at, piece] of ['One ', 'two ', 'three ', 'four'].entries()) {
      const artifact = { artifactId: 'words', parts: [{ text: piece }] };
      const event = { taskId, contextId, artifact, append: at > 0 };
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(event)));
    }
    status('COMPLETED');
  },
  async cancelTask(taskId, bus) {
    const status = { state: 'TASK_STATE_CANCELED' };
    bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId: '', status })));
    bus.finished();
  },
};

// Nothing but pushes is fetched here.
const { fetch } = globalThis;
globalThis.fetch = async (...args) => {
  const response = await fetch(...args);
  count('push', response.ok ? null : response.status);
  return response;
};

const scheme = pair === undefined ? 'http' : 'https';
const grpcAddress = `127.0.0.1:${options['grpc-port']}`;
const url = `${isGrpc ? 'http' : scheme}://127.0.0.1:${options.port}`;
// As the SDKs' own samples write it: gRPC has no scheme and no path.
const grpcUrl = pair === undefined ? grpcAddress : `grpcs://${grpcAddress}`;
const card = AgentCard.fromJSON({
  name: 'payer',
  description: 'Pays invoices',
  version: '1.0.0',
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  supportedInterfaces: [{ url: isGrpc ? grpcUrl : `${url}/a2a`, protocolBinding: binding, protocolVersion: '1.0' }],
});
const pushStore = new InMemoryPushNotificationStore();
const sender = new DefaultPushNotificationSender(pushStore);
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor, undefined, pushStore, sender);
const { resubscribe } = requestHandler;
requestHandler.resubscribe = async function* (...args) {
  count('joined', args[0].id);
  yield* resubscribe.apply(requestHandler, args);
};

const app = express();
const parts = { requestHandler, userBuilder: UserBuilder.noAuthentication };
app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler }));
app.use('/a2a', binding === 'HTTP+JSON' ? restHandler(parts) : jsonRpcHandler(parts));
if (isGrpc) {
  const server = new Server();
  server.addService(A2AService, grpcService(parts));
  const proof = pair && [{ private_key: pair.key, cert_chain: pair.cert }];
  const credentials = proof ? ServerCredentials.createSsl(null, proof) : ServerCredentials.createInsecure();
  await new Promise((done, fail) =>
    server.bindAsync(grpcAddress, credentials, (error) => (error === null ? done() : fail(error))),
  );
}
const web = pair === undefined || isGrpc ? createClear(app) : createSecured(pair, app);
web.listen(Number(options.port), '127.0.0.1', () => console.log(`payer agent ready ${url}/`));
