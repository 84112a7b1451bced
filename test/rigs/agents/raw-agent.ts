// An agent without an SDK, which sends what a test says, byte by byte: A2A 1.0 over JSON-RPC, in this process.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import type { Supervisor } from '../process/supervisor.ts';

export interface RawTurn {
  taskId: string;
  contextId: string;
  /** The message's text after the name of the play. */
  text: string;
  response: ServerResponse;
  /** Sends an event of the stream; waits while the reader is behind. */
  send(event: object): Promise<void>;
  status(state: string, text?: string, more?: object): Promise<void>;
  artifact(parts: object[], more?: object): Promise<void>;
  /** What GetTask says from now on. */
  keep(task: object): void;
}

export interface RawAgent {
  url: string;
  /** Tasks that it was asked to cancel. */
  cancelled: string[];
  /** How often it got each message, by its text. */
  received: Map<string, number>;
}

type Play = (turn: RawTurn) => Promise<void>;

interface Request {
  id: unknown;
  method: string;
  params: { id?: string; message?: { taskId?: string; parts: { text?: string }[] } };
}

/** What was written to `stream` is taken, or the reader of `response` has gone. */
export async function drained(stream: Writable, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const { signal } = gone;
  await Promise.race([once(stream, 'drain', { signal }), once(response, 'close', { signal })]);
  gone.abort();
}

/** `plays`: what it does, by the first word of a message. */
export async function startRawAgent(supervisor: Supervisor, plays: Record<string, Play>): Promise<RawAgent> {
  const tasks = new Map<string, object>();
  const cancelled: string[] = [];
  const received = new Map<string, number>();
  let url = '';
  let count = 0;

  async function play(rpc: Request, response: ServerResponse): Promise<void> {
    const script = rpc.params.message?.parts[0]?.text ?? '';
    received.set(script, (received.get(script) ?? 0) + 1);
    const [name = '', ...rest] = script.split(' ');
    count += 1;
    const ids = { taskId: `raw-${count}`, contextId: `raw-context-${count}` };
    const send = async (event: object): Promise<void> => {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
      const frame = `data: ${JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result: event })}\n\n`;
      if (!response.write(frame) && !response.destroyed) await drained(response, response);
    };
    const keep = (task: object): void =>
      void tasks.set(ids.taskId, { id: ids.taskId, contextId: ids.contextId, ...task });
    let messages = 0;
    await plays[name]?.({
      ...ids,
      text: rest.join(' '),
      response,
      send,
      keep,
      status(state, text, more = {}) {
        messages += 1;
        const message = { messageId: `${ids.taskId}-${messages}`, role: 'ROLE_AGENT', parts: [{ text }] };
        const status = { state: `TASK_STATE_${state}`, ...(text === undefined ? {} : { message }) };
        return send({ statusUpdate: { ...ids, status, ...more } });
      },
      artifact: (parts, { artifactId = 'a', ...more }: { artifactId?: string } = {}) =>
        send({ artifactUpdate: { ...ids, artifact: { artifactId, parts }, ...more } }),
    });
    response.end();
  }

  function answer(rpc: Request, response: ServerResponse): void {
    const task = tasks.get(rpc.params.id ?? '');
    if (rpc.method === 'SendStreamingMessage') {
      void play(rpc, response).catch(() => response.destroy());
      return;
    }
    if (rpc.method === 'CancelTask') cancelled.push(rpc.params.id ?? '');
    const status = { state: 'TASK_STATE_CANCELED' };
    const result = rpc.method === 'CancelTask' ? { ...task, id: rpc.params.id, status } : task;
    const isKnown = result !== undefined && rpc.method !== 'SubscribeToTask';
    const outcome = isKnown ? { result } : { error: { code: -32_004, message: 'not here' } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, ...outcome }));
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'POST') return answer(JSON.parse(Buffer.concat(chunks).toString()) as Request, response);
      const supportedInterfaces = [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
      const card = { name: 'raw', description: 'raw', version: '1', capabilities: { streaming: true }, skills: [] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...card, supportedInterfaces, defaultInputModes: [], defaultOutputModes: [] }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  supervisor.defer(() => new Promise((done) => server.close(done).closeAllConnections()));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, cancelled, received };
}
