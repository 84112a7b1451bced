import { createHmac } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pushTokenOf } from '../../../src/host/secrets/tokens.ts';
import type { Watch } from '../../../src/store/ports/tasks.ts';
import { bearer } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

let token: string;
const rig = describeApi({ withKeys: true });
beforeAll(async () => {
  token = await pushTokenOf(rig.store.settings, 'expenses');
});

const a2aTaskId = 'a2a-1';
const watch: Omit<Watch, 'probes'> = {
  taskId: '00000000-0000-5000-8000-000000000001',
  agent: 'expenses',
  workflowId: 'a2a/expenses/t',
  firstExecutionRunId: 'x',
  a2aTaskId,
  kind: 'pause',
  watchVersion: 1,
  seen: '',
};
beforeEach(async () => {
  await rig.store.tasks.put({ ...watch, threadId: 't', owner: 'local' }, new Date().toISOString());
  await rig.store.tasks.update(watch.taskId, { a2aTaskId });
  await rig.store.tasks.watch(watch, 3_600_000);
});

/** Whether the task is to be polled now. */
const isDue = async (): Promise<boolean> => (await rig.store.tasks.dueWatches(10, 3_600_000)).length > 0;

async function push(
  body: unknown,
  options: { agent?: string; headers?: Record<string, string>; type?: string } = {},
): Promise<number> {
  const { agent = 'expenses', headers = { 'x-a2a-notification-token': token }, type = 'application/json' } = options;
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const url = `/agents/${agent}/push-notifications`;
  const { statusCode } = await rig.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': type, ...headers },
    payload,
  });
  return statusCode;
}

describe('a push notification', () => {
  test.each<[string, unknown]>([
    [
      'a status of A2A 1.0',
      { statusUpdate: { taskId: a2aTaskId, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } },
    ],
    ['an artifact of A2A 1.0', { artifactUpdate: { taskId: a2aTaskId, artifact: { artifactId: 'a', parts: [] } } }],
    ['a task of A2A 1.0', { task: { id: a2aTaskId, contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } }],
    ['a message of A2A 1.0', { message: { taskId: a2aTaskId, messageId: 'm', parts: [] } }],
    ['a bare task', { id: a2aTaskId, contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } }],
    ['a task of A2A 0.3', { kind: 'task', id: a2aTaskId, contextId: 'c', status: { state: 'completed' } }],
    ['a status of A2A 0.3', { kind: 'status-update', taskId: a2aTaskId, status: { state: 'working' }, final: false }],
  ])('a push notification with %s has the task polled', async (_what, body) => {
    expect(await isDue()).toBe(false);
    expect(await push(body)).toBe(202);
    expect(await isDue()).toBe(true);
  });

  // Promise W11
  test.each(['x-a2a-notification-token', 'a2a-notification-token'])(
    'a push notification brings its token under either name that SDKs give it: %s',
    async (name) => {
      expect(await push({ task: { id: a2aTaskId } }, { headers: { [name]: 'x'.repeat(43) } })).toBe(401);
      expect(await push({ task: { id: a2aTaskId } }, { headers: { [name]: token } })).toBe(202);
      expect(await isDue()).toBe(true);
    },
  );

  test('a push notification may come as A2A’s own media type, or with its token as a bearer', async () => {
    expect(await push({ task: { id: a2aTaskId } }, { type: 'application/a2a+json' })).toBe(202);
    expect(await isDue()).toBe(true);
    const headers = { authorization: `Bearer ${token}` };
    expect(await push({ task: { id: a2aTaskId } }, { headers })).toBe(202);
    expect(await isDue()).toBe(true);
  });

  // Promise W11
  test.each<[string, { agent?: string; headers?: Record<string, string> }]>([
    ['without a token', { headers: {} }],
    ['with another word', { headers: { 'x-a2a-notification-token': 'x'.repeat(43) } }],
    ['with an API key', { headers: { authorization: 'Bearer operators-have-keys-too' } }],
    ['with the token of another agent', { agent: 'travel' }],
    ['for an agent that is not there', { agent: 'nobody' }],
  ])('a push notification %s is refused with 401, and nothing is polled', async (_what, options) => {
    expect(await push({ task: { id: a2aTaskId } }, options)).toBe(401);
    expect(await isDue()).toBe(false);
  });

  // Promise W11
  test.each<[string, unknown]>([
    ['a task that is not watched', { task: { id: 'another' } }],
    ['a task of another agent', { task: { id: 'a2a-2' } }],
    ['nothing', {}],
    ['a list', []],
    ['a name that is too long', { task: { id: 'x'.repeat(5_000) } }],
    ['a name that no row can hold', { task: { id: 'a\u0000b' } }],
    ['something that is not a name', { task: { id: 17 } }],
  ])('a push notification that names %s is answered the same', async (_what, body) => {
    expect(await push(body)).toBe(202);
    expect(await isDue()).toBe(false);
  });

  test('larger than a mebibyte is refused', async () => {
    expect(await push({ task: { id: a2aTaskId, filler: 'x'.repeat(1024 * 1024) } })).toBe(413);
    expect(await isDue()).toBe(false);
  });

  test('a push notification is counted, and never limited', async () => {
    const limited = await rig.another({ withKeys: true, server: { rateLimit: { max: 1 } } });
    const own = await pushTokenOf(limited.store.settings, 'expenses');
    const headers = { 'x-a2a-notification-token': own };
    for (const _ of [1, 2, 3]) {
      const payload = { task: { id: 'a' } };
      const response = await limited.app.inject({
        method: 'POST',
        url: '/agents/expenses/push-notifications',
        headers,
        payload,
      });
      expect(response.statusCode).toBe(202);
    }
    const metrics = await limited.app.inject({ method: 'GET', url: '/metrics', headers: bearer('op') });
    expect(metrics.body).toContain('standfast_agent_pushes_total{agent="expenses",result="taken"} 3');
  });

  test('a push notification has a token of its agent’s own, the same in every process, made from a key that is kept', async () => {
    const again = await pushTokenOf(rig.store.settings, 'expenses');
    const other = await pushTokenOf(rig.store.settings, 'travel');
    expect(again).toBe(token);
    expect(other).not.toBe(token);
    const key = (await rig.store.settings.get('push-key')) ?? '';
    expect(createHmac('sha256', key).update('push:expenses').digest('base64url')).toBe(token);
  });
});
