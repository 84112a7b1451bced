import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
  type User,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler } from '@a2a-js/sdk/server/express';
import { A2AError } from '@a2a-js/sdk/errors';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import { Server as GrpcServer, ServerCredentials, status as statuses } from '@grpc/grpc-js';
import { type AddressInfo, connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import express from 'express';
import {
  type A2aTransport,
  type Call,
  createA2aTransport,
  type OutgoingMessage,
} from '../../src/activities/a2a/a2a-transport.ts';
import type { JsonObject } from '../../src/contract/base/json.ts';
import { AgentConfigSchema } from '../../src/contract/configuration/agent-config.ts';
import type { Question } from '../../src/contract/holds/question.ts';
import type { Egress } from '../../src/host/net/egress.ts';
import { encodeAnswers, readPause } from '../../src/wire/a2a/dialects/registry.ts';
import { openEgress } from '../rigs/open-egress.ts';
import { resolved } from '../wire/a2a/factories.ts';
import type { TurnEvent } from '../../src/contract/tasks/turn.ts';

const servers: Server[] = [];
const grpcServers: GrpcServer[] = [];
const fronts: TcpServer[] = [];
/** Of agents over gRPC, which have a port of their own for it: as the configuration permits it. */
const grpcOrigins = new Map<string, string>();

/** Ends every server of the test. */
export async function stopServers(): Promise<void> {
  for (const server of grpcServers.splice(0)) server.forceShutdown();
  for (const front of fronts.splice(0)) await new Promise((done) => front.close(done));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

const indexOf = (url: string): number =>
  servers.findIndex((server) => {
    const address = server.address();
    return address !== null && typeof address === 'object' && url.endsWith(`:${address.port}`);
  });

/** Ends one of them. */
export async function stopServer(url: string): Promise<void> {
  const at = indexOf(url);
  const [server] = at === -1 ? [] : servers.splice(at, 1);
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
}

/** Counts the connections to one of them from now on. */
export function connectionsTo(url: string): () => number {
  let count = 0;
  const port = new URL(grpcOrigins.get(url) ?? url).port;
  const counted = fronts.find((front) => String((front.address() as AddressInfo).port) === port);
  (counted ?? servers[indexOf(url)])?.on('connection', () => (count += 1));
  return () => count;
}

export async function listen(handler: (url: string) => RequestListener): Promise<string> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  const url = `http://127.0.0.1:${address.port}`;
  server.on('request', handler(url));
  return url;
}

export interface AgentOptions {
  /** On the card. */
  streaming?: boolean;
  /** Whether a request with this header Authorization is let in; all are, unless given. The card is for everybody. */
  accepts?: (authorization: string) => boolean;
  /** What else the card offers, to everybody or to those who may call the agent. */
  card?: Record<string, unknown>;
  extendedCard?: Record<string, unknown>;
  version?: '1.0' | '0.3';
  binding?: 'JSONRPC' | 'HTTP+JSON' | 'GRPC';
}

/** Both versions by both bindings over HTTP. */
export const httpWires: AgentOptions[] = [
  { version: '1.0', binding: 'JSONRPC' },
  { version: '1.0', binding: 'HTTP+JSON' },
  { version: '0.3', binding: 'JSONRPC' },
  { version: '0.3', binding: 'HTTP+JSON' },
];

export const everyWire: AgentOptions[] = [...httpWires, { version: '1.0', binding: 'GRPC' }];

export interface WireCard {
  [key: string]: unknown;
  supportedInterfaces: { url: string; protocolBinding: string; protocolVersion: string }[];
}

export const cardOf = (
  url: string,
  { streaming = true, version = '1.0', binding = 'JSONRPC' }: AgentOptions = {},
): WireCard => ({
  name: 'test agent',
  description: '',
  version: '1',
  capabilities: { streaming },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: binding, protocolVersion: version }],
});

const publish = (
  bus: ExecutionEventBus,
  context: { taskId: string; contextId: string },
  state: string,
  message?: unknown,
): void => {
  const status = { state, ...(message === undefined ? {} : { message }) };
  bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ ...context, status })));
};

