// A real agent on the JavaScript SDK, which notifies a real api: from the message sent to the task that is polled.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard, Task, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  DefaultPushNotificationSender,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  type AgentExecutor,
} from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService, UserBuilder as GrpcUserBuilder } from '@a2a-js/sdk/server/grpc';
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import express from 'express';
import { openEgress } from '../../rigs/open-egress.ts';
import { createA2aTransport } from '../../../src/activities/a2a/a2a-transport.ts';
import { pushOf } from '../../../src/activities/a2a/push-target.ts';
import { AgentConfigSchema } from '../../../src/contract/configuration/agent-config.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { leastBoundMs, waitFor } from '../../rigs/wait-for.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi();
let publicUrl: string;
const servers: Server[] = [];
const grpcServers: GrpcServer[] = [];
beforeAll(async () => {
  // The SDK tells of every notification it sends.
  for (const how of ['info', 'warn'] as const) jest.spyOn(console, how).mockImplementation(() => undefined);
  publicUrl = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => {
  jest.restoreAllMocks();
  for (const server of grpcServers) server.forceShutdown();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

interface Agent {
  url: string;
  /** Of its port for gRPC, where it has one. */
  grpcOrigin: string;
  /** Ends the turn of every task. */
  finish(): void;
}

/** Where gRPC is to listen: the agent's card is needed before its service is. */
async function startGrpc(): Promise<{ server: GrpcServer; address: string }> {
  const server = new GrpcServer();
  grpcServers.push(server);
  const port = await new Promise<number>((done, failed) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? done(bound) : failed(error),
    ),
  );
  return { server, address: `127.0.0.1:${port}` };
}

/** Works until a message ends it. */
async function startAgent(options: { version: string; binding: string; push: boolean }): Promise<Agent> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const executor: AgentExecutor = {
    async execute({ taskId, contextId, userMessage, task }, bus) {
      const fresh = Task.fromJSON({ id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' } });
      fresh.history = [userMessage];
      bus.publish(AgentEvent.task(task ?? fresh));
      await finished;
      const status = { state: 'TASK_STATE_COMPLETED' };
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status })));
      bus.finished();
    },
    cancelTask: () => Promise.resolve(),
  };
  const grpc = await startGrpc();
  const own = options.binding === 'GRPC' ? grpc.address : `${url}/a2a`;
  const card = AgentCard.fromJSON({
    name: 'pushing',
    description: '',
    version: '1',
    capabilities: { streaming: true, pushNotifications: options.push },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    supportedInterfaces: [{ url: own, protocolBinding: options.binding, protocolVersion: options.version }],
  });
  const pushes = new InMemoryPushNotificationStore();
  const sender = new DefaultPushNotificationSender(pushes);
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor, undefined, pushes, sender);
  const legacyCompat = { enabled: options.version === '0.3' };
  const parts = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
  const app = express();
  app.get('/.well-known/agent-card.json', (_request, response) => void response.json(AgentCard.toJSON(card)));
  app.use('/a2a', options.binding === 'JSONRPC' ? jsonRpcHandler(parts) : restHandler(parts));
  server.on('request', app);
  const userBuilder = GrpcUserBuilder.noAuthentication;
  grpc.server.addService(A2AService, grpcService({ requestHandler, userBuilder }));
  return { url: `${url}/`, grpcOrigin: `http://${grpc.address}`, finish };
}

/** Sends a message as a turn does, reads the task's name, and hangs up. */
async function begin({ url, grpcOrigin }: Agent): Promise<string> {
  const agents = { expenses: { url } };
  const config = ConfigSchema.parse({ agents, server: { publicUrl } });
  const transport = createA2aTransport({
    agent: 'expenses',
    config: AgentConfigSchema.parse({ url, allowOrigins: [grpcOrigin] }),
    egress: openEgress,
    log: { warn: () => undefined },
  });
  const message = {
    messageId: `m-${Math.random()}`,
    parts: [{ kind: 'text' as const, text: 'work', metadata: {} }],
    taskId: null,
    contextId: null,
    extensions: [],
    metadata: {},
    ...(await pushOf({ config, store: rig.store }, 'expenses')),
  };
  expect(message.push).toMatchObject({ url: `${publicUrl}/agents/expenses/push-notifications` });
  for await (const event of transport.sendStream(message, { signal: AbortSignal.timeout(leastBoundMs) })) {
    if ('a2aTaskId' in event) return event.a2aTaskId;
  }
  throw new Error('no task was named');
}

let count = 0;
async function watchFar(a2aTaskId: string): Promise<string> {
  count += 1;
  const taskId = `00000000-0000-5000-8000-${String(count).padStart(12, '0')}`;
  const names = { taskId, agent: 'expenses', workflowId: 'w', firstExecutionRunId: 'x', a2aTaskId };
  await rig.store.tasks.put({ ...names, threadId: taskId, owner: 'local' }, new Date().toISOString());
  await rig.store.tasks.update(taskId, { a2aTaskId });
  await rig.store.tasks.watch({ ...names, kind: 'turn', watchVersion: 0, seen: '' }, 3_600_000);
  return taskId;
}

test.each([
  { version: '1.0', binding: 'JSONRPC' },
  { version: '1.0', binding: 'HTTP+JSON' },
  { version: '0.3', binding: 'JSONRPC' },
  { version: '0.3', binding: 'HTTP+JSON' },
  { version: '1.0', binding: 'GRPC' },
])(
  'an agent of A2A $version over $binding that can notify is given an address, and its push has the task polled',
  async (wire) => {
    const agent = await startAgent({ ...wire, push: true });
    const taskId = await watchFar(await begin(agent));
    agent.finish();
    const isDue = async (): Promise<boolean> =>
      (await rig.store.tasks.dueWatches(100, 1)).some((watch) => watch.taskId === taskId);
    await waitFor(isDue, 10_000, 'the notification');
  },
);

test('an agent whose card does not offer notifications is not asked for any', async () => {
  const agent = await startAgent({ version: '1.0', binding: 'JSONRPC', push: false });
  // Its SDK would refuse a message that brings an address.
  await expect(begin(agent)).resolves.not.toBe('');
  agent.finish();
});

test.each<[string, string | undefined, string, boolean]>([
  ['no public address', undefined, 'http://127.0.0.1:9/', false],
  ['a loopback address and an agent elsewhere', 'http://localhost:8600', 'https://agents.example.com/', false],
  ['a loopback address and an agent on this machine', 'http://127.0.0.1:8600', 'http://[::1]:9/', true],
  ['a public address', 'https://standfast.example.com/base', 'https://agents.example.com/', true],
])(
  'with %s in the configuration an address is given only where the agent can reach it',
  async (_what, own, url, isGiven) => {
    const config = ConfigSchema.parse({
      agents: { expenses: { url } },
      server: own === undefined ? {} : { publicUrl: own },
    });
    const { push } = await pushOf({ config, store: rig.store }, 'expenses');
    expect(push !== undefined).toBe(isGiven);
    if (own?.endsWith('/base') === true) expect(push?.url).toBe(`${own}/agents/expenses/push-notifications`);
  },
);
