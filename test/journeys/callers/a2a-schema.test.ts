// Every answer and stream item of every method, in both versions and over both bindings, against the protocol's own schemas.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import type { CallerEntry } from '../../../src/contract/tasks/caller.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { askedMetadata } from '../../../src/wire/a2a/caller/caller-status.ts';
import { describeApi } from '../../api/describe-api.ts';
import { bearer } from '../../api/rig.ts';

const python = process.env['STANDFAST_TEST_PYTHON'] ?? '';
const checker = fileURLToPath(new URL('../../rigs/agents/python/schema_check.py', import.meta.url));
const at = '2026-01-01T00:00:00.000Z';

type Version = '1.0' | '0.3';
type Binding = 'JSONRPC' | 'HTTP+JSON';
interface Answer {
  what: string;
  version: Version;
  binding: Binding;
  type: string;
  json: unknown;
  status?: number;
}

let base = '';
const rig = describeApi({ withKeys: true });
beforeAll(async () => {
  base = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});

const ids = (taskId: string) => ({ taskId, contextId: 'c' });
const spoken = (taskId: string, parts: object[], more: object = {}) => ({
  messageId: `message-${parts.length}`,
  role: 'ROLE_AGENT',
  ...ids(taskId),
  parts,
  ...more,
});

/** All that an agent may say, and what we say of people. */
function eventsOf(taskId: string): JsonObject[] {
  const parts = [
    { text: 'see', metadata: { lang: 'en' } },
    { data: { rows: [1, { deep: true }, null] }, metadata: { schema: 'x' } },
    { raw: 'UERG', filename: 'a.pdf', mediaType: 'application/pdf' },
    { url: 'https://files.example/b.png', filename: 'b.png', mediaType: 'image/png' },
  ];
  const artifact = { artifactId: 'a', name: 'n', description: 'd', parts, metadata: { k: 1 }, extensions: ['urn:x'] };
  const hold = {
    digest: 'sha256:1',
    holdId: 'h',
    kind: 'form',
    title: 'Trip',
    audience: ['role:finance'],
    expiresAt: at,
    url: 'https://h/',
  };
  const status = (state: string, more: object = {}): JsonObject => ({
    statusUpdate: {
      ...ids(taskId),
      status: { state: `TASK_STATE_${state}`, timestamp: at, ...more },
      metadata: { m: 1 },
    },
  });
  return [
    status('WORKING', { message: spoken(taskId, parts, { metadata: { a: [1] }, extensions: ['urn:y'] }) }),
    { artifactUpdate: { ...ids(taskId), artifact, append: false, lastChunk: false, metadata: { m: 2 } } },
    {
      artifactUpdate: {
        ...ids(taskId),
        artifact: { artifactId: 'a', parts: [{ text: '!' }] },
        append: true,
        lastChunk: true,
      },
    },
    status('WORKING', { message: spoken(taskId, [{ text: 'Asked finance' }], { metadata: askedMetadata([hold]) }) }),
    status('INPUT_REQUIRED', { message: spoken(taskId, [{ data: { type: 'a2a.hitl.form' } }]) }),
    status('AUTH_REQUIRED', { message: spoken(taskId, [{ text: 'Sign in' }]) }),
  ] as JsonObject[];
}

const end = (taskId: string): JsonObject => ({
  statusUpdate: { ...ids(taskId), status: { state: 'TASK_STATE_COMPLETED', timestamp: at } },
});

const entries = (events: JsonObject[]): CallerEntry[] => events.map((event) => ({ kind: 'event', event }));

async function putTask(taskId: string, ended: boolean): Promise<void> {
  const message = { messageId: 'm', role: 'ROLE_USER', ...ids(taskId), parts: [{ text: 'hi' }] };
  const row = { ...ids(taskId), agent: 'expenses', threadId: `t-${taskId}`, owner: 'anna' };
  await rig.store.callers.put(row, [{ kind: 'message', message }], at);
  await rig.store.callers.append(taskId, entries(eventsOf(taskId)), { state: 'auth-required', at });
  if (ended) await rig.store.callers.append(taskId, entries([end(taskId)]), { state: 'completed', at });
}

