import { beforeAll, describe, expect, test } from '@jest/globals';
import { bearer, finished, framesOf, keys, freshThread, aTask, words, writeRun, type Rig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { quickest } from '../../rigs/quickest.ts';

const rig = describeApi({ hasWorker: false });
let keyed: Rig;
beforeAll(async () => {
  keyed = await rig.another({ withKeys: true });
});

const read = (threadId: string, query = '?follow=false', headers: Record<string, string> = {}) =>
  rig.app.inject({
    method: 'GET',
    url: `/agents/expenses/threads/${encodeURIComponent(threadId)}/events${query}`,
    headers,
  });
const idsOf = (body: string) => framesOf(body).map((frame) => frame.id);

async function threadWithRuns(...runIds: string[]) {
  const threadId = freshThread();
  await aTask(rig.store, threadId);
  const runs = [];
  for (const runId of runIds) {
    const key = { agent: 'expenses', threadId, runId };
    runs.push(await writeRun(rig.store, key, [...words(`${runId}-a`, runId), finished(key)], 'success'));
  }
  return { threadId, runs };
}

describe('the thread stream', () => {
  test('the thread stream gives a newcomer the newest run from its start, each event named by log and seq', async () => {
    const { threadId, runs } = await threadWithRuns('r1', 'r2');
    const response = await read(threadId);
    expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
    const logId = runs[1]?.logId;
    expect(idsOf(response.body)).toEqual([1, 2, 3, 4, 5, 6].map((seq) => `${logId}:${seq}`));
    expect(framesOf(response.body)[0]?.event).toMatchObject({ type: 'RUN_STARTED', runId: 'r2' });
  });

  // Promise S3
  test.each(['header', 'query'])(
    'the thread stream goes on after the Last-Event-ID of the %s without a gap or a double',
    async (by) => {
      const { threadId, runs } = await threadWithRuns('r1');
      const last = `${runs[0]?.logId}:4`;
      const response =
        by === 'header'
          ? await read(threadId, '?follow=false', { 'last-event-id': last })
          : await read(threadId, `?follow=false&lastEventId=${last}`);
      expect(idsOf(response.body)).toEqual([`${runs[0]?.logId}:5`, `${runs[0]?.logId}:6`]);
    },
  );

  test('the thread stream ends an older run that was being read before it goes on with the newest', async () => {
    const { threadId, runs } = await threadWithRuns('r1', 'r2', 'r3');
    const [first, , third] = runs;
    const response = await read(threadId, '?follow=false', { 'last-event-id': `${first?.logId}:5` });
    expect(idsOf(response.body)).toEqual([
      `${first?.logId}:6`,
      ...[1, 2, 3, 4, 5, 6].map((seq) => `${third?.logId}:${seq}`),
    ]);
  });

  test('the thread stream is empty for a reader who has seen everything', async () => {
    const { threadId, runs } = await threadWithRuns('r1');
    expect((await read(threadId, '?follow=false', { 'last-event-id': `${runs[0]?.logId}:6` })).body).toBe('');
  });

  test.each(['nonsense', '1:2:3', '999999:1', '-1:1', '1e3:1', ' '])(
    'the thread stream starts the newest run from its beginning for the unknown Last-Event-ID %p',
    async (lastEventId) => {
      const { threadId, runs } = await threadWithRuns('r1');
      const response = await read(threadId, '?follow=false', { 'last-event-id': lastEventId });
      expect(idsOf(response.body)[0]).toBe(`${runs[0]?.logId}:1`);
    },
  );

  test('the thread stream never tells of another thread whose log is named', async () => {
    const { runs } = await threadWithRuns('secret');
    const { threadId, runs: own } = await threadWithRuns('r1');
    const response = await read(threadId, '?follow=false', { 'last-event-id': `${runs[0]?.logId}:1` });
    expect(idsOf(response.body)[0]).toBe(`${own[0]?.logId}:1`);
    expect(response.body).not.toContain('secret');
  });

  test('the thread stream leaves control runs out', async () => {
    const { threadId, runs } = await threadWithRuns('r1');
    const key = { agent: 'expenses', threadId, runId: 'control' };
    await writeRun(rig.store, key, [finished(key)], 'success', { isControl: true });
    expect(idsOf((await read(threadId)).body)[0]).toBe(`${runs[0]?.logId}:1`);
  });

  test('the thread stream that does not follow ends in the middle of a run that goes on', async () => {
    const threadId = freshThread();
    await aTask(rig.store, threadId);
    const run = await writeRun(rig.store, { agent: 'expenses', threadId, runId: 'r1' }, [], null);
    expect(idsOf((await read(threadId)).body)).toEqual([`${run.logId}:1`, `${run.logId}:2`]);
  });

  test('the thread stream that follows is given the next run as soon as it begins', async () => {
    const url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
    const follow = async (): Promise<void> => {
      const { threadId, runs } = await threadWithRuns('r1');
      const stop = new AbortController();
      const last = `${runs[0]?.logId}:6`;
      const response = await fetch(`${url}/agents/expenses/threads/${threadId}/events?lastEventId=${last}`, {
        signal: stop.signal,
      });
      const key = { agent: 'expenses', threadId, runId: 'r2' };
      await writeRun(rig.store, key, [...words('r2-a', 'r2'), finished(key)], 'success');
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.includes('RUN_FINISHED')) break;
      }
      stop.abort();
      expect(framesOf(text)[0]?.event).toMatchObject({ type: 'RUN_STARTED', runId: 'r2' });
    };
    // Woken, not found by the re-read of every few seconds.
    expect(await quickest(4_000, follow)).toBeLessThan(4_000);
  });

  // Promise G10
  test('the thread stream does not tell a 0.x client of an outcome it would die of', async () => {
    const threadId = freshThread();
    await aTask(rig.store, threadId);
    const key = { agent: 'expenses', threadId, runId: 'r1' };
    await writeRun(rig.store, key, [finished(key, { type: 'cancelled' })], 'cancelled');
    const last = async (query: string) => framesOf((await read(threadId, query)).body).at(-1)?.event;
    expect(await last('?follow=false')).toMatchObject({ outcome: { type: 'cancelled' } });
    expect(await last('?follow=false&protocolVersion=')).toMatchObject({ outcome: { type: 'success' } });
  });

  test('the thread stream of an unknown thread or agent is not_found', async () => {
    expect((await read('nobody-opened-this')).json()).toMatchObject({ code: 'not_found' });
    const response = await rig.app.inject({ method: 'GET', url: '/agents/nobody/threads/t/events' });
    expect(response.statusCode).toBe(404);
  });

  test('the thread stream refuses a word for follow that it does not know', async () => {
    const { threadId } = await threadWithRuns('r1');
    expect((await read(threadId, '?follow=perhaps')).json()).toMatchObject({
      code: 'input_invalid',
      errors: [{ path: 'follow' }],
    });
  });

  test('the thread stream is for the owner of the thread and for operators', async () => {
    const threadId = freshThread();
    await aTask(rig.store, threadId, { owner: 'anna' });
    const key = { agent: 'expenses', threadId, runId: 'r1' };
    await writeRun(rig.store, key, [finished(key)], 'success');
    const url = `/agents/expenses/threads/${threadId}/events?follow=false`;
    const status = async (headers: Record<string, string>) =>
      (await keyed.app.inject({ method: 'GET', url, headers })).statusCode;
    expect(await status(bearer('anna'))).toBe(200);
    expect(await status(bearer('op'))).toBe(200);
    expect(await status(bearer('ben'))).toBe(404);
    expect(await status({})).toBe(401);
  });
});

