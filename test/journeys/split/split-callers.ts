// Callers over A2A on the official JavaScript SDK, and where they are notified, while processes of Standfast are killed.
import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SendMessageRequest, type Task } from '@a2a-js/sdk';
import { type A2aCaller, type AgentTurn, createA2aCaller, emptyTurn, note } from '../../rigs/agents/a2a-caller.ts';
import { asError } from '../../rigs/as-error.ts';
import type { Supervisor } from '../../rigs/process/supervisor.ts';

export interface Push {
  /** The same when it is sent again. */
  id: string;
  taskId: string;
  event: string;
}

export interface Receiver {
  url: string;
  /** All that arrived, also what was never acknowledged. */
  arrived: Push[];
  /** Leaves deliveries without an answer. */
  hold(): void;
  /** Answers again; what was held stays without an answer. */
  release(): void;
}

interface PushBody {
  task?: { id: string; status: { state: string } };
  statusUpdate?: { taskId: string; status: { state: string } };
  artifactUpdate?: { taskId: string; artifact: { artifactId: string } };
}

export async function startReceiver(supervisor: Supervisor): Promise<Receiver> {
  const arrived: Push[] = [];
  const held: ServerResponse[] = [];
  let isHeld = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { task, statusUpdate, artifactUpdate } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as PushBody;
      arrived.push({
        id: String(request.headers['webhook-id']),
        taskId: task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId ?? '',
        event: (task ?? statusUpdate)?.status.state ?? `artifact ${artifactUpdate?.artifact.artifactId ?? ''}`,
      });
      if (isHeld) held.push(response);
      else response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  supervisor.defer(async () => {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`,
    arrived,
    hold: () => void (isHeld = true),
    release: () => void (isHeld = false),
  };
}

/** What a receiver makes of a task: each notification once, known again by its id. */
export function notificationsOf({ arrived }: Receiver, taskId: string): Push[] {
  const own = arrived.filter((push) => push.taskId === taskId);
  return own.filter(({ id }, index) => own.findIndex((push) => push.id === id) === index);
}

/** A caller's message, which may be sent again. */
export interface Call {
  client: A2aCaller;
  request: SendMessageRequest;
}

export async function callOf(apiUrl: string, agent: string, what: string | object[], more: object = {}): Promise<Call> {
  const parts = typeof what === 'string' ? [{ text: what }] : what;
  const { taskId, ...configuration } = more as { taskId?: string };
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts, taskId };
  return {
    client: await createA2aCaller(`${apiUrl}/a2a/${agent}/`),
    request: SendMessageRequest.fromJSON({ message, configuration }),
  };
}

/** Sends it without waiting for the agent; null: the answer was lost. */
export async function sent({ client, request }: Call): Promise<Task | null> {
  const answer = await client.client.sendMessage(request).catch(() => null);
  if (answer === null || 'messageId' in answer) return null;
  return answer;
}

export interface Reading {
  turn: AgentTurn;
  over: Promise<AgentTurn>;
}

function read(events: AsyncGenerator<Parameters<typeof note>[1]>): Reading {
  const turn = emptyTurn();
  const over = (async () => {
    try {
      for await (const event of events) note(turn, event);
    } catch (error) {
      turn.error = asError(error);
    }
    return turn;
  })();
  return { turn, over };
}

export const openCall = ({ client, request }: Call): Reading => read(client.client.sendMessageStream(request));

export const subscribe = ({ client }: Call, id: string): Reading =>
  read(client.client.resubscribeTask({ tenant: '', id }));

/** The text of a task's artifacts, by their ids. */
export const textsOfTask = ({ artifacts }: Task): Record<string, string> =>
  Object.fromEntries(
    artifacts.map(({ artifactId, parts }) => [
      artifactId,
      parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join(''),
    ]),
  );
