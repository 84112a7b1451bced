// Serves one A2A agent over HTTP: JSON-RPC at `/`, HTTP+JSON at `/rest`, the card at the well-known path.
//
// The SDK keeps a running turn in memory only. So when the process starts, tasks found in the middle of a turn have
// that turn run again, from what is stored; the agent's `play` therefore derives all it needs from the task's history.

import { once } from 'node:events';
import { join } from 'node:path';
import express from 'express';
import { AGENT_CARD_PATH, AgentCard, Role, SendMessageRequest, TaskState, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultExecutionEventBusManager,
  DefaultPushNotificationSender,
  DefaultRequestHandler,
  ExecutionEventQueue,
  InMemoryPushNotificationStore,
  RequestContext,
  ResultManager,
  ServerCallContext,
  UnauthenticatedUser,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { createFileTaskStore } from './file-task-store.js';
import { createTurn, TurnStopped } from './turn.js';

/**
 * @typedef {(turn: import('./turn.js').Turn, ctx: RequestContext) => Promise<void>} Play
 *
 * @typedef {object} Agent
 * @property {object} card A2A 1.0 card JSON without `supportedInterfaces`
 * @property {Play} play
 * @property {string} dataDir
 * @property {number} port 0 takes any free one
 * @property {('1.0' | '0.3')[]} [versions]
 * @property {express.RequestHandler[]} [before] run ahead of every A2A route
 * @property {express.RequestHandler} [control] mounted at /control
 * @property {(handler: DefaultRequestHandler) => import('@a2a-js/sdk/server').A2ARequestHandler} [wrapHandler]
 *
 * @param {Agent} agent
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function serveAgent({ card, play, dataDir, port, versions = ['1.0'], before = [], control, wrapHandler }) {
  const store = await createFileTaskStore(join(dataDir, 'tasks'));
  const buses = new DefaultExecutionEventBusManager();
  const executor = createExecutor(play, store, buses);

  const app = express();
  app.disable('x-powered-by');
  if (control) app.use('/control', control);
  const server = app.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  const url = `http://127.0.0.1:${address.port}`;

  const fullCard = AgentCard.fromJSON({ ...card, supportedInterfaces: interfaces(url, versions) });
  const pushes = fullCard.capabilities?.pushNotifications ? new InMemoryPushNotificationStore() : undefined;
  const pusher = pushes && new DefaultPushNotificationSender(pushes);
  const plainHandler = new DefaultRequestHandler(fullCard, store, executor, buses, pushes, pusher);
  const requestHandler = wrapHandler ? wrapHandler(plainHandler) : plainHandler;
  const legacyCompat = { enabled: versions.includes('0.3') };
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
  for (const handler of before) app.use(handler);
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }));
  app.use('/rest', restHandler(options));
  app.use('/', jsonRpcHandler(options));
  repeatUnfinishedTurns(store, buses, executor);

  return {
    url,
    async close() {
      server.close();
      server.closeAllConnections();
      await store.close();
    },
  };
}

function interfaces(url, versions) {
  return versions.flatMap((protocolVersion) => [
    { url: `${url}/`, protocolBinding: 'JSONRPC', protocolVersion },
    { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion },
  ]);
}

const anonymous = () => new ServerCallContext({ user: new UnauthenticatedUser() });

/** @returns {import('@a2a-js/sdk/server').AgentExecutor} */
function createExecutor(play, store, buses) {
  /** @type {Map<string, AbortController>} turns running in this process, by task */
  const running = new Map();
  return {
    async execute(ctx, bus) {
      const controller = new AbortController();
      running.set(ctx.taskId, controller);
      try {
        await play(createTurn(ctx, bus, controller.signal), ctx);
      } catch (error) {
        if (!(error instanceof TurnStopped)) throw error;
      } finally {
        if (running.get(ctx.taskId) === controller) running.delete(ctx.taskId);
      }
    },
    async cancelTask(taskId, bus) {
      const task = await store.load(taskId, anonymous());
      const status = { state: 'TASK_STATE_CANCELED', timestamp: new Date().toISOString() };
      running.get(taskId)?.abort();
      bus.publish(
        AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId: task?.contextId, status })),
      );
      // A paused task keeps its bus alive until it is ended here.
      bus.finished();
      buses.cleanupByTaskId(taskId, anonymous());
    },
  };
}

/** A turn cut by the end of the process is run again, so that a task never hangs in `working`. */
function repeatUnfinishedTurns(store, buses, executor) {
  const unfinished = [TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING];
  for (const task of store.all()) {
    const message = task.history.findLast((entry) => entry.role === Role.ROLE_USER);
    // A follow-up is stored before the turn says anything, so a paused task whose last word is the user's was cut too.
    const isCut = unfinished.includes(task.status?.state) || isAnsweredPause(task);
    if (!message || !isCut) continue;
    const context = anonymous();
    const bus = buses.createOrGetByTaskId(task.id, context);
    const results = new ResultManager(store, context);
    const queue = new ExecutionEventQueue(bus);
    const request = SendMessageRequest.fromJSON({});
    const named = { ...message, taskId: task.id, contextId: task.contextId };
    const ctx = new RequestContext({ ...request, message: named }, task.id, task.contextId, context, task);
    const keep = async () => {
      for await (const event of queue.events()) await results.processEvent(event);
    };
    keep().catch((error) => console.error(`task ${task.id} could not be kept:`, error));
    executor.execute(ctx, bus).catch((error) => console.error(`task ${task.id} could not go on:`, error));
  }
}

function isAnsweredPause(task) {
  const paused = [TaskState.TASK_STATE_INPUT_REQUIRED, TaskState.TASK_STATE_AUTH_REQUIRED];
  return paused.includes(task.status?.state) && task.history.at(-1)?.role === Role.ROLE_USER;
}
