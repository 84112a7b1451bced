// The real A2A client, for tests that talk to an agent directly.

import { randomUUID } from 'node:crypto';
import {
  ListTasksRequest,
  type ListTasksResponse,
  SendMessageRequest,
  type StreamResponse,
  type Task,
  type TaskState,
} from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { asError } from '../as-error.ts';

export interface AgentTurn {
  events: StreamResponse[];
  /** How reading the stream failed, if it did. */
  error: Error | null;
  /** The task as the last event left it. */
  taskId: string;
  contextId: string;
  state: TaskState | null;
  /** Data parts of the last status message. */
  data: Record<string, unknown>[];
  /** Text of artifact and status updates, by artifact id (`status` for the latter). */
  texts: Map<string, string>;
}

export interface A2aCaller {
  client: Client;
  /** Sends a text (or parts as A2A 1.0 writes them) and reads the stream to its end. */
  send(what: string | object[], options?: SendOptions): Promise<AgentTurn>;
  getTask(id: string): Promise<Task>;
  list(filter: object): Promise<ListTasksResponse>;
  /** The newest tasks, without their artifacts. */
  listTasks(): Promise<Task[]>;
}

interface SendOptions {
  taskId?: string;
  messageId?: string;
  signal?: AbortSignal;
}

export async function createA2aCaller(
  url: string,
  transport: 'JSONRPC' | 'HTTP+JSON' | 'GRPC' = 'JSONRPC',
  version?: '1.0' | '0.3',
): Promise<A2aCaller> {
  const legacyCompat = { enabled: true };
  const jsonRpc = new JsonRpcTransportFactory({ legacyCompat });
  const rest = new RestTransportFactory({ legacyCompat });
  const grpc = new GrpcTransportFactory({ legacyCompat });
  const factory = new ClientFactory({ transports: [jsonRpc, rest, grpc], preferredTransports: [transport] });
  const card = await new DefaultAgentCardResolver({ legacyCompat }).resolve(url);
  // Of both versions a client would take the newer one.
  const supportedInterfaces = card.supportedInterfaces.filter(
    ({ protocolVersion }) => version === undefined || protocolVersion === version,
  );
  const client = await factory.createFromAgentCard({ ...card, supportedInterfaces });
  return {
    client,
    send: (what, options = {}) =>
      readTurn((request, signal) => client.sendMessageStream(request, signal), what, options),
    getTask: (id) => client.getTask({ tenant: '', id }),
    list: (filter) => client.listTasks(ListTasksRequest.fromJSON(filter)),
    listTasks: async () => (await client.listTasks(ListTasksRequest.fromJSON({}))).tasks,
  };
}

async function readTurn(
  open: (request: SendMessageRequest, options: { signal?: AbortSignal }) => AsyncGenerator<StreamResponse>,
  what: string | object[],
  options: SendOptions,
): Promise<AgentTurn> {
  const turn = emptyTurn();
  const parts = typeof what === 'string' ? [{ text: what }] : what;
  const message = { messageId: options.messageId ?? randomUUID(), role: 'ROLE_USER', parts, taskId: options.taskId };
  const request = SendMessageRequest.fromJSON({ message });
  try {
    for await (const event of open(request, options.signal ? { signal: options.signal } : {})) note(turn, event);
  } catch (error) {
    turn.error = asError(error);
  }
  return turn;
}

export function emptyTurn(): AgentTurn {
  return { events: [], error: null, taskId: '', contextId: '', state: null, data: [], texts: new Map() };
}

/** Adds one event to what is known of a turn. */
export function note(turn: AgentTurn, event: StreamResponse): void {
  turn.events.push(event);
  const { payload } = event;
  if (payload?.$case === 'task') {
    turn.taskId = payload.value.id;
    turn.contextId = payload.value.contextId;
    turn.state = payload.value.status?.state ?? null;
  }
  if (payload?.$case === 'statusUpdate') {
    turn.state = payload.value.status?.state ?? null;
    turn.data = (payload.value.status?.message?.parts ?? []).flatMap((part) =>
      part.content?.$case === 'data' ? [part.content.value] : [],
    );
  }
  if (payload?.$case === 'artifactUpdate' && payload.value.artifact) {
    const { artifactId, parts } = payload.value.artifact;
    const text = parts.map((part) => (part.content?.$case === 'text' ? part.content.value : '')).join('');
    turn.texts.set(artifactId, (payload.value.append ? (turn.texts.get(artifactId) ?? '') : '') + text);
  }
}