async function send(path: string, version: Version, body?: object, method?: string, key = true): Promise<Response> {
  return fetch(`${base}/a2a/expenses/${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key ? bearer('anna') : {}),
      'a2a-version': version,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** What a stream says; `then` comes once it has begun. */
async function streamOf(response: Response, then: () => Promise<void>): Promise<unknown[]> {
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  await then();
  return (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as unknown);
}

const configuration = { '1.0': { returnImmediately: true }, '0.3': { blocking: false } };
const userMessage = (version: Version, messageId: string, more: object = {}): object =>
  version === '1.0'
    ? { messageId, role: 'ROLE_USER', parts: [{ text: 'hi' }], ...more }
    : { kind: 'message', messageId, role: 'user', parts: [{ kind: 'text', text: 'hi' }], ...more };

/** Method, parameters, and the schema of its answer: by JSON-RPC. */
async function overRpc(version: Version): Promise<Answer[]> {
  const isNew = version === '1.0';
  const [whole, live] = [`rpc-${version}`, `rpc-live-${version}`];
  await putTask(whole, true);
  await putTask(live, false);
  const push = {
    id: 'p',
    url: 'https://hooks.example/',
    token: 't',
    authentication: { scheme: 'Bearer', credentials: 'c' },
  };
  const message = userMessage(version, `by-rpc-${version}`);
  const streamed = userMessage(version, `streamed-by-rpc-${version}`);
  const calls: [string, object | undefined, string][] = isNew
    ? [
        ['SendMessage', { message, configuration: configuration[version] }, 'SendMessageResponse'],
        ['GetTask', { id: whole }, 'Task'],
        ['ListTasks', { includeArtifacts: true, pageSize: 2 }, 'ListTasksResponse'],
        ['CreateTaskPushNotificationConfig', { taskId: live, ...push }, 'TaskPushNotificationConfig'],
        ['GetTaskPushNotificationConfig', { taskId: live, id: 'p' }, 'TaskPushNotificationConfig'],
        ['ListTaskPushNotificationConfigs', { taskId: live }, 'ListTaskPushNotificationConfigsResponse'],
        ['GetExtendedAgentCard', {}, 'AgentCard'],
      ]
    : [
        ['message/send', { message, configuration: configuration[version] }, 'SendMessageSuccessResponse'],
        ['tasks/get', { id: whole }, 'GetTaskSuccessResponse'],
        [
          'tasks/pushNotificationConfig/set',
          {
            taskId: live,
            pushNotificationConfig: { ...push, authentication: { schemes: ['Bearer'], credentials: 'c' } },
          },
          'SetTaskPushNotificationConfigSuccessResponse',
        ],
        [
          'tasks/pushNotificationConfig/get',
          { id: live, pushNotificationConfigId: 'p' },
          'GetTaskPushNotificationConfigSuccessResponse',
        ],
        ['tasks/pushNotificationConfig/list', { id: live }, 'ListTaskPushNotificationConfigSuccessResponse'],
        [
          'tasks/pushNotificationConfig/delete',
          { id: live, pushNotificationConfigId: 'p' },
          'DeleteTaskPushNotificationConfigSuccessResponse',
        ],
        ['agent/getAuthenticatedExtendedCard', undefined, 'GetAuthenticatedExtendedCardSuccessResponse'],
      ];
  const rpc = (method: string, params?: object): Promise<Response> =>
    send('', version, { jsonrpc: '2.0', id: 'one', method, ...(params === undefined ? {} : { params }) });
  const answers: Answer[] = [];
  const note = (what: string, type: string, json: unknown): void =>
    void answers.push({ what, version, binding: 'JSONRPC', type, json });
  for (const [method, params, type] of calls) {
    const json = (await (await rpc(method, params)).json()) as { result?: unknown };
    // In 1.0 the proto is that of the result alone.
    note(method, type, isNew && json.result !== undefined ? json.result : json);
  }
  const streams: [string, object][] = isNew
    ? [
        ['SubscribeToTask', { id: live }],
        ['SendStreamingMessage', { message: streamed }],
      ]
    : [
        ['tasks/resubscribe', { id: live }],
        ['message/stream', { message: streamed }],
      ];
  for (const [method, params] of streams) {
    const items = await streamOf(await rpc(method, params), () => finish(method, live, `streamed-by-rpc-${version}`));
    expect(items.length).toBeGreaterThan(1);
    for (const item of items)
      if (isNew) note(method, 'StreamResponse', (item as { result: unknown }).result);
      else note(method, 'SendStreamingMessageSuccessResponse', item);
  }
  const errors: [string, object][] = isNew
    ? [
        ['GetTask', { id: 'none' }],
        ['CancelTask', { id: whole }],
        ['SendMessage', { message: userMessage(version, 'late', { taskId: whole }) }],
        ['SendMessage', { message: { ...userMessage(version, 'empty'), parts: [] } }],
        ['NoMethod', {}],
      ]
    : [
        ['tasks/get', { id: 'none' }],
        ['tasks/cancel', { id: whole }],
        ['message/send', { message: userMessage(version, 'late', { taskId: whole }) }],
        ['message/send', { message: { ...userMessage(version, 'empty'), parts: [] } }],
        ['no/method', {}],
      ];
  for (const [method, params] of errors) note(`error of ${method}`, 'error', await (await rpc(method, params)).json());
  const odd = await send('', version, { jsonrpc: '1.0', id: 'one', method: 'x' });
  note('error of an envelope', 'error', await odd.json());
  return answers;
}

/** Tells the stream the rest, once the follower has begun. */
async function finish(method: string, live: string, messageId: string): Promise<void> {
  const isSent = /stream/i.test(method);
  const { items } = await rig.store.callers.list({ agent: 'expenses', owner: 'anna', limit: 100 });
  const histories = await Promise.all(
    items.map(async (row) => ({ row, log: await rig.store.callers.read(row.taskId, 0) })),
  );
  const sent = histories.find(({ log }) => JSON.stringify(log[0]).includes(`"${messageId}"`))?.row.taskId ?? '';
  const taskId = isSent ? sent : live;
  const rest = [...(isSent ? eventsOf(taskId).slice(0, 4) : eventsOf(taskId)), end(taskId)];
  await rig.store.callers.append(taskId, entries(rest), { state: 'completed', at });
}

async function overHttp(version: Version): Promise<Answer[]> {
  const isNew = version === '1.0';
  const [whole, live] = [`http-${version}`, `http-live-${version}`];
  await putTask(whole, true);
  await putTask(live, false);
  const root = isNew ? '' : 'v1/';
  const answers: Answer[] = [];
  const note = (what: string, type: string, json: unknown, status = 200): void =>
    void answers.push({ what, version, binding: 'HTTP+JSON', type, json, status });
  const message = (messageId: string): object =>
    isNew ? userMessage('1.0', messageId) : { messageId, role: 'ROLE_USER', content: [{ text: 'hi' }] };
  const push = { id: 'p', url: 'https://hooks.example/', token: 't' };
  const legacyPush = { name: `tasks/${live}/pushNotificationConfigs/p`, pushNotificationConfig: push };
  const calls: [string, object | undefined, string][] = [
    [
      `${root}message:send`,
      { [isNew ? 'message' : 'request']: message(`by-http-${version}`), configuration: configuration[version] },
      'SendMessageResponse',
    ],
    [`${root}tasks/${whole}`, undefined, 'Task'],
    [`${root}tasks/${live}/pushNotificationConfigs`, isNew ? push : legacyPush, 'TaskPushNotificationConfig'],
    [`${root}tasks/${live}/pushNotificationConfigs/p`, undefined, 'TaskPushNotificationConfig'],
    [
      `${root}tasks/${live}/pushNotificationConfigs`,
      undefined,
      isNew ? 'ListTaskPushNotificationConfigsResponse' : 'ListTaskPushNotificationConfigResponse',
    ],
    ...(isNew
      ? ([
          ['tasks?includeArtifacts=true&pageSize=2', undefined, 'ListTasksResponse'],
          ['extendedAgentCard', undefined, 'AgentCard'],
          ['.well-known/agent-card.json', undefined, 'AgentCard'],
        ] as [string, undefined, string][])
      : []),
  ];
  for (const [path, body, type] of calls) {
    const response = await send(path, version, body);
    note(path, type, await response.json(), response.status);
  }
  const subscribed = await send(`${root}tasks/${live}:subscribe`, version);
  for (const item of await streamOf(subscribed, () => finish('subscribe', live, '')))
    note('subscribe', 'StreamResponse', item);
  const name = `streamed-by-http-${version}`;
  const streaming = await send(`${root}message:stream`, version, { [isNew ? 'message' : 'request']: message(name) });
  for (const item of await streamOf(streaming, () => finish('message:stream', live, name)))
    note('message:stream', 'StreamResponse', item);
  if (!isNew) return answers;
  const errors: [string, object | undefined, string?][] = [
    ['tasks/none', undefined],
    [`tasks/${whole}:cancel`, {}],
    [`tasks/${whole}:subscribe`, undefined],
    ['message:send', { message: { ...userMessage('1.0', 'empty'), parts: [] } }],
    ['tasks?pageSize=1000', undefined],
    ['nowhere/at/all', undefined, 'DELETE'],
  ];
  for (const [path, body, method] of errors) {
    const response = await send(path, version, body, method);
    note(`error of ${path}`, 'error', await response.json(), response.status);
  }
  return answers;
}

// Promise V13
test('every answer, event and error of A2A 1.0 and 0.3, over both bindings, is as the protocol’s own schema has it', async () => {
  const answers = [
    ...(await overRpc('1.0')),
    ...(await overRpc('0.3')),
    ...(await overHttp('1.0')),
    ...(await overHttp('0.3')),
  ];
  const card = await (await send('.well-known/agent-card.json', '0.3')).json();
  const result = { jsonrpc: '2.0', id: 'one', result: withoutNew(card) };
  const type = 'GetAuthenticatedExtendedCardSuccessResponse';
  answers.push({ what: 'card', version: '0.3', binding: 'JSONRPC', type, json: result });
  expect(answers.length).toBeGreaterThan(90);
  const faults = execFileSync(python, [checker], { input: JSON.stringify(answers), encoding: 'utf8' });
  expect(JSON.parse(faults)).toEqual([]);
});

/** The card of 0.3 names the addresses of 1.0 next to its own, for callers that read both. */
function withoutNew(card: unknown): object {
  const { supportedInterfaces, ...rest } = card as { supportedInterfaces?: unknown };
  expect(Array.isArray(supportedInterfaces)).toBe(true);
  return rest;
}
