// Callers that send the same many times at once, and callers that do not read what they are sent.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CallerEntry } from '../../../src/contract/tasks/caller.ts';
import { aTask, bearer, keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

let base = '';
const sockets: Socket[] = [];
const rig = describeApi({ withKeys: true });
beforeAll(async () => {
  rig.app.server.on('connection', (socket: Socket) => sockets.push(socket));
  base = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});

const at = '2026-01-01T00:00:00.000Z';
const headers = { ...bearer('anna'), 'content-type': 'application/json', 'a2a-version': '1.0' };
const call = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

interface Reply {
  result?: { task?: { id: string; history?: { parts: { text: string }[] }[] } };
  error?: { code: number; message: string };
}

async function send(messageId: string, text: string, more: object = {}): Promise<Reply> {
  const message = { messageId, role: 'ROLE_USER', parts: [{ text }], ...more };
  const body = call('SendMessage', { message, configuration: { returnImmediately: true } });
  return (await (await fetch(`${base}/a2a/expenses/`, { method: 'POST', headers, body })).json()) as Reply;
}

const crowd = Array.from({ length: 20 }, (_one, n) => `content ${n}`);

/** Of a crowd that sent the same messageId with different contents. */
function expectOne(replies: Reply[]): string {
  const refused = replies.flatMap(({ error }) => error ?? []);
  expect(refused).toHaveLength(crowd.length - 1);
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set([-32_602]));
  return replies.find(({ result }) => result?.task !== undefined)?.result?.task?.id ?? '';
}

async function aCallersTask(): Promise<string> {
  const task = await aTask(rig.store, `standfast-a2a-${crypto.randomUUID()}`, { owner: 'anna' });
  const { taskId, agent, threadId } = task;
  await rig.store.callers.put({ taskId, agent, threadId, owner: 'anna', contextId: 'c' }, [], at);
  return taskId;
}

// Promise V23
describe('of twenty messages with one id and different contents that come at once', () => {
  test('one begins a task, and the others are refused', async () => {
    const id = expectOne(await Promise.all(crowd.map((text) => send('new at once', text))));
    expect(await rig.store.callers.read(id, 0)).toHaveLength(1);
  });

  test('one goes into the task that they name, and the others are refused', async () => {
    const taskId = await aCallersTask();
    // None of them is stored before all of them were searched for.
    const { get } = rig.store.intake;
    const waiting: (() => void)[] = [];
    rig.store.intake.get = async (key) => {
      const row = await get(key);
      await new Promise<void>((goOn) => {
        waiting.push(goOn);
        if (waiting.length === crowd.length) for (const one of waiting) one();
      });
      return row;
    };
    const id = expectOne(await Promise.all(crowd.map((text) => send('into it at once', text, { taskId }))));
    rig.store.intake.get = get;
    expect(id).toBe(taskId);
    expect(await rig.store.callers.read(taskId, 0)).toHaveLength(1);
  });
});

// Promise V23
test('a caller who does not read their stream does not have it all in memory, and others get theirs', async () => {
  const taskId = await aCallersTask();
  const ids = { taskId, contextId: 'c' };
  const update = (text: string, append: boolean): CallerEntry => ({
    kind: 'event',
    event: { artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text }] }, append } },
  });
  const statusOf = (state: string): CallerEntry => ({
    kind: 'event',
    event: { statusUpdate: { ...ids, status: { state: `TASK_STATE_${state}` } } },
  });
  await rig.store.callers.append(taskId, [statusOf('WORKING')], { state: 'working', at });
  const body = call('SubscribeToTask', { id: taskId });
  const stuck = connect(Number(new URL(base).port), '127.0.0.1');
  await once(stuck, 'connect');
  const ends = [`Authorization: Bearer ${keys.anna}`, 'A2A-Version: 1.0', 'Content-Type: application/json'];
  const request = ['POST /a2a/expenses/ HTTP/1.1', 'Host: x', ...ends, `Content-Length: ${body.length}`, '', body];
  stuck.write(request.join('\r\n'));
  await once(stuck, 'readable');
  const server = sockets.find(({ remotePort }) => remotePort === stuck.localPort);
  const reading = await fetch(`${base}/a2a/expenses/`, { method: 'POST', headers, body });
  const chunk = 'x'.repeat(500_000);
  for (let n = 0; n < 60; n += 1)
    await rig.store.callers.append(taskId, [update(chunk, n > 0)], { state: 'working', at });
  await rig.store.callers.append(taskId, [statusOf('COMPLETED')], { state: 'completed', at });
  expect((await reading.text()).length).toBeGreaterThan(60 * chunk.length);
  expect(server?.writableLength).toBeLessThan(8_000_000);
  stuck.destroy();
});
