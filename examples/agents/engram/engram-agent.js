// An agent whose settings are records: Engram over JSON-RPC (https://github.com/EmberAGI/a2a-engram), A2A 1.0 for the rest.
// It tells what it was last asked to remember, so that one sees a message and a record change the same thing.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { createRecords, RecordError } from './records.js';

export const engramExtension = 'https://github.com/EmberAGI/a2a-engram/tree/v0.1';

const ended = new Set(['TASK_STATE_COMPLETED', 'TASK_STATE_CANCELED', 'TASK_STATE_FAILED']);
const eventPart = (event) => ({ data: { type: 'engram/event', event } });

/**
 * @param {{ port?: number, offersEngram?: boolean, pageSize?: number }} [options] `port` 0 takes any free one
 */
export async function startEngramAgent({ port = 0, offersEngram = true, pageSize = 100 } = {}) {
  const records = createRecords();
  const tasks = new Map();
  /** Requests as they came, to see what is sent. */
  const seen = [];

  function subscribe({ filter = {}, includeSnapshot = false, fromSequence, contextId }) {
    const prefix = filter.keyPrefix ?? '';
    const task = {
      id: randomUUID(),
      contextId: contextId ?? randomUUID(),
      state: 'TASK_STATE_WORKING',
      reason: null,
      readers: new Set(),
      prefix,
    };
    task.fromSequence = fromSequence ?? (includeSnapshot ? null : records.sequence);
    task.stop = records.listen((event) => {
      const key = event.kind === 'snapshot' ? event.record.key.key : event.key.key;
      if (key.startsWith(prefix))
        send(task, {
          artifactUpdate: {
            ...names(task),
            append: false,
            lastChunk: true,
            artifact: { artifactId: 'engram-delta', parts: [eventPart(event)] },
          },
        });
    });
    tasks.set(task.id, task);
    return { taskId: task.id };
  }

  const names = (task) => ({ taskId: task.id, contextId: task.contextId });
  const send = (task, response) => {
    for (const reader of task.readers) reader(response);
  };
  /** The task with all its records: a late subscriber reads what it missed. */
  const view = (task) => ({
    id: task.id,
    contextId: task.contextId,
    status: statusOf(task),
    metadata: { kind: 'engram_subscription' },
    artifacts: [
      {
        artifactId: 'engram-snapshot',
        parts: records
          .list(task.prefix)
          .map((record) => eventPart({ kind: 'snapshot', record, sequence: records.sequence })),
      },
    ],
  });
  const statusOf = (task) => ({
    state: task.state,
    ...(task.reason && {
      message: {
        messageId: `${task.id}-end`,
        role: 'ROLE_AGENT',
        parts: [{ data: { type: 'engram/end', reason: task.reason } }],
      },
    }),
  });

  function end(task, state, reason) {
    if (ended.has(task.state)) return;
    Object.assign(task, { state, reason });
    task.stop?.();
    send(task, { statusUpdate: { ...names(task), status: statusOf(task), final: true } });
    for (const reader of task.readers) reader(null);
  }

  function taskOf({ id }) {
    const task = tasks.get(id);
    if (task === undefined) throw new RecordError(-32001, 'Task not found');
    return task;
  }

  /** A message that changes a record: the older form, kept for those who cannot call methods. */
  function converse({ message }) {
    const update = message.parts.map(({ data }) => data).find((data) => data?.type === 'engram');
    const words = message.parts.flatMap(({ text }) => (text ? [text] : [])).join(' ');
    if (update) records.set({ key: { key: `config${update.path ?? ''}` }, value: update.update });
    else records.set({ key: { key: 'notes/last' }, value: words });
    const task = { id: randomUUID(), contextId: message.contextId ?? randomUUID() };
    const reply = {
      messageId: randomUUID(),
      role: 'ROLE_AGENT',
      ...names(task),
      parts: [{ text: update ? 'Changed.' : `Remembered: ${words}` }],
    };
    return { task: { ...task, status: { state: 'TASK_STATE_COMPLETED', message: reply }, history: [] } };
  }

  const engram = {
    'engram/get': ({ key, keys = [] }) => ({
      records: [...(key ? [key] : []), ...keys].map((one) => records.get(one.key)).filter((record) => record !== null),
    }),
    'engram/list': ({ filter = {}, pageToken }) => {
      const all = records.list(filter.keyPrefix);
      const from = Number(pageToken ?? 0);
      const next = from + pageSize;
      return { records: all.slice(from, next), ...(next < all.length && { nextPageToken: String(next) }) };
    },
    'engram/set': (params) => ({ record: records.set(params) }),
    'engram/patch': (params) => ({ record: records.patch(params) }),
    'engram/delete': (params) => records.delete(params),
    'engram/subscribe': subscribe,
  };
  const a2a = {
    SendMessage: converse,
    GetTask: (params) => view(taskOf(params)),
    CancelTask: (params) => {
      const task = taskOf(params);
      end(task, 'TASK_STATE_CANCELED', 'cancelled');
      return view(task);
    },
  };

  function answer({ method, params = {} }, headers) {
    if (Object.hasOwn(engram, method)) {
      const active = `${headers['a2a-extensions'] ?? ''},${headers['x-a2a-extensions'] ?? ''}`
        .split(',')
        .map((one) => one.trim());
      if (!active.includes(engramExtension)) throw new RecordError(-400, 'the Engram extension is not activated');
      return engram[method](params);
    }
    if (!Object.hasOwn(a2a, method)) throw new RecordError(-32601, `Method not found: ${method}`);
    return a2a[method](params);
  }

  function stream(response, id, task) {
    // A2A 1.0, SubscribeToTask: a task that has ended is not streamed.
    if (ended.has(task.state)) throw new RecordError(-32004, `Task ${task.id} is in a terminal state: ${task.state}`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const reader = (result) => {
      if (result === null) response.end();
      else response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    };
    reader({ task: view(task) });
    task.readers.add(reader);
    response.on('close', () => task.readers.delete(reader));
  }

  const card = (url) => ({
    name: 'Engram',
    description: 'Keeps its settings as records.',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {
      streaming: true,
      extensions: offersEngram ? [{ uri: engramExtension, description: 'Settings as records' }] : [],
    },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'remember',
        name: 'Remember',
        description: 'Remembers what it is told',
        tags: [],
        examples: ['Remember the milk'],
      },
    ],
  });

  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card(url)));
        return;
      }
      const call = JSON.parse(body);
      seen.push({ method: call.method, params: call.params, extensions: request.headers['a2a-extensions'] ?? '' });
      try {
        if (call.method === 'SubscribeToTask') {
          stream(response, call.id, taskOf(call.params));
          return;
        }
        if (call.method === 'SendStreamingMessage') {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: call.id, result: converse(call.params) })}\n\n`);
          return;
        }
        const result = answer(call, request.headers);
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }));
      } catch (error) {
        const { code = -32000, message } = error;
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id: call.id, error: { code, message } }));
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/`;
  return {
    url,
    records,
    seen,
    /** Subscriptions that are open. */
    subscriptions: () => [...tasks.values()].filter(({ state }) => !ended.has(state)),
    end,
    /** Forgets a subscription, as after a restart. */
    forget: (task) => tasks.delete(task.id),
    /** Breaks every stream, and says nothing. */
    cut() {
      for (const task of tasks.values()) {
        for (const reader of task.readers) reader(null);
        task.readers.clear();
      }
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
