// What A2A says of a call in addition to its methods: versions, media types, extensions, errors, and how a card is kept by who reads it.
// Promise V9e, V9f, V9g, V14, V15, V16
import { AgentCard } from '@a2a-js/sdk';
import { format } from 'node:util';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { request } from 'undici';
import { aTask, bearer } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

let base = '';
const json = expect.stringMatching(/^application\/json/) as unknown;
const needed = 'https://extensions.example/needed';
const offered = 'https://extensions.example/offered';
const task = (taskId: string) => ({
  taskId,
  agent: 'expenses',
  threadId: `t-${taskId}`,
  owner: 'local',
  contextId: 'c',
});
const opening = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

const rig = describeApi();
beforeAll(async () => {
  base = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  const at = '2026-01-01T00:00:00.000Z';
  await rig.store.callers.put(task('open'), [{ kind: 'message', message: opening }], at);
  await rig.store.callers.put(task('over'), [{ kind: 'message', message: opening }], at);
  const status = { state: 'TASK_STATE_COMPLETED', timestamp: at };
  const event = { statusUpdate: { taskId: 'over', contextId: 'c', status } };
  await rig.store.callers.append('over', [{ kind: 'event', event }], { state: 'completed', at });
  const extensions = [{ uri: needed, required: true }, { uri: offered }];
  await rig.store.agents.saveCard('travel', { name: 'Travel', capabilities: { extensions } });
});

interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function call(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Reply> {
  const response = await fetch(`${base}/a2a/${path}`, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? { nothing: true } : (JSON.parse(text) as Record<string, unknown>),
  };
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return call(path, { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } });
}

const rpc = (method: string, params: unknown, headers: Record<string, string> = {}, agent = 'expenses') =>
  post(`${agent}/`, { jsonrpc: '2.0', id: 7, method, params }, headers);

/** What ErrorInfo names of an error, wherever it lies. */
function reasonOf({ body }: Reply): unknown {
  const error = body['error'] as Record<string, unknown> | undefined;
  const details = (error?.['details'] ?? error?.['data'] ?? []) as Record<string, unknown>[];
  return details.find((one) => one['@type'] === 'type.googleapis.com/google.rpc.ErrorInfo')?.['reason'];
}

const codeOf = ({ body }: Reply): unknown => (body['error'] as Record<string, unknown> | undefined)?.['code'];
const message = (change: object = {}): object => ({ message: { ...opening, messageId: 'new', ...change } });

