// MCP servers that are started here: one process a session of a client's, which speaks over its standard input and output. Ids of
// requests are made here, so that no client's answer reaches another.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { isObject, parseJson } from '../../core/base/json.ts';
import { failureOf, internalError } from '../../core/policy/gate-message.ts';
import { environmentOf, type Upstream } from './mcp-upstream.ts';

export interface StdioSession {
  /** The messages that come until the answer, which is the last; a message without an answer brings none. */
  send(message: JsonObject, signal: AbortSignal): AsyncIterable<JsonObject>;
  /** What the server sends of itself. */
  listen(signal: AbortSignal): AsyncIterable<JsonObject>;
  isOver(): boolean;
  end(): void;
}

interface Reader {
  queue: JsonObject[];
  wake: () => void;
  isDone: boolean;
}

interface Pending extends Reader {
  clientId: Json;
  progressToken: Json;
}

const maxLineChars = 32 * 1024 * 1024;
const maxQueued = 1_000;
const killAfterMs = 2_000;

const newReader = (): Reader => ({ queue: [], wake: () => undefined, isDone: false });

function put(reader: Reader, message: JsonObject): void {
  if (reader.queue.length < maxQueued) reader.queue.push(message);
  reader.wake();
}

async function* messagesOf(reader: Reader, signal: AbortSignal): AsyncGenerator<JsonObject> {
  const onAbort = (): void => reader.wake();
  signal.addEventListener('abort', onAbort);
  try {
    for (;;) {
      const next = reader.queue.shift();
      if (next !== undefined) yield next;
      else if (reader.isDone || signal.aborted) return;
      else await new Promise<void>((resolve) => (reader.wake = resolve));
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const progressTokenOf = ({ params }: JsonObject): Json => {
  const meta = isObject(params) ? params['_meta'] : null;
  return isObject(meta) ? (meta['progressToken'] ?? null) : null;
};

/** @param onEnd `why`: the program could not be started, or ended; null: it was ended here */
export function startStdio(upstream: Upstream, onEnd: (why: string | null) => void): StdioSession {
  const [program = '', ...args] = upstream.command ?? [];
  const child = spawn(program, args, {
    env: environmentOf(upstream),
    ...(upstream.cwd === undefined ? {} : { cwd: upstream.cwd }),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const pending = new Map<number, Pending>();
  const listeners = new Set<Reader>();
  let lastId = 0;
  let isOver = false;

  const write = (message: JsonObject): void => void child.stdin.write(`${JSON.stringify(message)}\n`);

  function end(why: string | null = null): void {
    if (isOver) return;
    isOver = true;
    for (const [, one] of pending) {
      put(one, failureOf(one.clientId, internalError, 'the server of this gate has ended'));
      one.isDone = true;
    }
    for (const one of listeners) one.isDone = true;
    for (const one of [...pending.values(), ...listeners]) one.wake();
    stop(child);
    onEnd(why);
  }

  function take(message: JsonObject): void {
    const { id, method } = message;
    if (method === undefined) {
      const asked = typeof id === 'number' ? pending.get(id) : undefined;
      if (asked === undefined) return;
      pending.delete(Number(id));
      put(asked, { ...message, id: asked.clientId });
      asked.isDone = true;
      asked.wake();
      return;
    }
    const token = isObject(message['params']) ? message['params']['progressToken'] : undefined;
    const about =
      method === 'notifications/progress'
        ? [...pending.values()].find((one) => one.progressToken === token)
        : undefined;
    const reader = about ?? [...listeners].at(-1) ?? [...pending.values()].at(-1);
    if (reader !== undefined) put(reader, message);
    // No client is there to answer it.
    else if (id !== undefined && id !== null) write(failureOf(id, internalError, 'no client listens'));
  }

  readLines(child, take, () => end('it wrote a line that is too long'));
  child.once('error', ({ message }) => end(message));
  child.once('exit', (code, signal) => end(signal === null ? `it ended with code ${code}` : `it ended by ${signal}`));
  // What comes next is its exit, which says why.
  child.stdin.on('error', () => undefined);

  return {
    send(message, signal) {
      const { id, method } = message;
      if (id === undefined || method === undefined) {
        write(withOwnId(message, pending));
        return messagesOf({ ...newReader(), isDone: true }, signal);
      }
      lastId += 1;
      const own = lastId;
      const asked: Pending = { ...newReader(), clientId: id, progressToken: progressTokenOf(message) };
      if (isOver)
        return messagesOf(
          { ...asked, queue: [failureOf(id, internalError, 'the server of this gate has ended')], isDone: true },
          signal,
        );
      pending.set(own, asked);
      write({ ...message, id: own });
      return messagesOf(asked, signal);
    },
    listen(signal) {
      const reader = newReader();
      listeners.add(reader);
      signal.addEventListener('abort', () => listeners.delete(reader), { once: true });
      return messagesOf(reader, signal);
    },
    isOver: () => isOver,
    end: () => end(),
  };
}

/** A cancellation names the request by the id under which the server knows it. */
function withOwnId(message: JsonObject, pending: Map<number, Pending>): JsonObject {
  const { method, params } = message;
  if (method !== 'notifications/cancelled' || !isObject(params)) return message;
  const own = [...pending].find(([, { clientId }]) => clientId === params['requestId'])?.[0];
  return own === undefined ? message : { ...message, params: { ...params, requestId: own } };
}

function readLines(child: ChildProcess, take: (message: JsonObject) => void, end: () => void): void {
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineChars) return end();
    for (const line of lines) {
      const message = parseJson(line);
      if (isObject(message)) take(message);
    }
  });
}

function stop(child: ChildProcess): void {
  child.stdin?.end();
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
}
