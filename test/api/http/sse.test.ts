import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { HttpAgent } from '@ag-ui/client';
import type { StreamLimits } from '../../../src/api/http/sse.ts';
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import {
  aTask,
  eventsOf,
  finished,
  framesOf,
  freshThread,
  openingWorker,
  runBody,
  words,
  writeRun,
  type Rig,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { endRun } from '../../rigs/store/store-writes.ts';
import { leastBoundMs, waitFor } from '../../rigs/wait-for.ts';

const api = describeApi();
let rig: Rig;
let url: string;
const begin = async (limits?: StreamLimits): Promise<void> => {
  rig = await api.another(limits === undefined ? {} : { limits });
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
};
afterEach(() => rig.close());

async function openThread(): Promise<{
  threadId: string;
  logId: number;
  key: { agent: string; threadId: string; runId: string };
}> {
  const threadId = freshThread();
  await aTask(rig.store, threadId);
  const key = { agent: 'expenses', threadId, runId: 'r1' };
  const run = await writeRun(rig.store, key, [], null);
  return { threadId, logId: run.logId, key };
}

/** Reads until the text so far is enough; bounded. */
async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  isEnough: (text: string) => boolean,
): Promise<string> {
  const decoder = new TextDecoder();
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error(`not seen in: ${text}`)), leastBoundMs).unref(),
  );
  let text = '';
  while (!isEnough(text)) {
    const { value, done } = await Promise.race([reader.read(), late]);
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  return text;
}

async function openStreams(): Promise<number> {
  const { body } = await rig.app.inject({ method: 'GET', url: '/metrics' });
  return [...body.matchAll(/^standfast_open_streams\{.*\} (\d+)$/gm)].reduce((sum, match) => sum + Number(match[1]), 0);
}