describe('an error over A2A has its code, HTTP status and reason', () => {
  test.each([
    ['a task that is not there', 'GetTask', { id: 'none' }, -32_001, 404, 'TASK_NOT_FOUND', 'tasks/none'],
    ['a subscription to what is not there', 'SubscribeToTask', { id: 'none' }, -32_001, 404, 'TASK_NOT_FOUND', ''],
    ['the end of a task that is over', 'CancelTask', { id: 'over' }, -32_002, 400, 'TASK_NOT_CANCELABLE', ''],
    [
      'a message to a task that is over',
      'SendMessage',
      message({ taskId: 'over' }),
      -32_004,
      400,
      'UNSUPPORTED_OPERATION',
      '',
    ],
    [
      'a subscription to a task that is over',
      'SubscribeToTask',
      { id: 'over' },
      -32_004,
      400,
      'UNSUPPORTED_OPERATION',
      '',
    ],
  ])(
    'an error over A2A has its code, HTTP status and reason for %s',
    async (_what, method, params, code, status, reason) => {
      const answer = await rpc(method, params, { 'a2a-version': '1.0' });
      expect([answer.status, codeOf(answer), reasonOf(answer)]).toEqual([200, code, reason]);
      const id = 'id' in params && typeof params.id === 'string' ? params.id : '';
      const paths: Record<string, () => Promise<Reply>> = {
        GetTask: () => call(`expenses/tasks/${id}`),
        SubscribeToTask: () => call(`expenses/tasks/${id}:subscribe`),
        CancelTask: () => post(`expenses/tasks/${id}:cancel`, {}),
        SendMessage: () => post('expenses/message:send', params),
      };
      const rest = await paths[method]?.();
      expect([rest?.status, rest && codeOf(rest), rest && reasonOf(rest)]).toEqual([status, status, reason]);
    },
  );

  test('an error over A2A has its code, HTTP status and reason for a version that is not spoken', async () => {
    const headers = { 'a2a-version': '99.0' };
    const answer = await rpc('GetTask', { id: 'open' }, headers);
    expect([codeOf(answer), reasonOf(answer)]).toEqual([-32_009, 'VERSION_NOT_SUPPORTED']);
    const rest = await post('expenses/message:send', message(), headers);
    expect([rest.status, reasonOf(rest)]).toEqual([400, 'VERSION_NOT_SUPPORTED']);
  });

  test('an error over A2A has its code, HTTP status and reason for a body of another media type, also where it is no JSON', async () => {
    const headers = { 'content-type': 'text/plain' };
    for (const body of ['{', JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'GetTask', params: {} })]) {
      const answer = await post('expenses/', body, headers);
      expect([codeOf(answer), reasonOf(answer)]).toEqual([-32_005, 'CONTENT_TYPE_NOT_SUPPORTED']);
    }
    const rest = await post('expenses/message:send', message(), headers);
    expect([rest.status, reasonOf(rest)]).toEqual([400, 'CONTENT_TYPE_NOT_SUPPORTED']);
  });

  test.each(['1.0', '0.3'])(
    'an error over A2A has its code, HTTP status and reason for a method that does not exist in A2A %s',
    async (version) => {
      expect(codeOf(await rpc('invalid/method', {}, { 'a2a-version': version }))).toBe(-32_601);
    },
  );

  test('an error over A2A has its code, HTTP status and reason for a path that does not exist, as JSON', async () => {
    const answer = await call('expenses/nowhere', { method: 'DELETE' });
    expect([answer.status, codeOf(answer)]).toEqual([404, 404]);
  });

  test('an error over A2A has its code, status and reason, and says nothing of what failed within Standfast', async () => {
    const { get } = rig.store.callers;
    rig.store.callers.get = async () => {
      throw new Error('connect ECONNREFUSED database.internal:5432');
    };
    try {
      const answers = [await rpc('GetTask', { id: 'open' }), await call('expenses/tasks/open')];
      expect(answers.map(codeOf)).toEqual([-32_603, 500]);
      expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain('database.internal');
    } finally {
      rig.store.callers.get = get;
    }
  });
});

describe('a call over A2A that meets an outage', () => {
  const outage = { kind: 'unanswered', by: 'engine' } as const;
  const away = [503, '2'];
  const headersOf = ({ status, headers }: Reply): unknown[] => [status, headers.get('retry-after')];
  beforeAll(async () => {
    await aTask(rig.store, 't-open');
    const at = '2026-01-01T00:00:00.000Z';
    const begun = { agent: 'expenses', threadId: 't-open', owner: 'local', workflowId: 'w', firstExecutionRunId: 'r' };
    await rig.store.tasks.put({ ...begun, taskId: 'open' }, at);
    rig.tasks.cancel = async () => outage;
  });

  test('a call over A2A that meets an outage is answered 503 with Retry-After and a reason over HTTP+JSON of both versions', async () => {
    const now = await post('expenses/tasks/open:cancel', {}, { 'a2a-version': '1.0' });
    expect(headersOf(now)).toEqual(away);
    expect([codeOf(now), reasonOf(now)]).toEqual([503, 'ENGINE_UNAVAILABLE']);
    expect(now.body['error']).toMatchObject({
      status: 'UNAVAILABLE',
      message: 'Temporal cannot be reached; the same request again is safe',
    });
    const before = await post('expenses/v1/tasks/open:cancel', {});
    expect(headersOf(before)).toEqual(away);
    expect(before.body['message']).toContain('Temporal cannot be reached');
  });

  test('a call over A2A that meets an outage is answered 503 with Retry-After and an error of JSON-RPC over JSON-RPC of both versions', async () => {
    const now = await rpc('CancelTask', { id: 'open' });
    expect([headersOf(now), codeOf(now), reasonOf(now)]).toEqual([away, -32_603, 'ENGINE_UNAVAILABLE']);
    const before = await rpc('tasks/cancel', { id: 'open' });
    expect([headersOf(before), codeOf(before)]).toEqual([away, -32_603]);
    expect(before.body).toMatchObject({ id: 7, error: { message: expect.stringContaining('Temporal') } });
  });

  test('a call over A2A that meets an outage leaves the next call of the same caller as it is', async () => {
    await rpc('CancelTask', { id: 'open' });
    expect(headersOf(await rpc('GetTask', { id: 'open' }))).toEqual([200, null]);
  });
});