describe('the thread stream of a session', () => {
  // Promise Q54
  test('the thread stream of a session tells nothing more once one has signed out', async () => {
    const threadId = freshThread();
    await aTask(keyed.store, threadId, { owner: 'anna' });
    const key = { agent: 'expenses', threadId, runId: 'r1' };
    const run = await writeRun(keyed.store, key, words('a', 'before'), null);
    const ownPage = { 'sec-fetch-site': 'same-origin' };
    const login = { method: 'POST' as const, url: '/api/login', headers: ownPage, payload: { key: keys.anna } };
    const { headers } = await keyed.app.inject(login);
    const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
    const url = await keyed.app.listen({ host: '127.0.0.1', port: 0 });
    const response = await fetch(`${url}/agents/expenses/threads/${threadId}/events`, { headers: { cookie } });
    const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes('TEXT_MESSAGE_END')) seen += (await reader.read()).value ?? '';
    await keyed.app.inject({ method: 'POST', url: '/api/logout', headers: { cookie, ...ownPage } });
    keyed.setNow(new Date(Date.now() + 6_000).toISOString());
    await keyed.store.log.append(run.logId, 1, words('b', 'said after it'));
    while (!seen.includes('said after it')) {
      const { done, value } = await reader.read();
      if (done) break;
      seen += value;
    }
    expect(seen).toContain('before');
    expect(seen).not.toContain('said after it');
    keyed.setNow(null);
  });
});