describe('a stream over a real socket', () => {
  test('a stream over a real socket is understood by the AG-UI client from the first event to the last', async () => {
    await begin();
    rig.tasks.open = openingWorker(rig.store, 'Booked.');
    const agent = new HttpAgent({ url: `${url}/agents/expenses/run`, threadId: freshThread() });
    agent.messages = [{ id: 'm1', role: 'user', content: 'Book it' }];
    const seen: string[] = [];
    await agent.runAgent({ runId: 'r1' }, { onEvent: ({ event }) => void seen.push(event.type) });
    expect(seen.at(-1)).toBe('RUN_FINISHED');
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Booked.' });
  });

  test('a stream over a real socket ends right after its terminal event, with headers that proxies leave alone', async () => {
    await begin();
    rig.tasks.open = openingWorker(rig.store);
    const response = await fetch(`${url}/agents/expenses/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(runBody(freshThread(), 'r1')),
    });
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(eventsOf(await response.text()).at(-1)?.type).toBe('RUN_FINISHED');
  });

  test('a stream over a real socket goes on with the next run of the thread, each run once and whole', async () => {
    await begin();
    const { threadId, logId, key } = await openThread();
    const control = new AbortController();
    const response = await fetch(`${url}/agents/expenses/threads/${threadId}/events`, { signal: control.signal });
    const reader = response.body?.getReader();
    if (reader === undefined) throw new Error('there is no body');
    await rig.store.log.append(logId, 1, [...words('a', 'one'), finished(key)]);
    await endRun(rig.store, logId, 1, 'success');
    const next = { ...key, runId: 'r2' };
    const first = await readUntil(reader, (text) => text.includes('RUN_FINISHED'));
    await writeRun(rig.store, next, [...words('b', 'two'), finished(next)], 'success');
    const second = await readUntil(reader, (text) => text.includes('RUN_FINISHED'));
    control.abort();
    const ids = framesOf(first + second).map((frame) => frame.id);
    expect(ids).toHaveLength(12);
    expect(new Set(ids).size).toBe(12);
    await waitFor(async () => (await openStreams()) === 0, leastBoundMs, 'open streams: 0');
  });

  // Promise S11
  test('a stream over a real socket is there at once for who follows a thread that is quiet', async () => {
    await begin({ heartbeatMs: 3_600_000, undrainedMs: 30_000 });
    const { threadId, logId, key } = await openThread();
    await rig.store.log.append(logId, 1, [finished(key)]);
    await endRun(rig.store, logId, 1, 'success');
    const run = await rig.store.runs.get(key);
    const control = new AbortController();
    const late = setTimeout(() => control.abort(), leastBoundMs);
    const response = await fetch(`${url}/agents/expenses/threads/${threadId}/events`, {
      headers: { 'last-event-id': `${logId}:${run?.lastSeq}` },
      signal: control.signal,
    });
    clearTimeout(late);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    control.abort();
  });

  test('a stream over a real socket shows that it lives while nothing happens', async () => {
    await begin({ heartbeatMs: 50, undrainedMs: 30_000 });
    const { threadId } = await openThread();
    const control = new AbortController();
    const response = await fetch(`${url}/agents/expenses/threads/${threadId}/events`, { signal: control.signal });
    const reader = response.body?.getReader();
    if (reader === undefined) throw new Error('there is no body');
    expect(await readUntil(reader, (text) => text.includes(': ka\n\n: ka\n\n'))).toContain('RUN_STARTED');
    control.abort();
  });

  // Promise S10
  test('a reader who leaves stops nothing and leaves nothing behind', async () => {
    await begin();
    const threadId = freshThread();
    const key = { agent: 'expenses', threadId, runId: 'r1' };
    let logId = 0;
    rig.tasks.open = async (start) => {
      const run = await writeRun(rig.store, key, [], null, {
        fingerprint: start.opening.fingerprint,
        taskId: start.taskId,
      });
      logId = run.logId;
      return { kind: 'answer', value: { runId: 'r1', kind: 'opened', taskId: start.taskId, skipped: [] } };
    };
    const post = (signal: AbortSignal | null) =>
      fetch(`${url}/agents/expenses/run`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(runBody(threadId, 'r1')),
        signal,
      });
    const control = new AbortController();
    const response = await post(control.signal);
    await response.body?.getReader().read();
    control.abort();
    await waitFor(async () => (await openStreams()) === 0, leastBoundMs, 'open streams: 0');
    await rig.store.log.append(logId, 1, [...words('a', 'still there'), finished(key)]);
    await endRun(rig.store, logId, 1, 'success');
    const text = await (await post(null)).text();
    expect(text).toContain('still there');
    expect(rig.tasks.calls).toEqual([]);
  });

  test('a reader who does not read is dropped, and nothing is heaped up for them', async () => {
    await begin({ heartbeatMs: 15_000, undrainedMs: 200 });
    const { threadId, logId } = await openThread();
    const big: AguiEvent = { type: 'CUSTOM', name: 'big', value: 'x'.repeat(64 * 1024) };
    for (let i = 0; i < 20; i += 1)
      await rig.store.log.append(
        logId,
        1,
        Array.from({ length: 20 }, () => big),
      );
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.pause();
    socket.write(`GET /agents/expenses/threads/${threadId}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    await waitFor(async () => (await openStreams()) === 1, leastBoundMs, 'open streams: 1');
    await waitFor(async () => (await openStreams()) === 0, leastBoundMs, 'open streams: 0');
    const { body } = await rig.app.inject({ method: 'GET', url: '/metrics' });
    expect(body).toContain('standfast_dropped_streams_total{reason="not_read"} 1');
    socket.destroy();
  });

  test('a stream over a real socket says a last word when the process stops, and the run can be read again', async () => {
    await begin();
    const threadId = freshThread();
    const key = { agent: 'expenses', threadId, runId: 'r1' };
    rig.tasks.open = async (start) => {
      await writeRun(rig.store, key, [], null, { fingerprint: start.opening.fingerprint, taskId: start.taskId });
      return { kind: 'answer', value: { runId: 'r1', kind: 'opened', taskId: start.taskId, skipped: [] } };
    };
    const response = await fetch(`${url}/agents/expenses/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(runBody(threadId, 'r1')),
    });
    const text = response.text();
    await waitFor(async () => (await openStreams()) === 1, leastBoundMs, 'open streams: 1');
    await rig.app.close();
    expect(eventsOf(await text).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'worker_unavailable' });
  });
});
