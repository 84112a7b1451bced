// What one address or one caller may ask for at once, before others suffer from it.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '../../rigs/wait-for.ts';
import { aTask, bearer, freshThread } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

let url: string;
const rig = describeApi({
  withKeys: true,
  server: { maxStreams: 2 },
  config: { policies: { others: { audience: ['role:travel'] } } },
});
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});

const metric = async (name: string): Promise<string[]> => {
  const { body } = await rig.app.inject({ url: '/metrics', headers: bearer('op'), remoteAddress: '10.1.1.1' });
  return body.split('\n').filter((line) => line.startsWith(name));
};

describe('wrong bearer keys', () => {
  // Promise T13
  test('wrong bearer keys of one address are rate_limited after some, counted and reported; a right key is taken all the same', async () => {
    const tried = async (key: string, remoteAddress = '10.9.9.9') => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await rig.app.inject({ url: '/api/me', headers, remoteAddress });
      return [response.statusCode, response.headers['retry-after'] !== undefined];
    };
    const answers: unknown[] = [];
    for (let n = 0; n < 1_000; n += 1) answers.push((await tried(`a-key-that-nobody-has-${n}`))[0]);
    expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    expect(new Set(answers.slice(20))).toEqual(new Set([429]));
    expect(await tried('another-one-that-nobody-has')).toEqual([429, true]);
    expect(await tried('another-one-that-nobody-has', '10.9.9.8')).toEqual([401, false]);
    const own = await rig.app.inject({ url: '/api/me', headers: bearer('anna'), remoteAddress: '10.9.9.9' });
    expect(own.statusCode).toBe(200);
    expect(await metric('standfast_refused_keys_total{')).toEqual([
      'standfast_refused_keys_total{given_as="bearer",result="limited"} 981',
      'standfast_refused_keys_total{given_as="login",result="limited"} 0',
      'standfast_refused_keys_total{given_as="bearer",result="unknown"} 21',
    ]);
    // The login form counts the same tries.
    const login = { method: 'POST' as const, url: '/api/login', payload: { key: 'x' }, remoteAddress: '10.9.9.9' };
    expect((await rig.app.inject(login)).statusCode).toBe(429);
  });
});

describe('event streams of one caller', () => {
  // Promise T14
  test('event streams of one caller are refused beyond so many, and read on where they were once one has ended; others are not counted with them', async () => {
    const threadId = freshThread();
    await aTask(rig.store, threadId, { owner: 'anna' });
    const controls: AbortController[] = [];
    const kept: Response[] = [];
    const open = async (who: 'anna' | 'ben'): Promise<number> => {
      const control = new AbortController();
      controls.push(control);
      const path = who === 'anna' ? `/agents/expenses/threads/${threadId}/events` : '/api/inbox/events';
      const response = await fetch(`${url}${path}`, { headers: bearer(who), signal: control.signal });
      kept.push(response);
      if (response.status === 200) return 200;
      expect(response.headers.get('retry-after')).not.toBeNull();
      expect(await response.json()).toMatchObject({ code: 'rate_limited' });
      return response.status;
    };
    try {
      expect([await open('anna'), await open('anna'), await open('anna')]).toEqual([200, 200, 429]);
      expect(await open('ben')).toBe(200);
      // Which run to join is no stream.
      const asked = { url: `/agents/expenses/run?threadId=${threadId}`, headers: bearer('anna') };
      expect((await rig.app.inject(asked)).json()).toMatchObject({ activeRun: { runId: expect.any(String) } });
      controls[0]?.abort();
      await waitFor(async () => (await open('anna')) === 200, 10_000, 'a place for another stream');
    } finally {
      for (const control of controls) control.abort();
    }
    expect((await metric('standfast_refused_streams_total{')).join()).toContain('kind="thread"');
  });

  test('event streams of one caller over A2A are counted with them', async () => {
    const task = {
      taskId: 'task-of-ben',
      agent: 'expenses',
      threadId: 'standfast-a2a-b',
      owner: 'ben',
      contextId: 'c',
    };
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
    await rig.store.callers.put(task, [{ kind: 'message', message }], '2026-01-01T00:00:00.000Z');
    const control = new AbortController();
    const headers = { ...bearer('ben'), 'a2a-version': '1.0', 'content-type': 'application/json' };
    const kept: Response[] = [];
    const subscribe = async () => {
      const payload = { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: task.taskId } };
      const init = { method: 'POST', headers, body: JSON.stringify(payload), signal: control.signal };
      const response = await fetch(`${url}/a2a/expenses/`, init);
      kept.push(response);
      return response.status;
    };
    try {
      await waitFor(
        async () => (await metric('standfast_open_streams{kind="inbox"} 0')).length > 0,
        10_000,
        'no streams',
      );
      expect([await subscribe(), await subscribe(), await subscribe()]).toEqual([200, 200, 429]);
      const read = await fetch(`${url}/a2a/expenses/tasks/${task.taskId}:subscribe`, {
        headers,
        method: 'POST',
      });
      expect(read.status).toBe(429);
      const one = await fetch(`${url}/a2a/expenses/tasks/${task.taskId}`, { headers });
      expect(one.status).toBe(200);
    } finally {
      control.abort();
    }
  });

  test('event streams of one caller are calls over MCP, too, for as long as they wait', async () => {
    const control = new AbortController();
    const headers = {
      ...bearer('fin'),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    // What is kept here stays open: a body whose response was collected is cancelled.
    const kept: Response[] = [];
    // Each is shorter than the first keep-alive, 15 s: its head comes while it waits, or it is over before the next.
    const ask = async (id: string): Promise<number> => {
      const params = { name: 'ask_user', arguments: { id, question: 'May I?', policy: 'others', waitSeconds: 14 } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body, signal: control.signal });
      kept.push(response);
      return response.status;
    };
    try {
      expect([await ask('m1'), await ask('m2'), await ask('m3')]).toEqual([200, 200, 429]);
    } finally {
      control.abort();
    }
    await waitFor(async () => (await metric('standfast_open_streams{kind="mcp"} 0')).length > 0, 10_000, 'no calls');
  });
});
