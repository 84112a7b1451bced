// Who may call an agent over A2A, and what is refused in which words.
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { callerCard } from '../../../src/api/a2a/agent-card.ts';
import { createKeyRing } from '../../../src/api/auth/keys.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { bearer } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

let base = '';
const task = { taskId: 'task-of-anna', agent: 'expenses', threadId: 'standfast-a2a-1', owner: 'anna', contextId: 'c' };
const rig = describeApi({ withKeys: true });
beforeAll(async () => {
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
  // The transports write to a real socket only.
  base = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  await rig.store.callers.put(task, [{ kind: 'message', message }], '2026-01-01T00:00:00.000Z');
});

type Reply = { result?: { id?: string; totalSize?: number }; error?: { code: number; message: string } };

interface Call {
  headers?: Record<string, string>;
  payload?: object | string;
}

async function call(url: string, { headers = {}, payload }: Call = {}): Promise<{ response: Response; body: Reply }> {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const response = await fetch(`${base}${url}`, {
    headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(payload === undefined ? {} : { method: 'POST', body: text }),
  });
  return { response, body: (await response.json()) as Reply };
}

async function rpc(who: 'anna' | 'ben' | 'op', method: string, params: object): Promise<Reply> {
  const payload = { jsonrpc: '2.0', id: 1, method, params };
  return (await call('/a2a/expenses/', { headers: { ...bearer(who), 'a2a-version': '1.0' }, payload })).body;
}

const tokenOf = (...position: string[]): string => Buffer.from(JSON.stringify(position)).toString('base64url');

