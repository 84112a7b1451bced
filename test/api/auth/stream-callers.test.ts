// Whatever is read for long ends with what let its reader in: each route that streams or waits × each way to lose it.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { createKeyRing } from '../../../src/api/auth/keys.ts';
import { createStreamCallers } from '../../../src/api/auth/stream-callers.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { admittedAs, aTask, freshThread, keyConfig, keys, runBody, words, writeRun, type Rig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

type Headers = Record<string, string>;
const ownPage = { 'sec-fetch-site': 'same-origin' };

const api = describeApi();
let rig: Rig;
let url: string;
beforeEach(async () => {
  // A lost key is lost for good: each test begins with all of them.
  await rig?.close();
  rig = await api.another({
    config: { auth: { keys: keyConfig }, policies: { finance: { audience: ['role:finance'] } } },
  });
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});

async function signIn(): Promise<Headers> {
  const { headers } = await rig.app.inject({
    method: 'POST',
    url: '/api/login',
    headers: ownPage,
    payload: { key: keys.anna },
  });
  return { cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '', ...ownPage };
}

interface Reading {
  text: () => string;
  isOver: () => boolean;
  /** An event is published that this reader would have received. */
  say: () => Promise<void>;
}

async function read(path: string, init: { headers: Headers; body?: object }): Promise<Omit<Reading, 'say'>> {
  const { headers, body } = init;
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { ...sent, headers: { ...json, ...headers } });
  expect([path, response.status]).toEqual([path, 200]);
  let text = '';
  let isOver = false;
  const follow = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  follow()
    .catch(() => undefined)
    .finally(() => (isOver = true));
  return { text: () => text, isOver: () => isOver };
}

/** A run of anna's own that goes on. */
async function openRun(): Promise<{ threadId: string; logId: number; say: () => Promise<void> }> {
  const threadId = freshThread();
  await aTask(api.store, threadId, { owner: 'anna' });
  const { logId } = await writeRun(api.store, { agent: 'expenses', threadId, runId: 'r0' }, words('w0', 'begun'), null);
  return {
    threadId,
    logId,
    say: async () => void (await api.store.log.append(logId, 1, words('w1', 'a secret word'))),
  };
}

async function callersTask(): Promise<{ taskId: string; say: () => Promise<void> }> {
  const taskId = randomUUID();
  const names = { taskId, agent: 'expenses', threadId: `standfast-a2a-${taskId}`, owner: 'anna', contextId: 'c' };
  const at = '2026-01-01T00:00:00.000Z';
  await api.store.callers.put(
    names,
    [{ kind: 'message', message: { messageId: 'm', role: 'ROLE_USER', parts: [] } }],
    at,
  );
  const message = { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text: 'a secret word' }] };
  const status = { state: 'TASK_STATE_WORKING', message };
  const event = { statusUpdate: { taskId, contextId: 'c', status } };
  return { taskId, say: async () => void (await api.store.callers.append(taskId, [{ kind: 'event', event }], { at })) };
}

const aThread = async (headers: Headers): Promise<Reading> => {
  const { threadId, say } = await openRun();
  const reading = await read(`/agents/expenses/threads/${threadId}/events`, { headers });
  await waitFor(() => reading.text().includes('begun'), 10_000, 'the thread');
  return { ...reading, say };
};

const readers: [string, (headers: Headers) => Promise<Reading>][] = [
  [
    'a run',
    async (headers) => {
      const threadId = freshThread();
      let logId = 0;
      rig.tasks.open = async ({ opening, taskId, agent, owner }) => {
        await aTask(api.store, threadId, { owner });
        const key = { agent, threadId, runId: opening.runId };
        const { fingerprint } = opening;
        ({ logId } = await writeRun(api.store, key, words('w0', 'begun'), null, { taskId, fingerprint }));
        return admittedAs(taskId, opening.runId, 'opened');
      };
      const reading = await read('/agents/expenses/run', { headers, body: runBody(threadId, 'r1') });
      await waitFor(() => reading.text().includes('begun'), 10_000, 'the run');
      return { ...reading, say: async () => void (await api.store.log.append(logId, 1, words('w1', 'a secret word'))) };
    },
  ],
  ['a thread', aThread],
  [
    'the inbox',
    async (headers) => {
      const reading = await read('/api/inbox/events', { headers });
      await waitFor(() => reading.text().includes('counts'), 10_000, 'the inbox');
      return { ...reading, say: async () => undefined };
    },
  ],
  [
    'a subscription over A2A',
    async (headers) => {
      const { taskId, say } = await callersTask();
      const body = { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: taskId } };
      const reading = await read('/a2a/expenses/', { headers: { ...headers, 'a2a-version': '1.0' }, body });
      await waitFor(() => reading.text().includes(taskId), 10_000, 'the task');
      return { ...reading, say };
    },
  ],
  [
    'a subscription over A2A by HTTP+JSON',
    async (headers) => {
      const { taskId, say } = await callersTask();
      const path = `/a2a/expenses/tasks/${taskId}:subscribe`;
      const reading = await read(path, { headers: { ...headers, 'a2a-version': '1.0' }, body: {} });
      await waitFor(() => reading.text().includes(taskId), 10_000, 'the task');
      return { ...reading, say };
    },
  ],
  [
    'a message streamed over A2A',
    async (headers) => {
      rig.tasks.open = async ({ opening, taskId }) => admittedAs(taskId, opening.runId, 'opened');
      const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'hi' }] };
      const body = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } };
      const reading = await read('/a2a/expenses/', { headers: { ...headers, 'a2a-version': '1.0' }, body });
      await waitFor(() => reading.text().includes('SUBMITTED'), 10_000, 'the task');
      return { ...reading, say: async () => undefined };
    },
  ],
  [
    'a call over MCP that waits',
    async (headers) => {
      const token = randomUUID();
      const params = {
        name: 'ask_user',
        arguments: { id: randomUUID(), question: 'May I?', policy: 'finance', waitSeconds: 600 },
        _meta: { progressToken: token },
      };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const accept = 'application/json, text/event-stream';
      const reading = await read('/mcp', { headers: { ...headers, accept }, body });
      await waitFor(() => reading.text().includes(token), 10_000, 'its progress');
      return { ...reading, say: async () => undefined };
    },
  ],
];