/** Does what the message says: echo, ask, wait, chat. */
const executor = (): AgentExecutor => {
  const contexts = new Map<string, string>();
  const waiting = new Map<string, () => void>();
  return {
    async execute(context: RequestContext, bus): Promise<void> {
      const { taskId, contextId } = context;
      const first = context.userMessage.parts[0]?.content;
      const words = first?.$case === 'text' ? first.value : '';
      if (words === 'chat') {
        bus.publish(
          AgentEvent.message(
            Message.fromJSON({ messageId: 'm', role: 'ROLE_AGENT', contextId, parts: [{ text: 'hello' }] }),
          ),
        );
        bus.finished();
        return;
      }
      contexts.set(taskId, contextId);
      const fresh = Task.fromJSON({ id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' } });
      fresh.history = [context.userMessage];
      bus.publish(AgentEvent.task(context.task ?? fresh));
      publish(bus, { taskId, contextId }, 'TASK_STATE_WORKING');
      if (words === 'wait') {
        await new Promise<void>((done) => waiting.set(taskId, done));
        return;
      }
      if (words === 'ask') {
        publish(bus, { taskId, contextId }, 'TASK_STATE_INPUT_REQUIRED', {
          messageId: `${taskId}-q`,
          role: 'ROLE_AGENT',
          parts: [{ data: { type: 'a2a.hitl.form', formId: 'f', fields: [{ name: 'x' }] } }],
        });
      } else {
        const artifact = { artifactId: 'a', parts: [{ text: `you said ${words}` }] };
        bus.publish(
          AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON({ taskId, contextId, artifact, lastChunk: true })),
        );
        publish(bus, { taskId, contextId }, 'TASK_STATE_COMPLETED');
      }
      bus.finished();
    },
    async cancelTask(taskId, bus): Promise<void> {
      publish(bus, { taskId, contextId: contexts.get(taskId) ?? '' }, 'TASK_STATE_CANCELED');
      bus.finished();
      waiting.get(taskId)?.();
    },
  };
};

/** Who sends this is somebody; everybody else may call too, and sees less of the card. */
export const knock = { Authorization: 'Bearer let-me-in' };

const knownUser = (request: { headers: IncomingMessage['headers'] }): Promise<User> =>
  Promise.resolve({ isAuthenticated: request.headers.authorization === knock.Authorization, userName: 'standfast' });

/** What keeps its tasks while the server before it is another. */
interface Kept {
  store: InMemoryTaskStore;
  executor: AgentExecutor;
}
const newKept = (): Kept => ({ store: new InMemoryTaskStore(), executor: executor() });

function serve(url: string, options: AgentOptions, kept: Kept): RequestListener {
  const card = { ...cardOf(url, options), ...options.card };
  const requestHandler = handlerOf(card, options, kept);
  const app = express();
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/a2a', (request, response, next) => {
    if (options.accepts?.(request.headers.authorization ?? '') === false) response.sendStatus(401);
    else next();
  });
  const legacyCompat = { enabled: options.version === '0.3' };
  const parts = { requestHandler, userBuilder: knownUser, legacyCompat };
  app.use('/a2a', options.binding === 'HTTP+JSON' ? restHandler(parts) : jsonRpcHandler(parts));
  return app;
}

function handlerOf(card: WireCard, options: AgentOptions, { store, executor: acts }: Kept): DefaultRequestHandler {
  const extended = options.extendedCard && AgentCard.fromJSON({ ...card, ...options.extendedCard });
  return new DefaultRequestHandler(AgentCard.fromJSON(card), store, acts, undefined, undefined, undefined, extended);
}

class Unknown extends A2AError {
  readonly transport = 'grpc';
  readonly status = statuses.UNAUTHENTICATED;
  constructor() {
    super('who is it?');
    this.name = 'A2AError';
  }
}

/** A server of gRPC, and one of HTTP that has its card, which names the first as gRPC does: without a scheme. */
async function startGrpcAgent(options: AgentOptions): Promise<string> {
  const server = new GrpcServer();
  grpcServers.push(server);
  const inner = await new Promise<number>((done, failed) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? done(bound) : failed(error),
    ),
  );
  // Its connections can be counted.
  const front = createTcpServer((socket) => {
    const onward = connect(inner, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  });
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
  fronts.push(front);
  const { port } = front.address() as AddressInfo;
  const card = { ...cardOf('', options), ...options.card };
  card.supportedInterfaces.forEach((one) => (one.url = `127.0.0.1:${port}`));
  const requestHandler = handlerOf(card, options, newKept());
  server.addService(
    A2AService,
    grpcService({
      requestHandler,
      userBuilder: (call): Promise<User> => {
        const [authorization = ''] = call.metadata.get('authorization').map(String);
        if (options.accepts?.(authorization) === false) return Promise.reject(new Unknown());
        return Promise.resolve({ isAuthenticated: true, userName: 'standfast' });
      },
    }),
  );
  const url = await listen(() => (_, response) => response.end(JSON.stringify(card)));
  grpcOrigins.set(url, `http://127.0.0.1:${port}`);
  return url;
}