describe('words of a caller over A2A', () => {
  const forged = 'x\n{"level":50,"msg":"forged"}\u001b[2J\u2028';
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('words of a caller over A2A never look like a line of the log, though the SDK prints them', async () => {
    const printed: string[] = [];
    jest.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => void printed.push(format(...parts)));
    await rpc('SubscribeToTask', { id: forged });
    await post(`expenses/?A2A-Version=${encodeURIComponent(forged)}`, { jsonrpc: '2.0', id: 1, method: 'GetTask' });
    await post(`expenses/tasks/${encodeURIComponent(forged)}:subscribe`, {}, { 'a2a-version': '1.0' });
    expect(printed.join('').split('forged').length).toBe(3);
    const lines = printed.join('\n').split('\n');
    expect(lines.filter((line) => line.startsWith('{"level"') || /[^\P{Cc}\t]|\u2028/u.test(line))).toEqual([]);
  });

  test('words of a caller over A2A are no id of a request where they hold control characters', async () => {
    const reply = await post('expenses/', { jsonrpc: '2.0', id: forged, method: 'GetTask', params: { id: 'open' } });
    expect(codeOf(reply)).toBe(-32_600);
  });
});

describe('a caller names the version of A2A that they speak', () => {
  test('a caller names the version of A2A that they speak in a header, with or without a patch, or in the query', async () => {
    const ids = [
      await call('expenses/tasks/open', { headers: { 'a2a-version': '1.0.1' } }),
      await call('expenses/tasks/open?A2A-Version=1.0'),
      await call('expenses/v1/tasks/open', { headers: { 'a2a-version': '0.3.0' } }),
    ].map(({ body }) => body['id']);
    expect(ids).toEqual(['open', 'open', 'open']);
  });

  test('a caller of one version of A2A gets -32601 for methods of the other', async () => {
    expect(codeOf(await rpc('message/send', message(), { 'a2a-version': '1.0' }))).toBe(-32_601);
    expect(codeOf(await rpc('SendMessage', message(), { 'a2a-version': '0.3' }))).toBe(-32_601);
  });
});

test('a path that begins with two slashes is that of one', async () => {
  expect((await call('expenses//tasks/open')).body['id']).toBe('open');
});

test('a caller of HTTP+JSON is answered in the media type that they name', async () => {
  const a2a = { accept: 'application/a2a+json' };
  const types = [await call('expenses/tasks/open'), await call('expenses/tasks/open', { headers: a2a })];
  expect(types.map(({ headers }) => headers.get('content-type')?.split(';')[0])).toEqual([
    'application/json',
    'application/a2a+json',
  ]);
});

describe('extensions of an agent', () => {
  const headers = { 'a2a-version': '1.0' };

  test('extensions of an agent are refused as missing where the agent requires one and the caller does not ask for it', async () => {
    const answer = await rpc('SendMessage', message(), headers, 'travel');
    expect([codeOf(answer), reasonOf(answer)]).toEqual([-32_008, 'EXTENSION_SUPPORT_REQUIRED']);
    expect(JSON.stringify(answer.body)).toContain(needed);
    expect(await rig.store.callers.list({ agent: 'travel', owner: null, limit: 1 })).toMatchObject({ total: 0 });
  });

  test('extensions of an agent that are in force are named in the answer, and others are not', async () => {
    const asked = [needed, offered, 'https://extensions.example/unknown'].join(', ');
    const configuration = { returnImmediately: true };
    const answer = await rpc(
      'SendMessage',
      { ...message(), configuration },
      { ...headers, 'a2a-extensions': asked },
      'travel',
    );
    expect(answer.headers.get('a2a-extensions')?.split(/, ?/)).toEqual([needed, offered]);
  });

  test('extensions that the configuration activates need no request of a caller', async () => {
    const own = await rig.another({
      config: { agents: { travel: { url: 'http://127.0.0.1:1/', extensions: [needed] } } },
    });
    const address = await own.app.listen({ host: '127.0.0.1', port: 0 });
    const card = (await (await fetch(`${address}/a2a/travel/.well-known/agent-card.json`, { headers })).json()) as {
      capabilities: object;
    };
    expect(card.capabilities).toMatchObject({ extensions: expect.arrayContaining([{ uri: needed }]) });
  });
});