describe('an A2A server in front of an agent', () => {
  test('an A2A server in front of an agent shows its card to everybody, with its own address and how to sign in', async () => {
    const url = '/a2a/expenses/.well-known/agent-card.json';
    const card: Record<string, unknown> = { ...(await call(url, { headers: { 'a2a-version': '1.0' } })).body };
    expect(card['supportedInterfaces']).toContainEqual(
      expect.objectContaining({ url: expect.stringMatching(/\/a2a\/expenses\/$/), protocolBinding: 'JSONRPC' }),
    );
    expect(JSON.stringify(card['securitySchemes'])).toContain('Bearer');
    expect(card['capabilities']).toMatchObject({ streaming: true, pushNotifications: true, extendedAgentCard: true });
    expect((await call(url.replace('expenses', 'nobody'))).response.status).toBe(404);
  });

  // Promise V24
  test('an A2A server in front of an agent offers gRPC of 0.3, which cannot name an agent, only where there is one agent', async () => {
    const grpc = { port: 8643, address: 'a2a.example.com:443' };
    const offered = async (agents: string[]): Promise<[string, string][]> => {
      const given = Object.fromEntries(agents.map((name) => [name, { url: 'http://127.0.0.1:8701/' }]));
      const config = ConfigSchema.parse({ agents: given, server: { grpc } });
      const keys = createKeyRing(config, () => new Date());
      const card = await callerCard({ config, keys, publicUrl: base, store: rig.store }, 'expenses');
      return card.supportedInterfaces
        .filter(({ protocolBinding }) => protocolBinding === 'GRPC')
        .map(({ protocolVersion, tenant }) => [protocolVersion, tenant]);
    };
    expect(await offered(['expenses'])).toEqual([
      ['1.0', 'expenses'],
      ['0.3', 'expenses'],
    ]);
    expect(await offered(['expenses', 'travel'])).toEqual([['1.0', 'expenses']]);
  });

  // Promise RC6
  test('an A2A server in front of an agent signs its card with the key at the well-known address', async () => {
    const url = '/a2a/expenses/.well-known/agent-card.json';
    const card = AgentCard.fromJSON((await call(url, { headers: { 'a2a-version': '1.0' } })).body);
    const { keys } = (await call('/.well-known/jwks.json')).body as unknown as { keys: { kty: string; kid: string }[] };
    const verify = verifyAgentCardSignature(async (kid) => {
      const key = keys.find((one) => one.kid === kid);
      if (key === undefined) throw new Error('unknown');
      return key;
    });
    await verify(card);
    await expect(verify({ ...card, name: 'Another' })).rejects.toThrow();
  });

  // Promise V5
  test('an A2A server in front of an agent refuses every call without a key', async () => {
    const payload = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: task.taskId } };
    const { response } = await call('/a2a/expenses/', { payload });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await call('/a2a/expenses/tasks')).response.status).toBe(401);
  });

  // Promise V5
  test('an A2A server in front of an agent knows a task for its caller alone, also not for operators', async () => {
    expect((await rpc('anna', 'GetTask', { id: task.taskId })).result?.id).toBe(task.taskId);
    for (const who of ['ben', 'op'] as const) {
      for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask', 'ListTaskPushNotificationConfigs'])
        expect((await rpc(who, method, { id: task.taskId, taskId: task.taskId })).error?.code).toBe(-32_001);
      const message = { messageId: 'x', role: 'ROLE_USER', taskId: task.taskId, parts: [{ text: 'hi' }] };
      expect((await rpc(who, 'SendMessage', { message })).error?.code).toBe(-32_001);
      expect((await rpc(who, 'ListTasks', {})).result?.totalSize).toBe(0);
    }
    expect((await rpc('anna', 'ListTasks', {})).result?.totalSize).toBe(1);
  });

  test.each([
    ['a message without parts', 'SendMessage', { message: { messageId: 'm2', role: 'ROLE_USER', parts: [] } }],
    ['a message without an id', 'SendMessage', { message: { role: 'ROLE_USER', parts: [{ text: 'x' }] } }],
    ['a page of a thousand', 'ListTasks', { pageSize: 1000 }],
    ['a page token that is none', 'ListTasks', { pageToken: 'what' }],
    ['a page token with NUL', 'ListTasks', { pageToken: tokenOf('2026-01-01T00:00:00.000Z', 'a\0b') }],
    ['a page token of the year 0', 'ListTasks', { pageToken: tokenOf('0000-01-01T00:00:00.000Z', 'x') }],
    ['a context with NUL', 'ListTasks', { contextId: 'a\0b' }],
    ['the year 0', 'ListTasks', { statusTimestampAfter: '0000-01-01T00:00:00.000Z' }],
    ['the year 10,000', 'ListTasks', { statusTimestampAfter: '9999-12-31T23:59:59-10:00' }],
    ['a negative history', 'GetTask', { id: task.taskId, historyLength: -1 }],
  ])('an A2A server in front of an agent refuses %s as invalid', async (_what, method, params) => {
    expect((await rpc('anna', method, params)).error?.code).toBe(-32_602);
  });

  // Promise V10
  test.each(['http://127.0.0.1:1/', 'http://10.0.0.1/', 'http://169.254.169.254/', 'file:///etc/passwd'])(
    'an A2A server in front of an agent never tells a caller’s task to %s',
    async (url) => {
      const { error } = await rpc('anna', 'CreateTaskPushNotificationConfig', { taskId: task.taskId, url });
      expect(error?.code).toBe(-32_602);
    },
  );

  // Promise V5
  test.each(['\u0000', 'a\u0000b', 'x'.repeat(100_000)])(
    'an A2A server in front of an agent has no task and no push by an id that no row can hold: %#',
    async (id) => {
      const { taskId } = task;
      const message = { messageId: 'x', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
      const calls: [string, object][] = [
        ...['GetTask', 'CancelTask', 'SubscribeToTask'].map((method): [string, object] => [method, { id }]),
        ['SendMessage', { message: { ...message, taskId: id } }],
        ['SendMessage', { message: { ...message, referenceTaskIds: [id] } }],
        ['GetTaskPushNotificationConfig', { taskId, id }],
        ['ListTaskPushNotificationConfigs', { taskId: id }],
        ['DeleteTaskPushNotificationConfig', { taskId: id, id: 'x' }],
      ];
      for (const [method, params] of calls) expect((await rpc('anna', method, params)).error?.code).toBe(-32_001);
      const push = { taskId, id, url: 'https://hooks.example/' };
      expect((await rpc('anna', 'CreateTaskPushNotificationConfig', push)).error?.code).toBe(-32_602);
      // What is not there is removed all the same.
      expect((await rpc('anna', 'DeleteTaskPushNotificationConfig', { taskId, id })).error).toBeUndefined();
    },
  );

  // Promise V10
  test('an A2A server in front of an agent keeps the token of a push configuration to itself', async () => {
    const config = { taskId: task.taskId, id: 'p', url: 'https://hooks.example/', token: 'very secret' };
    const answers = [
      await rpc('anna', 'CreateTaskPushNotificationConfig', config),
      await rpc('anna', 'ListTaskPushNotificationConfigs', { taskId: task.taskId }),
    ];
    expect(JSON.stringify(answers)).toContain('hooks.example');
    expect(JSON.stringify([answers, await rig.store.callers.pushesOf(task.taskId)])).not.toContain('very secret');
  });

  test('an A2A server in front of an agent lists push configurations page by page, each once', async () => {
    const taskId = 'task-with-pushes';
    await rig.store.callers.put({ ...task, taskId, threadId: 'standfast-a2a-2' }, [], '2026-01-01T00:00:00.000Z');
    const list = async (params: object): Promise<{ ids: string[]; next: string }> => {
      const { result } = await rpc('anna', 'ListTaskPushNotificationConfigs', { taskId, ...params });
      const { configs = [], nextPageToken = '' } = { ...result } as {
        configs?: { id: string }[];
        nextPageToken?: string;
      };
      return { ids: configs.map(({ id }) => id), next: nextPageToken };
    };
    for (const id of ['b', 'C', 'a'])
      await rpc('anna', 'CreateTaskPushNotificationConfig', { taskId, id, url: 'https://hooks.example/' });
    const first = await list({ pageSize: 2 });
    const rest = await list({ pageSize: 2, pageToken: first.next });
    expect([first.ids, rest]).toEqual([['C', 'a'], { ids: ['b'], next: '' }]);
    expect(await list({})).toEqual({ ids: ['C', 'a', 'b'], next: '' });
    expect(await list({ pageSize: 3 })).toEqual({ ids: ['C', 'a', 'b'], next: '' });
    for (const wrong of [{ pageSize: -1 }, { pageSize: 'x' }, { pageToken: 'what?' }])
      expect((await rpc('anna', 'ListTaskPushNotificationConfigs', { taskId, ...wrong })).error?.code).toBe(-32_602);
  });

  test('an A2A server in front of an agent says in the words of JSON-RPC what is no JSON', async () => {
    const { body } = await call('/a2a/expenses/', { headers: bearer('anna'), payload: '{' });
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_700 } });
    const odd = { jsonrpc: '1.0', id: 'seven', method: 'GetTask' };
    const answer = await call('/a2a/expenses/', { headers: bearer('anna'), payload: odd });
    expect(answer.body).toMatchObject({ id: 'seven', error: { code: -32_600 } });
  });

  test.each([
    ['JSON-RPC', '/a2a/expenses/', { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: task.taskId } }],
    ['HTTP+JSON', `/a2a/expenses/tasks/${task.taskId}`, undefined],
  ])(
    'an A2A server in front of an agent takes a call that names no version by how it is written: %s',
    async (_what, url, payload) => {
      const { body } = await call(url, { headers: bearer('anna'), ...(payload === undefined ? {} : { payload }) });
      expect(JSON.stringify(body)).toContain(task.taskId);
    },
  );
});