export const startAgent = (options: AgentOptions = {}): Promise<string> =>
  options.binding === 'GRPC' ? startGrpcAgent(options) : listen((url) => serve(url, options, newKept()));

/** One that is deployed again: each of these in turn, with the same tasks. */
export async function startDeployed(first: AgentOptions): Promise<{ url: string; deploy(next: AgentOptions): void }> {
  const kept = newKept();
  let now: RequestListener = () => undefined;
  const url = await listen(() => (request, response) => now(request, response));
  const deploy = (next: AgentOptions): void => {
    now = serve(url, next, kept);
  };
  deploy(first);
  return { url, deploy };
}

/** A server with a good card and whatever else `respond` does. */
export const startBroken = (
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  card: AgentOptions = {},
): Promise<string> =>
  listen((url) => (request, response) => {
    if (request.method === 'GET') response.end(JSON.stringify(cardOf(url, card)));
    else request.resume().on('end', () => respond(request, response));
  });

export const transportTo = (
  url: string,
  config: Record<string, unknown> = {},
  warn: (facts: object, message: string) => void = () => undefined,
  egress: Egress = openEgress,
): A2aTransport =>
  createA2aTransport({
    agent: 'test',
    config: AgentConfigSchema.parse({ url, allowOrigins: [grpcOrigins.get(url) ?? url], ...config }),
    egress,
    log: { warn },
  });
export const aCall = (more: Partial<Call> = {}): Call => ({ signal: AbortSignal.timeout(120_000), ...more });
export const say = (words: string, more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  messageId: `mine-${words}`,
  parts: [{ kind: 'text', text: words, metadata: {} }],
  taskId: null,
  contextId: 'ctx-1',
  extensions: [],
  metadata: {},
  ...more,
});

export async function collect(stream: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

export interface AskedTurn {
  taskId: string;
  contextId: string;
  questions: Question[];
}

/** The pause that a turn ended with; null: it ended otherwise. */
export function askedIn(events: readonly TurnEvent[]): AskedTurn | null {
  const last = events.at(-1);
  if (last?.type !== 'status' || last.state !== 'input-required') return null;
  const { a2aTaskId: taskId, contextId, message } = last;
  return { taskId, contextId, questions: readPause({ state: 'input-required', a2aTaskId: taskId, message }).questions };
}

/** Begins a task by these words, which has to ask. */
export async function ask(transport: A2aTransport, words: string): Promise<AskedTurn> {
  const message = say(words, { messageId: crypto.randomUUID() });
  const events = await collect(transport.sendStream(message, aCall()));
  const asked = askedIn(events);
  if (asked === null) throw new Error(`"${words}" ended with ${JSON.stringify(events.at(-1))}`);
  return asked;
}

/** Answers a pause, one object of values a question, as workers do. */
export function answer(
  transport: A2aTransport,
  { taskId, contextId, questions }: AskedTurn,
  values: readonly JsonObject[],
): Promise<TurnEvent[]> {
  const answers = questions.map((question, at) => ({ question, answer: resolved(values[at] ?? {}) }));
  const written = encodeAnswers(answers);
  if (written.result !== 'ok') throw new Error('the answers cannot be carried');
  const { text, metadata, extensions } = written;
  const parts = [...(text === null ? [] : [{ kind: 'text' as const, text, metadata: {} }]), ...written.parts];
  const message = { messageId: crypto.randomUUID(), taskId, contextId, parts, metadata, extensions };
  return collect(transport.sendStream(say('', message), aCall()));
}

export async function failureOf(act: () => Promise<unknown>): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

export const stateOf = (event: TurnEvent): string => ('state' in event ? event.state : event.type);
export const idOf = (event: TurnEvent | undefined): string =>
  event !== undefined && 'a2aTaskId' in event ? event.a2aTaskId : '';