describe('the card of an agent', () => {
  const path = 'travel/.well-known/agent-card.json';
  const headers = { 'a2a-version': '1.0' };

  test('the card of an agent may be kept for a while, and is asked for again by its ETag', async () => {
    const first = await call(path, { headers });
    expect(first.headers.get('cache-control')).toMatch(/max-age=\d+/);
    expect(first.headers.get('vary')).toMatch(/a2a-version/i);
    expect(Date.parse(first.headers.get('last-modified') ?? '')).toBeGreaterThan(0);
    const etag = first.headers.get('etag') ?? '';
    const again = async (tag: string): Promise<number> => {
      // With `fetch`, who asks so wants no answer from a cache.
      const { statusCode, body } = await request(`${base}/a2a/${path}`, {
        headers: { ...headers, 'if-none-match': tag },
      });
      await body.dump();
      return statusCode;
    };
    expect([await again(etag), await again('"other"')]).toEqual([304, 200]);
  });

  test('the card of an agent has an extended form for callers with a key alone', async () => {
    const answer = await rpc('GetExtendedAgentCard', {}, headers);
    expect([codeOf(answer), reasonOf(answer)]).toEqual([-32_007, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED']);
    expect((await call(path, { headers })).body['capabilities']).not.toHaveProperty('extendedAgentCard', true);
    const own = await rig.another({ withKeys: true });
    const address = await own.app.listen({ host: '127.0.0.1', port: 0 });
    const get = (more: object): Promise<Response> =>
      fetch(`${address}/a2a/travel/extendedAgentCard`, { headers: { ...headers, ...more } });
    expect((await get({})).status).toBe(401);
    expect(await (await get(bearer('anna'))).json()).toMatchObject({ capabilities: { extendedAgentCard: true } });
  });

  test('the card of an agent is found at the agent’s address itself as well', async () => {
    expect((await call('travel/', { headers })).body).toEqual((await call(path, { headers })).body);
  });

  test('the card of an agent names keys and tokens of the identity provider, each being enough, as A2A 1.0 and 0.3 write them', async () => {
    const oidc = { issuer: 'https://id.example/realms/a', clientId: 'standfast', clientSecret: 's', allowBearer: true };
    const own = await rig.another({ publicUrl: 'https://hold.example', config: { auth: { oidc } } });
    const address = await own.app.listen({ host: '127.0.0.1', port: 0 });
    const get = async (version: string): Promise<Record<string, unknown>> => {
      const url = `${address}/a2a/${path}`;
      return (await (await fetch(url, { headers: { 'a2a-version': version } })).json()) as Record<string, unknown>;
    };
    const openIdConnectUrl = 'https://id.example/realms/a/.well-known/openid-configuration';
    const card = await get('1.0');
    expect(card['securitySchemes']).toMatchObject({
      bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
      oidc: { openIdConnectSecurityScheme: { openIdConnectUrl } },
    });
    expect(AgentCard.toJSON(AgentCard.fromJSON(card))).toEqual(card);
    const old = await get('0.3');
    expect(old['securitySchemes']).toMatchObject({
      bearer: { type: 'http', scheme: 'Bearer' },
      oidc: { type: 'openIdConnect', openIdConnectUrl },
    });
    expect(old['security']).toEqual([{ bearer: [] }, { oidc: [] }]);
  });
});

describe('a message that a caller got wrong is refused as invalid, and begins nothing', () => {
  const receiver = 'http://127.0.0.1:1/';
  const push = (config: object): object => ({ taskPushNotificationConfig: { url: receiver, ...config } });
  test.each([
    ['an id that is not a text', { messageId: { a: 1 } }, {}, 'message.messageId: expected a text'],
    ['a context that is a list', { contextId: ['a'] }, {}, 'message.contextId: expected a text'],
    ['a role that there is not', { role: 'ROLE_KING' }, {}, 'message.role: expected ROLE_USER'],
    [
      'a part with nothing in it',
      { parts: [{ text: 'a' }, {}] },
      {},
      'message.parts.1: expected text, data, raw or url',
    ],
    ['a history below nothing', {}, { historyLength: -1 }, 'historyLength: expected at least 0'],
    ['a history in words', {}, { historyLength: 'all' }, 'historyLength: expected at least 0'],
    ['a push to a user of a host', {}, push({ url: 'http://a:b@127.0.0.1/' }), 'url: expected no user in it'],
    ['a push token with a line break', {}, push({ token: 'a\r\nX-Other: 1' }), 'token: expected at most 4096'],
    ['a push token of a book', {}, push({ token: 'a'.repeat(5000) }), 'token: expected at most 4096'],
    [
      'push credentials with a line break',
      {},
      push({ authentication: { scheme: 'Bearer', credentials: 'a\nb' } }),
      'authentication.credentials: expected at most 4096',
    ],
  ])(
    'a message that a caller got wrong is refused as invalid, and begins nothing for %s',
    async (_what, change, configuration, why) => {
      const count = async (): Promise<unknown> => {
        const { body } = await rpc('ListTasks', { pageSize: 1 });
        return (body['result'] as Record<string, unknown> | undefined)?.['totalSize'];
      };
      const before = await count();
      const params = {
        message: { ...opening, messageId: `wrong: ${why}`, ...change },
        configuration: { returnImmediately: true, ...configuration },
      };
      const answer = await rpc('SendMessage', params, { 'a2a-version': '1.0' });
      expect([codeOf(answer), (answer.body['error'] as { message: string }).message]).toEqual([
        -32_602,
        expect.stringContaining(why),
      ]);
      expect(await count()).toBe(before);
    },
  );
});

test('a page of tasks is refused whose size is a word or a fraction', async () => {
  for (const pageSize of ['many', 1.5]) expect(codeOf(await rpc('ListTasks', { pageSize }))).toBe(-32_602);
});

test('a push configuration without a name is one of its task in A2A 0.3', async () => {
  const headers = { 'a2a-version': '0.3' };
  const set = (url: string): Promise<Reply> =>
    rpc('tasks/pushNotificationConfig/set', { taskId: 'open', pushNotificationConfig: { url } }, headers);
  await set('http://127.0.0.1:1/first');
  await set('http://127.0.0.1:1/second');
  const found = [
    await rpc('tasks/pushNotificationConfig/get', { id: 'open' }, headers),
    await rpc('tasks/pushNotificationConfig/get', { id: 'open', pushNotificationConfigId: 'open' }, headers),
  ];
  for (const { body } of found)
    expect(body['result']).toMatchObject({
      taskId: 'open',
      pushNotificationConfig: { url: 'http://127.0.0.1:1/second' },
    });
  expect(await rig.store.callers.pushesOf('open')).toHaveLength(1);
});

test.each([
  ['as the proto of A2A 0.3 has it', (config: object) => config],
  ['without a name', ({ pushNotificationConfig }: { pushNotificationConfig?: object }) => ({ pushNotificationConfig })],
  [
    'in its whole request, as the Python SDK of 0.3 does',
    (config: object) => ({ parent: 'tasks/over', configId: 'w', config }),
  ],
])('a push configuration over HTTP+JSON of A2A 0.3 is taken %s', async (_what, written) => {
  const name = 'tasks/over/pushNotificationConfigs/w';
  const config = { name, pushNotificationConfig: { id: 'w', url: 'http://127.0.0.1:1/w' } };
  const { status, body } = await post('expenses/v1/tasks/over/pushNotificationConfigs', written(config));
  expect([status, body]).toEqual([200, config]);
  await rig.store.callers.removePush('over', 'w');
});

// The SDKs of Go and Python take 201, and a body that is empty, for a failure.
test.each([
  ['1.0', 'expenses', 'ROLE_USER', { taskId: 'open', id: 'x', url: 'http://127.0.0.1:1/x' }],
  ['0.3', 'expenses/v1', 'ROLE_USER', { pushNotificationConfig: { id: 'x', url: 'http://127.0.0.1:1/x' } }],
])(
  'what succeeds over HTTP+JSON of A2A %s is 200 and JSON, also what makes or removes something',
  async (version, at, role, config) => {
    const parts = version === '1.0' ? { parts: [{ text: 'hi' }] } : { content: [{ text: 'hi' }] };
    const sent = { message: { messageId: `new to ${version}`, role, ...parts } };
    const immediately = version === '1.0' ? { returnImmediately: true } : { blocking: false };
    const answers = [
      await post(`${at}/message:send`, { ...sent, configuration: immediately }),
      await post(`${at}/tasks/open/pushNotificationConfigs`, config),
      await call(`${at}/tasks/open/pushNotificationConfigs/x`, { method: 'DELETE' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual([json, json, json]);
    expect(answers[2]?.body).toEqual({});
  },
);
