// The api killed under its readers: those of runs, of an agent's records, and programs that wait for a decision.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EngramExampleAgent, startEngramAgent } from '../../../examples/agents/engram/engram-agent.js';
import { createStandfastClient } from '../../../packages/client/src/client.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { shownTexts, textsOf, tokensIn, wholeText } from '../../rigs/streams/agui.ts';
import { checkIds } from '../../rigs/streams/check-run.ts';
import type { SseStream } from '../../rigs/streams/sse-stream.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { buildOnce, ended, greenDecision, longMs, openHold } from '../setting.ts';
import { startSplit, type Api, type Split } from '../split/split.ts';

const supervisor = createSupervisor();
let fake: FakeAgent;
let settings: EngramExampleAgent;
let split: Split;
let api: Api;

beforeAll(async () => {
  buildOnce();
  fake = await startFakeAgent(supervisor);
  settings = await startEngramAgent();
  supervisor.defer(() => settings.close());
  const agents = [`  fake: { url: '${fake.url}' }`, `  settings: { url: '${settings.url}', engram: true }`];
  split = await startSplit(supervisor, ['agents:', ...agents].join('\n'));
  [api] = await Promise.all([split.startApi(), split.startWorker()]);
});
afterAll(() => supervisor.end());

describe('kill -9 of the api', () => {
  // Promise S6
  test('a reader comes back by Last-Event-ID to the next one and has every event once; a run posted again reads all', async () => {
    // Not over before the kill, however long that takes here.
    const text = 'stream 30 20; gate api-killed; stream 30 20 second; data; complete';
    const request = { threadId: 'api-killed', runId: 'api-killed-1', text };
    const posted = await api.openRun('fake', request);
    await waitFor(() => tokensIn(posted) >= 5, longMs, 'text');
    const before = await api.follow('fake', 'api-killed');
    await waitFor(() => tokensIn(before) >= 10, longMs, 'text for the second reader');
    await api.process.kill9();
    await waitFor(() => posted.isOver() && before.isOver(), longMs, 'the end of both streams');
    expect(posted.error()).not.toBeNull();
    await fake.openGate('api-killed');
    api = await split.startApi(Number(new URL(api.url).port));
    const lastEventId = before.frames.at(-1)?.id ?? '';
    const after = await api.follow('fake', 'api-killed', { lastEventId });
    await after.until(({ type }) => type === 'RUN_FINISHED', 'the end of the run', longMs);
    const frames = [...before.frames, ...after.frames];
    after.close();
    checkIds(frames);
    const again = ended(await api.run('fake', request), 'success');
    expect(frames.map(({ event }) => event)).toEqual(again);
    expect(again.slice(0, posted.frames.length)).toEqual(posted.events());
    expect(shownTexts(again)).toEqual([wholeText(30), wholeText(30)]);
  });

  const again = async (): Promise<void> => {
    api = await split.startApi(Number(new URL(api.url).port));
  };
  const set = (key: string, value: unknown): unknown => settings.records.set({ key: { key }, value });
  const called = (name: string): number => settings.seen.filter(({ method }) => method === name).length;

  // Promise CL3
  test('a program on the client that waits for a decision gets it from the next one', async () => {
    ended(await api.run('fake', { threadId: 'program', text: 'form => say thanks; complete' }), 'interrupt');
    const { id } = await openHold(api, 'fake', 'program');
    let connections = 0;
    const counted: typeof fetch = async (...call) => {
      const response = await fetch(...call);
      if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) connections += 1;
      return response;
    };
    const client = createStandfastClient({
      baseUrl: api.url,
      apiKey: process.env['STANDFAST_API_KEY'],
      fetch: counted,
    });
    const known = client.waitForDecision(id, { signal: AbortSignal.timeout(longMs) });
    await waitFor(() => connections === 1, longMs, 'the program to watch the inbox');
    await api.process.kill9();
    await again();
    await waitFor(() => connections > 1, longMs, 'the program to watch it again');
    await api.post(`/api/holds/${id}/decision`, greenDecision());
    expect(await known).toMatchObject({ id, status: 'decided' });
  });

  // Promise EN4
  test('a subscription to an agent’s records goes on from where it was: nothing is missed, nothing comes twice', async () => {
    set('tone', 'plain');
    const request = { threadId: 'records', runId: 'records-1', forwardedProps: { engram: { mode: 'hydrate_stream' } } };
    const changes = (stream: SseStream): unknown[] =>
      stream.events().flatMap(({ type, delta }) => (type === 'STATE_DELTA' ? [delta] : []));
    const before = await api.openRun('settings', request);
    await before.until(({ type }) => type === 'STATE_SNAPSHOT', 'the records', longMs);
    set('tone', 'before');
    await waitFor(() => changes(before).length === 1, longMs, 'the change');
    const [subscription] = settings.subscriptions();
    await api.process.kill9();
    await waitFor(() => before.isOver(), longMs, 'the end of the stream');
    expect(before.error()).not.toBeNull();
    set('tone', 'missed');
    await again();
    const after = await api.openRun('settings', request);
    const { snapshot } = await after.until(({ type }) => type === 'STATE_SNAPSHOT', 'the records', longMs);
    expect(snapshot).toMatchObject({ view: { engram: { tone: { value: 'missed', version: 3 } } } });
    set('tone', 'after');
    await waitFor(() => changes(after).length > 0, longMs, 'the next change');
    after.close();
    await waitFor(() => settings.subscriptions().length === 0, longMs, 'the end of the subscription');
    expect(JSON.stringify(changes(after))).toContain('after');
    expect(changes(after)).toHaveLength(1);
    expect([called('engram/subscribe'), subscription?.id]).toEqual([1, expect.any(String)]);
  });

  test('a change inside a message reaches its agent with the extension that makes it take it', async () => {
    const engramUpdate = { path: '/mood', update: 'calm' };
    const request = { threadId: 'older-form', text: 'Be calm.', forwardedProps: { a2a: { engramUpdate } } };
    const run = await api.run('settings', request, longMs);
    ended(run, 'success');
    expect([...textsOf(run.events).values()]).toContain('Changed.');
    expect(settings.records.get('config/mood')?.value).toBe('calm');
    const [sent] = settings.seen.filter(({ method }) => method.startsWith('Send'));
    expect(sent).toMatchObject({
      extensions: expect.stringContaining('engram'),
      params: { message: { metadata: { engram: { scope: 'task', ...engramUpdate } } } },
    });
  });

  // Promise EN6
  test('kill -9 of the api in the middle of a sync changes each record once: the run posted again does the rest', async () => {
    const keys = Array.from({ length: 6 }, (_, index) => `list-${index}`);
    for (const key of keys) set(key, ['a']);
    const patch = [{ op: 'add', path: '/-', value: 'b' }];
    const request = {
      threadId: 'sync',
      runId: 'sync-1',
      forwardedProps: { engram: { mode: 'sync' } },
      state: { view: { engram: Object.fromEntries(keys.map((key) => [key, { patch }])) } },
    };
    const { records } = settings;
    const written = records.patch;
    // Before the agent can answer the third: whether it has written is not known.
    records.patch = (change) => {
      if (called('engram/patch') === 3) process.kill(api.process.pid, 'SIGKILL');
      return written(change);
    };
    const cut = await api.openRun('settings', request);
    await waitFor(() => cut.isOver(), longMs, 'the end of the stream');
    await api.process.exited;
    records.patch = written;
    const values = (): unknown[] => keys.map((key) => records.get(key)?.value);
    expect(values()).toEqual(keys.map((_, index) => (index < 3 ? ['a', 'b'] : ['a'])));
    await again();
    const { events } = await api.run('settings', request, longMs);
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      result: { engram: { writes: keys.map((key) => ({ key, result: 'written', version: 2 })) } },
    });
    expect(values()).toEqual(keys.map(() => ['a', 'b']));
  });
});