const byKey: Headers = { authorization: `Bearer ${keys.anna}` };
const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
/** How somebody is let in, and how that ends. */
type Way = [string, () => Promise<Headers>, (headers: Headers) => Promise<void>];
const ways: Way[] = [
  [
    'its session is signed out',
    signIn,
    async (headers) => void (await rig.app.inject({ method: 'POST', url: '/api/logout', headers })),
  ],
  [
    'its key is taken away',
    async () => byKey,
    async () => {
      rig.config.auth.keys = rig.config.auth.keys.filter(({ user }) => user !== 'anna');
    },
  ],
];
const laterWays: Way[] = [
  [
    'its session is closed by another process',
    signIn,
    async ({ cookie = '' }) => {
      const other = await api.another({ config: { auth: { keys: keyConfig } } });
      await other.app.inject({ method: 'POST', url: '/api/logout', headers: { cookie, ...ownPage } });
      await other.close();
    },
  ],
  [
    'its key expires',
    async () => {
      const expires = inAnHour;
      rig.config.auth.keys = rig.config.auth.keys.map((key) => (key.user === 'anna' ? { ...key, expires } : key));
      return byKey;
    },
    async () => rig.setNow(new Date(Date.parse(inAnHour) + 1).toISOString()),
  ],
];

async function endsBy(
  [, enter, leave]: Way,
  begin: (headers: Headers) => Promise<Reading>,
): Promise<{ received: string; after: string }> {
  const headers = await enter();
  const reading = await begin(headers);
  expect(reading.isOver()).toBe(false);
  await leave(headers);
  await waitFor(reading.isOver, 15_000, 'the end of the stream');
  const received = reading.text();
  await reading.say();
  return { received, after: reading.text() };
}

describe.each(readers)('the stream of %s', (_what, begin) => {
  // Promise T21
  test.each(ways)('the stream ends once %s, and tells nothing more', async (...way) => {
    const { received, after } = await endsBy(way, begin);
    expect(after).toBe(received);
    expect(received).not.toContain('a secret word');
  });
});

describe('an event stream', () => {
  // How all of them are watched is one; by which route they came makes no difference any more.
  test.each(laterWays)('an event stream ends once %s', async (...way) => {
    await endsBy(way, aThread);
  });
});

describe('the lease of a reader', () => {
  const principals = (roles: string[]) =>
    ConfigSchema.parse({ auth: { keys: [{ user: 'anna', key: keys.anna, roles }] } }).auth.keys;

  test('the lease of a reader is over at once when a key is given other rights, and not when it is read again unchanged', () => {
    const config = ConfigSchema.parse({ auth: { keys: [{ user: 'anna', key: keys.anna, roles: ['finance'] }] } });
    const ring = createKeyRing(config, () => new Date());
    const callers = createStreamCallers({ sessions: { check: async () => null }, keys: ring, now: () => new Date() });
    const ended = new AbortController();
    const caller = { session: null, knownKey: ring.byKey(keys.anna), tokenEndsAtMs: null };
    const lease = callers.watch(caller, ended.signal);
    config.auth.keys = principals(['finance']);
    expect(lease.isOver()).toBe(false);
    config.auth.keys = principals(['travel']);
    expect([lease.isOver(), lease.signal.aborted]).toEqual([true, true]);
    ended.abort();
  });

  test('the lease of a reader is over when the token of an identity provider expires', () => {
    let nowMs = 1_000;
    const ring = createKeyRing(ConfigSchema.parse({}), () => new Date(nowMs));
    const now = () => new Date(nowMs);
    const callers = createStreamCallers({ sessions: { check: async () => null }, keys: ring, now });
    const ended = new AbortController();
    const lease = callers.watch({ session: null, knownKey: null, tokenEndsAtMs: 2_000 }, ended.signal);
    expect(lease.isOver()).toBe(false);
    nowMs = 2_000;
    expect(lease.isOver()).toBe(true);
    ended.abort();
  });
});
